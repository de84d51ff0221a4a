//! Exchange rates.

use std::collections::HashMap;
use store::WriteLock;

use jiff::ToSpan;
use jiff::civil::{Date, date};
use ledger::{Currency, Decimal};
use market::Rate;
use market::validation::{Reason, Rejection};
use store::refreshes::Topic;
use store::{Tx, fx_rates, provenance, versions};

use super::rejected::store_rejected;
use super::{Lease, Outcome, plan};
use crate::{App, Error};

/// The first day of the euro.
const FIRST: Date = date(1999, 1, 4);
/// How far back the rate may be that a new one is compared with.
const COMPARED_DAYS: i32 = 10;

pub(crate) async fn refresh(app: &App, lease: Lease<'_>) -> Result<Outcome, Error> {
    let newest = newest(&mut app.store.read().await?, app.clock.today()).await?;
    // A few rates loaded by hand are no history: without the past a ledger cannot be valued.
    let since = match (lease.claim.done_at, newest) {
        (Some(_), Some(newest)) => newest.saturating_add(1.day()),
        _ => FIRST,
    };
    let found = match app.sources().market.rates(since).await {
        Ok(found) => found,
        Err(failure) => return lease.end_without_data(app, Outcome::from(&failure)).await,
    };
    let published = found.answer.iter().map(|rate| rate.date).max().max(newest);
    let late = published.is_none_or(|day| day < plan::last_publication(app.clock.now()));
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    let outcome = if late { Outcome::Late } else { Outcome::Done };
    if !lease.end(app, &mut tx, &outcome).await? {
        return Ok(Outcome::Lost);
    }
    let stored = fx_rates::since(&mut tx, since.saturating_sub(COMPARED_DAYS.days())).await?;
    let (new, rejected) = validate(&stored, &found.answer);
    store_rejected(&mut tx, "", Topic::Rates, found.provider, rejected, app.clock.now_micros()).await?;
    if !new.is_empty() {
        fx_rates::upsert(&mut tx, &new).await?;
        provenance::put(&mut tx, "", &[("rates", found.provider)], app.clock.now_micros()).await?;
        versions::bump_rates(&mut tx).await?;
        versions::bump_market(&mut tx).await?;
    }
    tx.commit().await?;
    Ok(outcome)
}

/// The last day that most currencies have: a single one from the operator's files may be ahead, and a discontinued one is years
/// behind.
async fn newest(tx: &mut Tx, today: Date) -> Result<Option<Date>, Error> {
    let mut days: Vec<Date> = fx_rates::latest(tx, today).await?.into_iter().map(|(_, date, _)| date).collect();
    days.sort_unstable();
    Ok(days.get(days.len() / 2).copied())
}

/// New and changed rates; a rate of three times or a third of the one before it within ten days is rejected.
fn validate(stored: &[fx_rates::Rate], answer: &[Rate]) -> (Vec<fx_rates::Rate>, Vec<Rejection>) {
    let known: HashMap<(Currency, Date), Decimal> =
        stored.iter().map(|(currency, date, rate)| ((*currency, *date), *rate)).collect();
    let mut last: HashMap<Currency, (Date, Decimal)> = HashMap::new();
    let mut answer: Vec<&Rate> = answer.iter().collect();
    answer.sort_by_key(|rate| rate.date);
    let earliest = answer.first().map(|rate| rate.date);
    for (currency, date, rate) in stored.iter().filter(|row| Some(row.1) < earliest) {
        last.insert(*currency, (*date, *rate));
    }
    let (mut new, mut rejected) = (Vec::new(), Vec::new());
    for rate in answer {
        if let Some((date, before)) = last.get(&rate.currency)
            && rate.date.duration_since(*date).as_hours() <= 10 * 24
            && !similar(*before, rate.rate)
        {
            let reason = Reason::ExchangeRateJumped { before: before.to_string(), date: date.to_string() };
            rejected.push(Rejection { field: format!("{} {}", rate.currency, rate.date), value: rate.rate.to_string(), reason });
            continue;
        }
        last.insert(rate.currency, (rate.date, rate.rate));
        if known.get(&(rate.currency, rate.date)) != Some(&rate.rate) {
            new.push((rate.currency, rate.date, rate.rate));
        }
    }
    (new, rejected)
}

fn similar(before: Decimal, after: Decimal) -> bool {
    let three = Decimal::from(3);
    let below = |small: Decimal, large: Decimal| small.checked_mul(three).is_some_and(|limit| large <= limit);
    below(before, after) && below(after, before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(day: i8, figure: &str) -> Rate {
        Rate { currency: Currency::parse("USD").unwrap(), date: date(2026, 3, day), rate: figure.parse().unwrap() }
    }

    #[test]
    fn only_new_and_changed_rates_are_stored() {
        let usd = Currency::parse("USD").unwrap();
        let stored = [(usd, date(2026, 3, 2), "1.10".parse().unwrap()), (usd, date(2026, 3, 3), "1.11".parse().unwrap())];
        let (new, rejected) = validate(&stored, &[rate(4, "1.13"), rate(3, "1.12"), rate(2, "1.10")]);
        let days: Vec<_> = new.iter().map(|(_, day, figure)| (day.day(), figure.to_string())).collect();
        assert_eq!(days, [(3, "1.12".to_owned()), (4, "1.13".to_owned())]);
        assert!(rejected.is_empty());
    }

    #[test]
    fn a_rate_that_jumps_threefold_is_rejected_and_the_next_good_one_is_taken() {
        let usd = Currency::parse("USD").unwrap();
        let stored = [(usd, date(2026, 3, 2), "1.10".parse().unwrap())];
        let (new, rejected) = validate(&stored, &[rate(3, "110"), rate(4, "1.12")]);
        assert_eq!(new.len(), 1);
        assert_eq!((rejected[0].field.as_str(), rejected[0].value.as_str()), ("USD 2026-03-03", "110"));
    }
}
