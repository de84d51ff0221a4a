//! A user's ledger with what is needed to value it, as one transaction sees it. Entries are read only where what is kept of them
//! does not tell.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;
use ledger::{Fx, Position};
use store::accruals::{self, Accrual, Statement};
use store::{Tx, Versions, tracking, versions};
use uuid::Uuid;

use crate::account::Account;
use crate::lots::{Lot, Traded};
use crate::profile::Profile;
use crate::rows::Rows;
use crate::stake::Stake;
use crate::{App, Error, stakes};

pub(crate) struct Book<'a> {
    app: &'a App,
    tx: Tx,
    versions: Versions,
    pub account: Account,
    /// Of all portfolios, whichever is selected, in the order of their earliest entry.
    pub stakes: Vec<Arc<Stake>>,
    rows: Rows,
    pub fx: Arc<Fx>,
    pub today: Date,
}

impl<'a> Book<'a> {
    pub async fn open(app: &'a App, user_id: Uuid, portfolio: Option<&str>) -> Result<Book<'a>, Error> {
        let mut tx = app.store.read().await?;
        let account = Account::load(&mut tx, user_id, portfolio).await?;
        let versions = versions::get(&mut tx).await?;
        let fx = app.rates.at(&mut tx, versions.rates).await?;
        let today = app.clock.today();
        let stakes = stakes::of_user(&mut tx, user_id, today).await?.into_iter().map(Arc::new).collect();
        Ok(Book { app, tx, versions, account, stakes, rows: Rows::default(), fx, today })
    }

    /// The stock of this symbol, when market data knows it.
    pub async fn profile(&mut self, symbol: &str) -> Result<Option<Arc<Profile>>, Error> {
        self.app.profiles.of(&mut self.tx, symbol, self.versions, self.today, &self.fx).await
    }

    /// Those of the user's stocks that strangers may know of.
    pub async fn public_symbols(&mut self) -> Result<BTreeSet<String>, Error> {
        Ok(tracking::public_of_user(&mut self.tx, self.account.user.id, self.app.public_holders.min()).await?)
    }

    /// The open position at the end of today.
    pub async fn position(&mut self, stake: &Stake, profile: Option<&Profile>) -> Result<Option<Position>, Error> {
        let traded = Traded::from(profile);
        match stake.kept(traded, &self.fx) {
            Some(position) => Ok(position),
            None => self.lot(stake).await?.position(traded, &self.fx, self.today),
        }
    }

    /// Whether [`Book::position`] has to read entries.
    pub fn is_unread(&self, stake: &Stake, profile: Option<&Profile>) -> bool {
        stake.lot().is_none() && stake.kept(profile.into(), &self.fx).is_none()
    }

    /// Reads the entries of several at once, for [`Book::lot`].
    pub async fn read(&mut self, stakes: &[&Stake]) -> Result<(), Error> {
        let unread = stakes.iter().filter(|stake| stake.lot().is_none()).map(|stake| stake.symbol.as_str());
        self.rows.read(&mut self.tx, self.account.user.id, unread).await
    }

    pub async fn lot(&mut self, stake: &Stake) -> Result<Arc<Lot>, Error> {
        if let Some(lot) = stake.lot() {
            return Ok(lot);
        }
        self.read(&[stake]).await?;
        self.rows.lot(stake.portfolio_id, &stake.symbol)
    }

    /// All lots with their entries, in the order of the stakes.
    pub async fn lots(&mut self) -> Result<Vec<Arc<Lot>>, Error> {
        self.rows.all(&mut self.tx, self.account.user.id).await
    }

    /// The brokers' statements of payments to come, the latest first.
    pub async fn broker_statements(&mut self) -> Result<Vec<Statement>, Error> {
        Ok(accruals::statements(&mut self.tx, self.account.user.id).await?)
    }

    /// The payments of one of them.
    pub async fn accruals(&mut self, import_id: Uuid) -> Result<Vec<Accrual>, Error> {
        Ok(accruals::of_statement(&mut self.tx, self.account.user.id, import_id).await?)
    }

    /// The symbols the user watches.
    pub async fn radar(&mut self) -> Result<Vec<String>, Error> {
        let rows = store::radar::list(&mut self.tx, self.account.user.id).await?;
        Ok(rows.into_iter().map(|row| row.symbol).collect())
    }
}
