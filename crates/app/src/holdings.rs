//! Open positions: shares and average cost from the ledger.

use ledger::{Decimal, Money};
use uuid::Uuid;

use crate::book::Book;
use crate::{App, Error};

pub struct Holding {
    pub symbol: String,
    pub name: Option<String>,
    pub shares: Decimal,
    pub average_cost: Money,
    pub isin: Option<String>,
    pub instrument_type: Option<String>,
    pub sector: Option<String>,
    /// Named when the user has more than one portfolio and none was selected.
    pub portfolio: Option<String>,
}

/// Oldest first: by the day the open position was opened, then by its first entry's order of recording.
pub async fn list(app: &App, user_id: Uuid, portfolio: Option<&str>) -> Result<Vec<Holding>, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let mut holdings = Vec::new();
    for lot in std::mem::take(&mut book.lots) {
        if !book.account.includes(lot.portfolio_id) {
            continue;
        }
        let profile = book.profile(&lot.symbol).await?;
        let Some(position) = lot.position(profile.as_deref(), &book.fx, book.today)? else { continue };
        let stock = profile.as_ref().map(|profile| &profile.stock);
        let holding = Holding {
            name: stock.and_then(|stock| stock.name.clone()).or(lot.name),
            shares: position.shares,
            average_cost: position.average_cost(),
            isin: stock.and_then(|stock| stock.isin.clone()).or(lot.isin),
            instrument_type: stock.and_then(|stock| stock.instrument_type.clone()),
            sector: stock.and_then(|stock| stock.sector.clone()),
            portfolio: book.account.label(lot.portfolio_id),
            symbol: lot.symbol,
        };
        holdings.push((position.opened, position.opened_sequence, holding));
    }
    holdings.sort_by_key(|(opened, sequence, _)| (*opened, *sequence));
    Ok(holdings.into_iter().map(|(_, _, holding)| holding).collect())
}
