//! Dividends: this file has forward income, what the open positions will pay after tax in the user's currency; the modules have
//! those received, expected and upcoming.

pub mod calendar;
pub mod dividends;
pub mod expected;
pub mod home;
pub mod period;
pub mod received;
pub mod status;
pub mod upcoming;
pub mod what_if;

use std::collections::BTreeSet;

use ledger::{Currency, Decimal, Holding, Income, Money};
use store::entries::Entry;
use uuid::Uuid;

use crate::book::{Book, OpenPosition};
use crate::{App, Error};

pub struct Outlook {
    pub income: Income,
    pub preferred: Currency,
    /// Whether sources name their portfolio.
    pub named: bool,
}

/// Of the securities of an import.
pub struct OfImport {
    pub payers: usize,
    pub net: Money,
    /// Symbols about whose dividends nothing is known.
    pub without_data: Vec<String>,
}

pub async fn of_import(app: &App, user_id: Uuid, entries: &[Entry]) -> Result<OfImport, Error> {
    let symbols: BTreeSet<&str> = entries.iter().map(|entry| entry.symbol.as_str()).collect();
    let Outlook { income, preferred, .. } = outlook(app, user_id, None, 0, false).await?;
    let nets: Vec<_> =
        income.sources.iter().filter(|source| symbols.contains(&*source.symbol)).map(|source| source.net_income).collect();
    let net = nets.iter().copied().try_fold(Decimal::ZERO, ledger::money::add)?;
    let mut without_data = income.coverage.without_data;
    without_data.retain(|symbol| symbols.contains(&**symbol));
    Ok(OfImport { payers: nets.len(), net: Money::new(net, preferred), without_data })
}

pub async fn outlook(app: &App, user_id: Uuid, portfolio: Option<&str>, years: u32, drip: bool) -> Result<Outlook, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let held = book.open_positions().await?;
    of_held(&book, &held, years, drip)
}

/// The symbols of open positions about whose dividends nothing is known, each once.
pub async fn without_data(app: &App, user_id: Uuid, portfolio: Option<&str>) -> Result<Vec<String>, Error> {
    let held = Book::open(app, user_id, portfolio).await?.open_positions().await?;
    let symbols: BTreeSet<String> = held.iter().filter(|held| !held.has_data()).map(|held| held.holding.symbol.clone()).collect();
    Ok(symbols.into_iter().collect())
}

pub(crate) fn of_held(book: &Book<'_>, held: &[OpenPosition], years: u32, drip: bool) -> Result<Outlook, Error> {
    let income = compute(book, held, years, drip)?;
    Ok(Outlook { income, preferred: book.account.user.preferred_currency, named: book.account.names_portfolios() })
}

/// The income of these positions. Sources always name their portfolio.
pub(crate) fn compute(book: &Book<'_>, held: &[OpenPosition], years: u32, drip: bool) -> Result<Income, Error> {
    let holdings: Vec<Holding<'_>> = held.iter().map(|held| holding(book, held)).collect();
    Ok(ledger::income(&holdings, book.account.user.preferred_currency, &book.fx, book.today, years, drip)?)
}

fn holding<'b>(book: &'b Book<'_>, held: &'b OpenPosition) -> Holding<'b> {
    let metrics = held.metrics();
    Holding {
        withholding: held.withholding,
        portfolio: book.account.name_of(held.holding.portfolio_id),
        currency: held.position.currency,
        shares: held.position.shares,
        price: held.profile.as_ref().and_then(|profile| profile.stock.price),
        forward_rate: metrics.map(|metrics| metrics.forward_rate).unwrap_or_default(),
        rate_currency: metrics.map_or(held.position.currency, |metrics| metrics.rate_currency),
        kind: held.kind(),
        basis: held.basis(),
        has_data: held.has_data(),
        growth: metrics.and_then(|metrics| metrics.growth),
        cagr_5y: metrics.and_then(|metrics| metrics.cagr_5y),
        streak_years: metrics.and_then(|metrics| metrics.streak_years),
        streak_at_least: metrics.is_some_and(|metrics| metrics.streak_at_least),
        yield_fraction: metrics.and_then(|metrics| metrics.yield_fraction),
        payment_months: held.payment_months(),
        symbol: &held.holding.symbol,
    }
}
