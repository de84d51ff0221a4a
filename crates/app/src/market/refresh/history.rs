//! Dividends, splits and closes of one stock.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use ledger::Decimal;
use market::validation::{self, Arrival, Known, KnownDividend, Rejection, Source};
use market::{Dividend, Failure, Found, Split, Urgency};
use store::WriteLock;
use store::refreshes::Topic;
use store::stocks::{self, Stock};
use store::{Tx, prices, provenance, splits, versions};

use super::rejected::store_rejected;
use super::{Cause, Lease, Outcome, known, quotes, stock_changed};
use crate::market::dividends::{self, Removed};
use crate::{App, Error};

/// Everything the first time; later a little more than a year, which covers every correction that providers make.
const YEARS_FIRST: i32 = 30;
const DAYS_LATER: i32 = 400;
/// Sixty month-ends, the current month, and a few more.
const CLOSES_MONTHS: i32 = 63;

struct Answers {
    /// The first day that dividends and closes were requested for.
    since: Date,
    splits: Result<Found<Vec<Split>>, Failure>,
    dividends: Result<Found<Vec<Dividend>>, Failure>,
    closes: Result<Found<Vec<(Date, Decimal)>>, Failure>,
}

pub(crate) async fn refresh(app: &App, lease: Lease<'_>) -> Result<Outcome, Error> {
    let symbol = lease.claim.symbol.as_str();
    let Some(stock) = stocks::by_symbol(&mut app.store.read().await?, symbol).await? else {
        return lease.end_without_data(app, Outcome::Unknown(Cause::NotInUse)).await;
    };
    if stock.placeholder
        && let Some(outcome) = first_quote(app, symbol).await?
    {
        return lease.end_without_data(app, outcome).await;
    }
    let first = lease.claim.done_at.is_none() || lease.claim.failures > 0;
    let answers = ask(app, &stock, first).await?;
    let outcome = answers.outcome();
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    if !lease.end(app, &mut tx, &outcome).await? {
        return Ok(Outcome::Lost);
    }
    store(app, &mut tx, symbol, answers).await?;
    tx.commit().await?;
    Ok(outcome)
}

/// The currency of a stock must be known before its dividends can be read. `Some`: it could not be found out.
async fn first_quote(app: &App, symbol: &str) -> Result<Option<Outcome>, Error> {
    let mut answer = app.sources().market.quotes(&[symbol.to_owned()], Urgency::Background).await;
    let Some(found) = answer.found.pop() else {
        let failure = answer.failed.remove(symbol);
        return Ok(Some(failure.map_or(Outcome::Unknown(Cause::UnknownSymbol), |failure| Outcome::from(&failure))));
    };
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    if quotes::accept(&mut tx, &found, app.clock.now()).await? == quotes::Accepted::Changed {
        versions::bump_market(&mut tx).await?;
    }
    tx.commit().await?;
    Ok(None)
}

async fn ask(app: &App, stock: &Stock, first: bool) -> Result<Answers, Error> {
    let sources = app.sources();
    let (market, symbol, today) = (&sources.market, stock.symbol.as_str(), app.clock.today());
    let all = today.saturating_sub(YEARS_FIRST.years());
    let since = if first { all } else { today.saturating_sub(DAYS_LATER.days()) };
    let splits = market.splits(symbol, since).await;
    // Closes stored before a split are not adjusted for it: after a new split, all of them are requested again.
    let anew = has_new(app, symbol, &splits).await? || split_since_closes(app, symbol, today).await?;
    let since = if anew { all } else { since };
    Ok(Answers { since, dividends: market.dividends(symbol, since).await, closes: market.closes(symbol, since).await, splits })
}

async fn has_new(app: &App, symbol: &str, answer: &Result<Found<Vec<Split>>, Failure>) -> Result<bool, Error> {
    let Ok(found) = answer else { return Ok(false) };
    let stored = splits::of_symbol(&mut app.store.read().await?, symbol).await?;
    // Rejected splits would seem new for ever, and must not cause a full request every day.
    let believed =
        validation::splits(&Known { splits: stored.clone(), ..Known::default() }, &found.answer, app.clock.today()).rows;
    Ok(believed.iter().any(|split| stored.iter().all(|known| known.date != split.date)))
}

/// A split may be known before its day, or have arrived when closes were unavailable.
async fn split_since_closes(app: &App, symbol: &str, today: Date) -> Result<bool, Error> {
    let mut tx = app.store.read().await?;
    let owners = provenance::of_symbol(&mut tx, symbol).await?;
    let seen =
        owners.iter().find(|owner| owner.field == "closes").and_then(|owner| Timestamp::from_microsecond(owner.seen_at).ok());
    let Some(seen) = seen.map(|at| at.to_zoned(TimeZone::UTC).date()) else { return Ok(false) };
    Ok(splits::of_symbol(&mut tx, symbol).await?.iter().any(|split| seen <= split.date && split.date <= today))
}

impl Answers {
    /// Done if nothing is missing that some provider offers.
    fn outcome(&self) -> Outcome {
        let failures = [self.dividends.as_ref().err(), self.splits.as_ref().err(), self.closes.as_ref().err()];
        let real = failures.into_iter().flatten().filter(|failure| !failure.is_unoffered());
        real.map(Outcome::from).next().unwrap_or(Outcome::Done)
    }
}

async fn store(app: &App, tx: &mut Tx, symbol: &str, answers: Answers) -> Result<(), Error> {
    let Some(stock) = stocks::by_symbol(tx, symbol).await? else { return Ok(()) };
    let mut sources: Vec<(&str, &str)> = Vec::new();
    let mut rejected: Vec<(&str, Vec<Rejection>)> = Vec::new();
    let mut changed = false;
    if let Ok(found) = &answers.splits {
        let validated = validation::splits(&known::of_price(tx, &stock).await?, &found.answer, app.clock.today());
        changed |= crate::market::splits::put(app, tx, symbol, &validated.rows).await?;
        sources.push(("splits", found.provider));
        rejected.push((found.provider, validated.rejected));
    }
    if let Ok(found) = &answers.dividends {
        let known = known::of_stock(tx, &stock).await?;
        let own_splits = answers.splits.as_ref().map(|found| found.answer.as_slice()).unwrap_or_default();
        let validated = validation::dividends(&known, own_splits, &found.answer, app.clock.today());
        let source = Source::Provider { name: found.provider, from: answers.since, to: Date::MAX };
        changed |= put_dividends(app, tx, symbol, &known.dividends, source, validated.rows).await?;
        sources.push(("dividends", found.provider));
        rejected.push((found.provider, validated.rejected));
    }
    if let Ok(found) = &answers.closes {
        let validated = validation::closes(&known::of_price(tx, &stock).await?, &found.answer, app.clock.today());
        changed |= put_closes(app, tx, symbol, validated.rows).await?;
        sources.push(("closes", found.provider));
        rejected.push((found.provider, validated.rejected));
    }
    let now = app.clock.now_micros();
    changed |= provenance::put(tx, symbol, &sources, now).await?;
    for (provider, rows) in by_provider(rejected) {
        store_rejected(tx, symbol, Topic::History, provider, rows, now).await?;
    }
    if changed {
        stock_changed(tx, symbol).await?;
    }
    Ok(())
}

/// Stores what a provider says about the days between two dates; true if anything changed.
pub(super) async fn put_dividends(
    app: &App,
    tx: &mut Tx,
    symbol: &str,
    known: &[KnownDividend],
    source: Source<'_>,
    rows: Vec<KnownDividend>,
) -> Result<bool, Error> {
    let rows = Removed::load(tx).await?.without(symbol, rows);
    dividends::put(app, tx, symbol, known, Arrival { source, rows: &rows }, &|provider| app.sources().rank(provider)).await
}

async fn put_closes(app: &App, tx: &mut Tx, symbol: &str, rows: Vec<(Date, Decimal)>) -> Result<bool, Error> {
    let since = app.clock.today().saturating_sub(CLOSES_MONTHS.months());
    let stored: std::collections::HashMap<Date, Decimal> = prices::of_symbol(tx, symbol, since).await?.into_iter().collect();
    let is_new = |(date, close): &(Date, Decimal)| *date >= since && stored.get(date) != Some(close);
    let new: Vec<(Date, Decimal)> = rows.into_iter().filter(is_new).collect();
    prices::upsert(tx, symbol, &new).await?;
    // No figure uses a close of the current month before its last day.
    let today = app.clock.today();
    Ok(new.iter().any(|(date, _)| *date < today.first_of_month() || today == today.last_of_month()))
}

fn by_provider<'a>(rejected: Vec<(&'a str, Vec<Rejection>)>) -> Vec<(&'a str, Vec<Rejection>)> {
    let mut groups: Vec<(&'a str, Vec<Rejection>)> = Vec::new();
    for (provider, rows) in rejected {
        match groups.iter_mut().find(|(name, _)| *name == provider) {
            Some((_, group)) => group.extend(rows),
            None => groups.push((provider, rows)),
        }
    }
    groups
}
