//! Validates facts about an instrument.

use ledger::Decimal;

use super::isin::isin;
use super::scale::far_apart;
use super::{Known, Reason, Rejection, Validated};
use crate::provider::Profile;

const TEXT_MAX: usize = 200;
const PAYOUT_MAX: Decimal = Decimal::from_parts(50, 0, 0, false, 0);

/// Rejected fields become `None`.
pub fn profile(known: &Known, answer: &Profile) -> Validated<Profile> {
    let mut rows = answer.clone();
    let mut rejected = Vec::new();
    texts(&mut rows);
    money(known, &mut rows, &mut rejected);
    ratios(&mut rows, &mut rejected);
    code(&mut rows, &mut rejected);
    Validated { rows, rejected }
}

fn texts(rows: &mut Profile) {
    let Profile { name, exchange, kind, isin, country, sector, industry, instrument_type, .. } = rows;
    for text in [name, exchange, kind, isin, country, sector, industry, instrument_type] {
        *text = text.take().and_then(|text| plain(&text));
    }
}

pub(super) fn plain(text: &str) -> Option<String> {
    let visible = text.replace(char::is_control, "");
    let short: String = visible.trim().chars().take(TEXT_MAX).collect();
    Some(short.trim_end().to_owned()).filter(|text| !text.is_empty())
}

fn money(known: &Known, rows: &mut Profile, rejected: &mut Vec<Rejection>) {
    let other = rows.unit.zip(known.unit).filter(|(unit, known)| unit.currency != known.currency);
    if let Some((unit, known)) = other {
        let (expected, found) = (known.currency.to_string(), unit.currency.to_string());
        let reason = Reason::OtherCurrency { expected, found };
        rejected.push(Rejection::new("unit", unit.name(), reason.clone()));
        rows.unit = None;
        for (field, figure) in figures(rows) {
            reject(field, figure, &reason, rejected);
        }
        return;
    }
    reject_if(forward_doubt(known, rows.forward_rate), "forward_rate", &mut rows.forward_rate, rejected);
    let [_, prices @ ..] = figures(rows);
    for (field, figure) in prices {
        reject_if(price_doubt(known, *figure), field, figure, rejected);
    }
    if let Some((low, high)) = rows.low52.zip(rows.high52).filter(|(low, high)| low > high) {
        let reason = Reason::LowAboveHigh { low: low.to_string(), high: high.to_string() };
        reject("low52", &mut rows.low52, &reason, rejected);
        reject("high52", &mut rows.high52, &reason, rejected);
    }
}

fn figures(rows: &mut Profile) -> [(&'static str, &mut Option<Decimal>); 5] {
    let Profile { forward_rate, ma50, ma200, low52, high52, .. } = rows;
    [("forward_rate", forward_rate), ("ma50", ma50), ("ma200", ma200), ("low52", low52), ("high52", high52)]
}

fn forward_doubt(known: &Known, rate: Option<Decimal>) -> Option<Reason> {
    let rate = rate?;
    if rate < Decimal::ZERO {
        return Some(Reason::Negative);
    }
    if let Some(price) = known.price.filter(|price| rate > *price) {
        return Some(Reason::RateAbovePrice { price: price.to_string() });
    }
    let stored = known.forward_rate.filter(|stored| *stored > Decimal::ZERO && far_apart(rate, *stored))?;
    Some(Reason::FarFromStoredRate { stored: stored.to_string() })
}

fn price_doubt(known: &Known, figure: Option<Decimal>) -> Option<Reason> {
    let figure = figure?;
    if figure <= Decimal::ZERO {
        return Some(Reason::NotPositive);
    }
    let price = known.price.filter(|price| far_apart(figure, *price))?;
    Some(Reason::FarFromPrice { price: price.to_string() })
}

fn ratios(rows: &mut Profile, rejected: &mut Vec<Rejection>) {
    let payout = rows.payout_ratio.is_some_and(|ratio| ratio < Decimal::ZERO || ratio > PAYOUT_MAX);
    reject_if(payout.then_some(Reason::PayoutOutOfRange), "payout_ratio", &mut rows.payout_ratio, rejected);
    let average = rows.yield_avg_5y_pct.is_some_and(|pct| pct < Decimal::ZERO || pct > Decimal::ONE_HUNDRED);
    reject_if(average.then_some(Reason::YieldOutOfRange), "yield_avg_5y_pct", &mut rows.yield_avg_5y_pct, rejected);
    // A company with a loss has no P/E, whatever the provider computes.
    rows.pe = rows.pe.filter(|pe| *pe > Decimal::ZERO);
}

fn code(rows: &mut Profile, rejected: &mut Vec<Rejection>) {
    let Some(text) = rows.isin.take() else { return };
    rows.isin = isin(&text);
    if rows.isin.is_none() {
        rejected.push(Rejection::new("isin", text, Reason::MalformedIsin));
    }
}

fn reject_if(reason: Option<Reason>, field: &str, figure: &mut Option<Decimal>, rejected: &mut Vec<Rejection>) {
    if let Some(reason) = reason {
        reject(field, figure, &reason, rejected);
    }
}

fn reject(field: &str, figure: &mut Option<Decimal>, reason: &Reason, rejected: &mut Vec<Rejection>) {
    if let Some(value) = figure.take() {
        rejected.push(Rejection::new(field, value, reason.clone()));
    }
}
