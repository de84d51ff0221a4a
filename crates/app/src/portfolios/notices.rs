//! What users should know about their positions: splits that contradict their transactions.

use std::collections::BTreeSet;

use ledger::Split;
use store::{Tx, entries, positions};
use uuid::Uuid;

use crate::book::lots;
use crate::book::refresh::Market;
use crate::portfolios::account::Account;
use crate::{App, Error};

/// A split that was not applied, because more shares would then have left than were held. The user can record the split or
/// correct the transactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub symbol: String,
    /// The name of its portfolio.
    pub portfolio: String,
    pub split: Split,
}

/// In the order of the holdings, then of the splits.
pub async fn notices(app: &App, user_id: Uuid) -> Result<Vec<Notice>, Error> {
    let mut tx = app.store.read().await?;
    let account = Account::load(&mut tx, user_id, None).await?;
    let notice = |(portfolio_id, symbol, split)| Notice { symbol, portfolio: account.name_of(portfolio_id).to_owned(), split };
    Ok(unapplied_splits(&mut tx, user_id).await?.into_iter().map(notice).collect())
}

/// With portfolio and symbol.
pub(crate) async fn unapplied_splits(tx: &mut Tx, user_id: Uuid) -> Result<Vec<(Uuid, String, Split)>, Error> {
    let splits = positions::splits(tx, user_id).await?;
    // Only a split that takes shares away can leave too few.
    let reverse = splits.iter().filter(|(_, split)| split.ratio.new < split.ratio.old);
    let symbols: Vec<&str> = reverse.map(|(symbol, _)| symbol.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    if symbols.is_empty() {
        return Ok(Vec::new());
    }
    let market = Market::of_symbols(tx, &symbols).await?;
    let mut unapplied = Vec::new();
    for lot in lots::gather(&entries::of_symbols(tx, user_id, &symbols).await?)? {
        let splits = market.traded(&lot.symbol).splits;
        let possible = ledger::possible_splits(&lot.entries, splits);
        let left_out = splits.iter().filter(|split| !possible.contains(split));
        unapplied.extend(left_out.map(|split| (lot.portfolio_id, lot.symbol.clone(), *split)));
    }
    Ok(unapplied)
}
