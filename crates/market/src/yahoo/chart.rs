//! v8 chart: closes, dividends and splits in one answer, and a fallback price.

mod wire;

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
use ledger::{Decimal, QuoteUnit, Ratio};

use super::events::{Event, Paid};
use super::{answer, quote};
use crate::fault::{Detail, Fault};
use crate::figure::{self, Figure, brief};
use crate::http_client::Response;
use crate::provider::{Dividend, Quote, Split};
use wire::{Amount, Meta, SplitEvent, Wire};

/// Even one payment on every trading day makes fewer in seventy years.
const EVENTS_MAX: usize = 20_000;

/// Everything since the requested day, oldest first.
#[derive(Debug, Default, PartialEq)]
pub struct Chart {
    pub dividends: Vec<Dividend>,
    pub splits: Vec<Split>,
    pub closes: Vec<(Date, Decimal)>,
}

pub fn parse(response: &Response, since: Date) -> Result<Chart, Fault> {
    match answer::read::<Wire>(response) {
        Ok(charts) => charts.into_iter().next().ok_or(Fault::Unknown)?.chart(since),
        // The symbol is known, but was not traded in this period.
        Err(_) if String::from_utf8_lossy(&response.bytes).contains("Data doesn't exist for startDate") => Ok(Chart::default()),
        Err(fault) => Err(fault),
    }
}

/// The price in the header of a chart, which needs no crumb.
pub fn parse_quote(response: &Response, symbol: &str) -> Result<Quote, Fault> {
    let meta = answer::read::<Wire>(response)?.into_iter().next().ok_or(Fault::Unknown)?.meta;
    let price = meta.regular_market_price.filter(|price| *price > Decimal::ZERO).ok_or(Fault::Unknown)?;
    quote::priced(symbol.to_owned(), price, meta.currency.as_deref(), meta.regular_market_time)
}

impl Wire {
    fn chart(self, since: Date) -> Result<Chart, Fault> {
        let zone = self.meta.zone()?;
        let events = self.events.unwrap_or_default();
        let bars = self.indicators.and_then(|indicators| indicators.quote.into_iter().next()).and_then(|bars| bars.close);
        let (times, bars) = (self.timestamp.unwrap_or_default(), bars.unwrap_or_default());
        if times.is_empty() && events.dividends.is_empty() && events.capital_gains.is_empty() && events.splits.is_empty() {
            return Ok(Chart::default());
        }
        let count = events.dividends.len() + events.capital_gains.len() + events.splits.len();
        if count > EVENTS_MAX {
            return Err(Fault::Malformed(Detail::TooManyEvents { symbol: brief(&self.meta.symbol), count }));
        }
        let unit = quote::unit(&self.meta.symbol, self.meta.currency.as_deref())?;
        let splits = splits(&events.splits, &zone)?;
        let closes = closes(&times, &bars, self.meta.unfinished(), &zone)?;
        let paid = Paid {
            dividends: amounts(&events.dividends, &self.meta.symbol, unit, &zone)?,
            gains: amounts(&events.capital_gains, &self.meta.symbol, unit, &zone)?,
            splits: &splits,
            closes: &closes,
        };
        let dividends = paid.dividends(unit)?.into_iter().filter(|dividend| dividend.ex_date >= since).collect();
        let closes = closes.into_iter().filter(|(date, _)| *date >= since).map(|(date, close)| (date, unit.normalise(close)));
        let closes = closes.collect();
        Ok(Chart { dividends, closes, splits: splits.into_iter().filter(|split| split.date >= since).collect() })
    }
}

impl Meta {
    /// The time zone's rules, or at least its current offset from UTC: exchanges open far from midnight.
    fn zone(&self) -> Result<TimeZone, Fault> {
        let named = self.exchange_timezone_name.as_deref().and_then(|name| TimeZone::get(name).ok());
        let offset = || self.gmtoffset.and_then(|seconds| Offset::from_seconds(seconds).ok()).map(TimeZone::fixed);
        named.or_else(offset).ok_or_else(|| Fault::missing("exchangeTimezoneName", &self.symbol))
    }

    /// While the exchange is open, the newest bar is not a close yet.
    fn unfinished(&self) -> Option<i64> {
        let regular = &self.current_trading_period.as_ref()?.regular;
        let last = i64::try_from(self.regular_market_time?.trunc()).ok()?;
        (regular.start..regular.end).contains(&last).then_some(regular.start)
    }
}

/// The last close of each day; days without trades are null. If there are not as many times as closes, only complete pairs count.
fn closes(
    times: &[i64],
    bars: &[Option<Figure>],
    unfinished: Option<i64>,
    zone: &TimeZone,
) -> Result<BTreeMap<Date, Decimal>, Fault> {
    let mut closes = BTreeMap::new();
    for (time, close) in times.iter().zip(bars) {
        let Some(Figure(close)) = close else { continue };
        if *close > Decimal::ZERO && unfinished.is_none_or(|start| *time < start) {
            closes.insert(date(*time, zone)?, figure::from_single(*close).unwrap_or(*close));
        }
    }
    Ok(closes)
}

fn splits(events: &BTreeMap<String, SplitEvent>, zone: &TimeZone) -> Result<Vec<Split>, Fault> {
    let mut splits = Vec::new();
    for event in events.values() {
        let date = date(event.date, zone)?;
        let ratio = event.ratio().ok_or_else(|| Fault::missing("splitRatio", date))?;
        splits.push(Split { date, ratio });
    }
    splits.sort_by_key(|split| split.date);
    splits.dedup();
    Ok(splits)
}

impl SplitEvent {
    fn ratio(&self) -> Option<Ratio> {
        let positive = |side: Option<Decimal>| side.filter(|side| *side > Decimal::ZERO);
        match (positive(self.numerator), positive(self.denominator)) {
            (Some(new), Some(old)) => Some(Ratio { new, old }),
            _ => Ratio::parse(&self.split_ratio.as_deref()?.replace('/', ":")),
        }
    }
}

fn amounts(events: &BTreeMap<String, Amount>, symbol: &str, unit: QuoteUnit, zone: &TimeZone) -> Result<Vec<Event>, Fault> {
    let mut amounts = Vec::new();
    for Amount { amount, date: second, currency } in events.values() {
        let named = currency.as_deref().map(|currency| quote::unit(symbol, Some(currency))).transpose()?;
        let foreign = named.filter(|named| named.currency != unit.currency);
        amounts.push(Event { date: date(*second, zone)?, amount: amount.0, foreign });
    }
    amounts.sort_unstable_by_key(|event| (event.date, event.amount));
    Ok(amounts)
}

/// The exchange's own day: when Sydney opens, it is still yesterday in UTC.
fn date(second: i64, zone: &TimeZone) -> Result<Date, Fault> {
    let instant = Timestamp::from_second(second).map_err(|_| Fault::invalid("date", second, ""))?;
    Ok(instant.to_zoned(zone.clone()).date())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absurd_number_of_dividends_is_refused_before_comparing_them() {
        let chart = |dividends: usize| {
            let events: Vec<String> =
                (0..dividends).map(|day| format!(r#""{day}":{{"amount":1,"date":{}}}"#, day * 86_400)).collect();
            let meta = r#"{"symbol":"FUND","currency":"USD","exchangeTimezoneName":"America/New_York"}"#;
            let wire = format!(r#"{{"meta":{meta},"events":{{"dividends":{{{}}}}}}}"#, events.join(","));
            serde_json::from_str::<Wire>(&wire).unwrap().chart(Date::MIN)
        };
        assert!(chart(100).is_ok());
        assert_eq!(
            chart(EVENTS_MAX + 1),
            Err(Fault::Malformed(Detail::TooManyEvents { symbol: "FUND".to_owned(), count: 20_001 }))
        );
    }
}
