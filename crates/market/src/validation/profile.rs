//! Facts about an instrument.

use ledger::Decimal;

use super::isin::isin;
use super::scale::far_apart;
use super::{Held, Known, Sifted};
use crate::provider::Profile;

const TEXT_MAX: usize = 200;
const PAYOUT_MAX: Decimal = Decimal::from_parts(50, 0, 0, false, 0);

/// Fields held back become none.
pub fn profile(known: &Known, answer: &Profile) -> Sifted<Profile> {
    let mut rows = answer.clone();
    let mut held = Vec::new();
    texts(&mut rows);
    money(known, &mut rows, &mut held);
    ratios(&mut rows, &mut held);
    code(&mut rows, &mut held);
    Sifted { rows, held }
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

fn money(known: &Known, rows: &mut Profile, held: &mut Vec<Held>) {
    let other = rows.unit.zip(known.unit).filter(|(unit, known)| unit.currency != known.currency);
    if let Some((unit, known)) = other {
        let reason = format!("the stock trades in {}, this is in {}", known.currency, unit.currency);
        held.push(Held::new("unit", unit.name(), &reason));
        rows.unit = None;
        for (field, figure) in figures(rows) {
            hold_if(true, field, figure, &reason, held);
        }
        return;
    }
    hold_if_some(forward_doubt(known, rows.forward_rate), "forward_rate", &mut rows.forward_rate, held);
    let [_, prices @ ..] = figures(rows);
    for (field, figure) in prices {
        hold_if_some(price_doubt(known, *figure), field, figure, held);
    }
    if let Some((low, high)) = rows.low52.zip(rows.high52).filter(|(low, high)| low > high) {
        let reason = format!("the lowest price of a year, {low}, is above the highest, {high}");
        hold_if(true, "low52", &mut rows.low52, &reason, held);
        hold_if(true, "high52", &mut rows.high52, &reason, held);
    }
}

fn figures(rows: &mut Profile) -> [(&'static str, &mut Option<Decimal>); 5] {
    let Profile { forward_rate, ma50, ma200, low52, high52, .. } = rows;
    [("forward_rate", forward_rate), ("ma50", ma50), ("ma200", ma200), ("low52", low52), ("high52", high52)]
}

fn forward_doubt(known: &Known, rate: Option<Decimal>) -> Option<String> {
    let rate = rate?;
    if rate < Decimal::ZERO {
        return Some("a yearly dividend is not below zero".to_owned());
    }
    if let Some(price) = known.price.filter(|price| rate > *price) {
        return Some(format!("a yearly dividend above the price of {price}; perhaps pence were taken for whole units"));
    }
    let stored = known.forward_rate.filter(|stored| *stored > Decimal::ZERO && far_apart(rate, *stored))?;
    Some(format!("the stored rate is {stored}: more than 50 times apart; perhaps pence were taken for whole units"))
}

fn price_doubt(known: &Known, figure: Option<Decimal>) -> Option<String> {
    let figure = figure?;
    if figure <= Decimal::ZERO {
        return Some("a price is above zero".to_owned());
    }
    let price = known.price.filter(|price| far_apart(figure, *price))?;
    Some(format!("the price is {price}: more than 50 times apart; perhaps pence were taken for whole units"))
}

fn ratios(rows: &mut Profile, held: &mut Vec<Held>) {
    let payout = rows.payout_ratio.is_some_and(|ratio| ratio < Decimal::ZERO || ratio > PAYOUT_MAX);
    hold_if(payout, "payout_ratio", &mut rows.payout_ratio, "a payout ratio is a fraction from 0 to 50", held);
    let average = rows.yield_avg_5y_pct.is_some_and(|pct| pct < Decimal::ZERO || pct > Decimal::ONE_HUNDRED);
    hold_if(average, "yield_avg_5y_pct", &mut rows.yield_avg_5y_pct, "a yield is from 0 to 100 percent", held);
    // A company at a loss has none, whatever the provider makes of it.
    rows.pe = rows.pe.filter(|pe| *pe > Decimal::ZERO);
}

fn code(rows: &mut Profile, held: &mut Vec<Held>) {
    let Some(text) = rows.isin.take() else { return };
    rows.isin = isin(&text);
    if rows.isin.is_none() {
        held.push(Held::new("isin", text, "not an ISIN: its check digit or its shape is wrong"));
    }
}

fn hold_if_some(reason: Option<String>, field: &str, figure: &mut Option<Decimal>, held: &mut Vec<Held>) {
    if let Some(reason) = reason {
        hold_if(true, field, figure, &reason, held);
    }
}

fn hold_if(doubtful: bool, field: &str, figure: &mut Option<Decimal>, reason: &str, held: &mut Vec<Held>) {
    if let Some(value) = figure.take_if(|_| doubtful) {
        held.push(Held::new(field, value, reason));
    }
}
