//! Prices.

use jiff::Timestamp;
use market::validation::{self, Known};
use market::{Found, Quote, Urgency};
use store::WriteLock;
use store::refreshes::{Refresh, Topic};
use store::stocks::{self, Stock};
use store::{Tx, provenance, versions};

use super::rejected::store_rejected;
use super::{Cause, Lease, Outcome, known};
use crate::matching::ask;
use crate::stocks::listed;
use crate::{App, Error};

/// An ISIN has no price, but a provider may know which stock has it.
pub(crate) async fn refresh(app: &App, holder: &str, claims: &[Refresh]) -> Result<Vec<(String, Outcome)>, Error> {
    let (isins, claims): (Vec<&Refresh>, Vec<&Refresh>) =
        claims.iter().partition(|claim| validation::isin(&claim.symbol).is_some());
    let mut outcomes = if claims.is_empty() { Vec::new() } else { prices(app, holder, &claims).await? };
    for claim in isins {
        let outcome = ask::provider(app, &claim.symbol).await?;
        outcomes.push((claim.symbol.clone(), Lease { holder, claim }.end_without_data(app, outcome).await?));
    }
    Ok(outcomes)
}

/// In as few requests as the providers allow, stored in one transaction: answers change once, not once per stock.
async fn prices(app: &App, holder: &str, claims: &[&Refresh]) -> Result<Vec<(String, Outcome)>, Error> {
    let symbols: Vec<String> = claims.iter().map(|claim| claim.symbol.clone()).collect();
    let quotes = app.sources().market.quotes(&symbols, Urgency::Background).await;
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    let mut outcomes = Vec::new();
    let mut changed = false;
    for claim in claims {
        let found = quotes.found.iter().find(|found| found.answer.symbol == claim.symbol);
        let outcome = match (found, quotes.failed.get(&claim.symbol)) {
            (Some(_), _) => Outcome::Done,
            (None, Some(failure)) => Outcome::from(failure),
            (None, None) => Outcome::Unknown(Cause::UnknownSymbol),
        };
        if !(Lease { holder, claim }).end(app, &mut tx, &outcome).await? {
            outcomes.push((claim.symbol.clone(), Outcome::Lost));
            continue;
        }
        if let Some(found) = found {
            changed |= accept(&mut tx, found, app.clock.now()).await? == Accepted::Changed;
        }
        outcomes.push((claim.symbol.clone(), outcome));
    }
    if changed {
        versions::bump_market(&mut tx).await?;
    }
    tx.commit().await?;
    Ok(outcomes)
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Accepted {
    /// Answers may change; the caller raises the market version, once.
    Changed,
    Same,
    Rejected,
}

/// Stores a plausible quote, and rejects any other.
pub(crate) async fn accept(tx: &mut Tx, found: &Found<Quote>, now: Timestamp) -> Result<Accepted, Error> {
    let quote = &found.answer;
    let Some(stock) = stocks::by_symbol(tx, &quote.symbol).await? else { return Ok(Accepted::Same) };
    let stock = listed::doubted(tx, stock, Some(quote.unit)).await?;
    let known = known::of_price(tx, &stock).await?;
    let rejected: Vec<_> = validation::quote(&known, quote, now).err().into_iter().collect();
    let believed = rejected.is_empty();
    let not_newer = known.price_as_of.is_some_and(|at| quote.as_of <= at);
    store_rejected(
        tx,
        &quote.symbol,
        Topic::Quote,
        found.provider,
        if not_newer { Vec::new() } else { rejected },
        now.as_microsecond(),
    )
    .await?;
    if !believed {
        return Ok(Accepted::Rejected);
    }
    let adopted = adopt(tx, stock, quote).await?;
    let changed = stocks::set_price(tx, &quote.symbol, quote.price, quote.as_of.as_microsecond()).await?;
    if changed {
        provenance::put(tx, &quote.symbol, &[("price", found.provider)], now.as_microsecond()).await?;
    }
    Ok(if changed || adopted { Accepted::Changed } else { Accepted::Same })
}

/// Whether a quote may be shown before it is stored: the same validation, with the data in memory.
pub(crate) fn plausible(stock: &Stock, quote: &Quote, now: Timestamp) -> bool {
    let known = Known {
        // Also for a placeholder: until it is adopted, its prices are in the ledger's currency.
        unit: Some(stock.quote_unit),
        price: stock.price,
        price_as_of: None,
        forward_rate: stock.forward_rate,
        dividends: Vec::new(),
        splits: Vec::new(),
        fund: false,
    };
    validation::quote(&known, quote, now).is_ok()
}

/// A symbol that only a ledger had becomes a stock: the exchange determines its currency.
async fn adopt(tx: &mut Tx, stock: Stock, quote: &Quote) -> Result<bool, Error> {
    if !stock.placeholder {
        return Ok(false);
    }
    let stock = Stock { currency: quote.unit.currency, quote_unit: quote.unit, placeholder: false, ..stock };
    provenance::remove(tx, &stock.symbol, &[listed::CURRENCY]).await?;
    stocks::upsert(tx, &[stock]).await?;
    versions::bump_listings(tx).await?;
    Ok(true)
}
