//! Open positions: shares and average cost from the ledger.

use ledger::{Decimal, Money};
use uuid::Uuid;

use crate::book::{Book, OpenPosition};
use crate::{App, Error};

#[derive(Clone, Debug)]
pub struct HoldingSummary {
    pub symbol: String,
    pub name: Option<String>,
    pub shares: Decimal,
    pub average_cost: Money,
    /// False if the average includes an unknown cost.
    pub cost_known: bool,
    pub isin: Option<String>,
    pub instrument_type: Option<String>,
    pub sector: Option<String>,
    /// Set if the user has more than one portfolio and none was selected.
    pub portfolio: Option<String>,
}

/// Oldest first: by the day the open position was opened, then in the order its first entry was recorded.
pub async fn list(app: &App, user_id: Uuid, portfolio: Option<&str>) -> Result<Vec<HoldingSummary>, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let mut held = book.open_positions().await?;
    oldest_first(&mut held);
    Ok(held.iter().map(|held| holding(&book, held)).collect())
}

pub(crate) fn oldest_first(held: &mut [OpenPosition]) {
    held.sort_by_key(|held| (held.position.opened, held.position.opened_sequence));
}

pub(crate) fn holding(book: &Book<'_>, held: &OpenPosition) -> HoldingSummary {
    let (holding, stock) = (&held.holding, held.profile.as_ref().map(|profile| &profile.stock));
    HoldingSummary {
        symbol: holding.symbol.clone(),
        name: stock.and_then(|stock| stock.name.clone()).or_else(|| holding.name.clone()),
        shares: held.position.shares,
        average_cost: held.position.average_cost(),
        cost_known: held.position.cost_known,
        isin: stock.and_then(|stock| stock.isin.clone()).or_else(|| holding.isin.clone()),
        instrument_type: stock.and_then(|stock| stock.instrument_type.clone()),
        sector: stock.and_then(|stock| stock.sector.clone()),
        portfolio: book.account.label(holding.portfolio_id),
    }
}
