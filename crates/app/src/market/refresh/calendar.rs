//! Declared dividends of all tracked stocks in a few requests, from providers that list them by day.

use std::collections::{BTreeMap, BTreeSet};
use store::WriteLock;

use jiff::ToSpan;
use jiff::civil::Date;
use market::validation::{self, Source};
use market::{Announcement, Dividend};
use store::refreshes::Topic;
use store::stocks;
use store::{Tx, tracking};

use super::history::put_dividends;
use super::rejected::store_rejected;
use super::{Lease, Outcome, known, stock_changed};
use crate::{App, Error};

/// Corrections come in the days around the ex-date; little is declared more than three months ahead.
const DAYS_BACK: i32 = 7;
/// Providers limit the size of an answer.
const DAYS_A_REQUEST: i32 = 30;
const REQUESTS: i32 = 3;

pub(crate) async fn refresh(app: &App, lease: Lease<'_>) -> Result<Outcome, Error> {
    let first = app.clock.today().saturating_sub(DAYS_BACK.days());
    let mut announced: Vec<(&'static str, Announcement)> = Vec::new();
    let mut from = first;
    for _ in 0..REQUESTS {
        let to = from.saturating_add((DAYS_A_REQUEST - 1).days());
        match app.sources().market.calendar(from, to).await {
            Ok(found) => announced.extend(found.answer.into_iter().map(|one| (found.provider, one))),
            Err(failure) => return lease.end_without_data(app, Outcome::from(&failure)).await,
        }
        from = to.saturating_add(1.day());
    }
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    if !lease.end(app, &mut tx, &Outcome::Done).await? {
        return Ok(Outcome::Lost);
    }
    let tracked: BTreeSet<String> = tracking::tracked_symbols(&mut tx).await?.into_iter().collect();
    let last = from.saturating_sub(1.day());
    for ((provider, symbol), rows) in by_stock(announced, &tracked) {
        store(app, &mut tx, provider, &symbol, &rows, (first, last)).await?;
    }
    tx.commit().await?;
    Ok(Outcome::Done)
}

fn by_stock(
    announced: Vec<(&'static str, Announcement)>,
    tracked: &BTreeSet<String>,
) -> BTreeMap<(&'static str, String), Vec<Dividend>> {
    let mut stocks: BTreeMap<(&'static str, String), Vec<Dividend>> = BTreeMap::new();
    for (provider, one) in announced.into_iter().filter(|(_, one)| tracked.contains(&one.symbol)) {
        stocks.entry((provider, one.symbol)).or_default().push(one.dividend);
    }
    stocks
}

async fn store(
    app: &App,
    tx: &mut Tx,
    provider: &str,
    symbol: &str,
    rows: &[Dividend],
    (first, last): (Date, Date),
) -> Result<(), Error> {
    let Some(stock) = stocks::by_symbol(tx, symbol).await? else { return Ok(()) };
    let known = known::of_stock(tx, &stock).await?;
    let validated = validation::dividends(&known, &[], rows, app.clock.today());
    store_rejected(tx, symbol, Topic::Calendar, provider, validated.rejected, app.clock.now_micros()).await?;
    let source = Source::Provider { name: provider, from: first, to: last };
    if put_dividends(app, tx, symbol, &known.dividends, source, validated.rows).await? {
        stock_changed(tx, symbol).await?;
    }
    Ok(())
}
