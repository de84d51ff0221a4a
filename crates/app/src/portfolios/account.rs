//! The signed-in user's account in a request: the user, the portfolios, and which one is requested.

use store::Tx;
use store::portfolios::{self, Portfolio};
use store::users::{self, User};
use uuid::Uuid;

use crate::Error;

pub(crate) struct Account {
    pub user: User,
    /// The default portfolio first, then in the user's order.
    pub portfolios: Vec<Portfolio>,
    pub selected: Option<Uuid>,
}

impl Account {
    pub async fn load(tx: &mut Tx, user_id: Uuid, portfolio: Option<&str>) -> Result<Account, Error> {
        let user = users::by_id(tx, user_id).await?.ok_or_else(|| Error::UnknownAccount(user_id.to_string()))?;
        let portfolios = portfolios::list(tx, user_id).await?;
        let selected = match portfolio {
            None => None,
            Some(wanted) => Some(find(tx, user_id, wanted).await?.id),
        };
        Ok(Account { user, portfolios, selected })
    }

    pub fn includes(&self, portfolio_id: Uuid) -> bool {
        self.selected.is_none_or(|selected| selected == portfolio_id)
    }

    pub fn name_of(&self, portfolio_id: Uuid) -> &str {
        self.portfolios.iter().find(|portfolio| portfolio.id == portfolio_id).map_or("", |portfolio| &portfolio.name)
    }

    /// Whether rows name their portfolio: the user has more than one and none was selected.
    pub fn names_portfolios(&self) -> bool {
        self.portfolios.len() > 1 && self.selected.is_none()
    }

    pub fn label(&self, portfolio_id: Uuid) -> Option<String> {
        self.names_portfolios().then(|| self.name_of(portfolio_id).to_owned())
    }
}

/// The user's portfolio with this name or slug; fails if there is none.
pub(crate) async fn find(tx: &mut Tx, user_id: Uuid, wanted: &str) -> Result<Portfolio, Error> {
    match portfolios::find(tx, user_id, wanted).await? {
        Some(portfolio) => Ok(portfolio),
        None => {
            let names = portfolios::list(tx, user_id).await?.into_iter().map(|portfolio| portfolio.name).collect();
            Err(Error::UnknownPortfolio { wanted: wanted.to_owned(), names })
        }
    }
}
