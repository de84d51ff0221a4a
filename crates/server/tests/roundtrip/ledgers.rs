//! Random ledgers as lines of the ledger file: several portfolios, every type, fractions, reversals, other currencies.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use proptest::prelude::*;
use rust_decimal::Decimal;

/// Two files of one account, the second imported after the first.
#[derive(Debug, Clone)]
pub struct Ledger {
    pub earlier: Vec<String>,
    pub later: Vec<String>,
}

const HEADER: &str = "date,portfolio,note,symbol,isin,type,shares,price,amount,fees,tax,net,currency,fx_rate,ratio,ex_date,id";

pub fn file(lines: &[String]) -> String {
    let mut text = format!("{HEADER}\n");
    lines.iter().for_each(|line| text += &format!("{line}\n"));
    text
}

pub fn ledger() -> impl Strategy<Value = Ledger> {
    let lines = |count| prop::collection::vec(line(), count);
    (lines(0..50), lines(0..30))
        .prop_map(|(earlier, later)| Ledger { earlier: with_ids(earlier, "a"), later: with_ids(later, "b") })
}

/// Every third line gets an id of its own.
fn with_ids(lines: Vec<String>, prefix: &str) -> Vec<String> {
    let id = |place: usize| if place.is_multiple_of(3) { format!("{prefix}{place}") } else { String::new() };
    lines.into_iter().enumerate().map(|(place, line)| format!("{line},{}", id(place))).collect()
}

/// One line without its id.
fn line() -> impl Strategy<Value = String> {
    let portfolio = prop::sample::select(vec!["", "Main", "Growth", "growth", "Ümlaut", "\"Long, \"\"quoted\"\"\""]);
    let note = prop::sample::select(vec!["", "by hand", "\"a, \"\"b\"\"\"", "日本"]);
    (day(), portfolio, note, instrument(), event()).prop_map(|(day, portfolio, note, instrument, event)| {
        let Instrument { symbol, isin, currency, foreign, fx_rate } = instrument;
        // A rate belongs to an entry in another currency than the instrument's.
        let (currency, fx_rate) = match foreign {
            Some(other) => (other, fx_rate.unwrap_or_default()),
            None => (currency, String::new()),
        };
        let Event { kind, figures: [shares, price, amount, fees, tax, net], ratio, ex_days } = event;
        let ex_date = ex_days.map(|days| day.saturating_sub(jiff::Span::new().days(days)).to_string()).unwrap_or_default();
        format!(
            "{day},{portfolio},{note},{symbol},{isin},{kind},{shares},{price},{amount},{fees},{tax},{net},{currency},{fx_rate},{ratio},{ex_date}"
        )
    })
}

/// Often one of a few days, so that days have several entries; some are in the future.
fn day() -> impl Strategy<Value = jiff::civil::Date> {
    let first = jiff::civil::date(2021, 3, 1);
    prop_oneof![0..2_150i64, (0..12i64).prop_map(|month| month * 180)]
        .prop_map(move |days| first.saturating_add(jiff::Span::new().days(days)))
}

#[derive(Debug, Clone)]
struct Instrument {
    symbol: &'static str,
    isin: &'static str,
    currency: &'static str,
    foreign: Option<&'static str>,
    /// Empty: by the rate of the day.
    fx_rate: Option<String>,
}

fn instrument() -> impl Strategy<Value = Instrument> {
    let known = prop_oneof![
        Just(("KO", "", "USD")),
        Just(("", "US1912161007", "")),
        Just(("ibe.mc", "", "EUR")),
        Just(("DGE.L", "GB0002374006", "GBp")),
        Just(("DGE.L", "", "GBP")),
        Just(("7203.T", "", "JPY")),
    ];
    let foreign = prop_oneof![3 => Just(None), 1 => Just(Some("CHF")), 1 => Just(Some("EUR"))];
    let rate = prop_oneof![Just(None), figure(5, 3_000_000).prop_map(Some)];
    let known = (known, foreign, rate).prop_map(|((symbol, isin, currency), foreign, fx_rate)| Instrument {
        symbol,
        isin,
        currency,
        // Francs have no rate in the market data of these tests.
        fx_rate: if foreign == Some("CHF") { fx_rate.or(Some("1.08".to_owned())) } else { fx_rate },
        foreign,
    });
    let strange = Just(Instrument { symbol: "STRANGE", isin: "DE000BASF111", currency: "EUR", foreign: None, fx_rate: None });
    prop_oneof![5 => known, 1 => strange]
}

#[derive(Debug, Clone)]
struct Event {
    kind: &'static str,
    /// Shares, price, amount, fees, tax, net.
    figures: [String; 6],
    ratio: String,
    ex_days: Option<i64>,
}

fn event() -> impl Strategy<Value = Event> {
    let none = String::new;
    let plain = move |kind, figures| Event { kind, figures, ratio: none(), ex_days: None };
    let fees = prop_oneof![Just(none()), figure(2, 2_000)];
    let entering = (prop::sample::select(vec!["buy", "buy", "transfer_in"]), figure(6, 500_000_000), figure(4, 5_000_000), fees)
        .prop_map(move |(kind, shares, price, fees)| plain(kind, [shares, price, none(), fees, none(), none()]));
    let by_amount = (figure(3, 50_000), figure(2, 900_000))
        .prop_map(move |(shares, amount)| plain("buy", [shares, none(), amount, none(), none(), none()]));
    let leaving = (prop::sample::select(vec!["sell", "transfer_out"]), figure(4, 100_000), figure(3, 900_000))
        .prop_map(move |(kind, shares, price)| plain(kind, [shares, price, none(), none(), none(), none()]));
    let back =
        figure(2, 10_000).prop_map(move |amount| plain("return_of_capital", [none(), none(), amount, none(), none(), none()]));
    let split = prop::sample::select(vec!["2:1", "3:2", "1:10", "1.05:1", "7:3"])
        .prop_map(move |ratio| Event { ratio: ratio.to_owned(), ..plain("split", std::array::from_fn(|_| none())) });
    prop_oneof![4 => entering, 2 => by_amount, 3 => leaving, 1 => back, 1 => split, 5 => dividend()]
}

/// Gross with or without tax and net, net only, per share, or a reversal of any of them.
fn dividend() -> impl Strategy<Value = Event> {
    let none = String::new;
    let sign = prop::sample::select(vec!["", "", "", "-"]);
    let optional = |strategy| prop_oneof![Just(none()), strategy];
    let tax = prop_oneof![Just(none()), Just("0.00".to_owned()), figure(2, 3_000).boxed()];
    let ex_days = prop_oneof![Just(None), (1..60i64).prop_map(Some)];
    (0..4u8, sign, figure(4, 900_000), tax, figure(2, 90_000), optional(figure(3, 90_000).boxed()), ex_days).prop_map(
        move |(form, sign, amount, tax, net, shares, ex_days)| {
            let signed = |text: &str| if text.is_empty() { String::new() } else { format!("{sign}{text}") };
            let figures = match form {
                0 => [shares, none(), signed(&amount), none(), signed(&tax), none()],
                1 => [shares, none(), signed(&amount), none(), signed(&tax), signed(&net)],
                2 => [shares, none(), none(), none(), none(), signed(&net)],
                _ => [net, amount, none(), none(), tax, none()],
            };
            Event { kind: "dividend", figures, ratio: none(), ex_days }
        },
    )
}

/// Above zero, with up to so many decimals, trailing zeros among them.
fn figure(decimals: u32, units_max: i64) -> impl Strategy<Value = String> {
    (1..=units_max, 0..=decimals).prop_map(|(units, decimals)| Decimal::new(units, decimals).to_string())
}

/// The rows of a ledger file in another order, the rows of each day in theirs.
pub fn shuffled(file: &str, seed: u64) -> String {
    let (header, rows) = file.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    let key = |place: usize| BuildHasherDefault::<DefaultHasher>::default().hash_one((seed, place));
    let mut days: Vec<&str> = rows.iter().map(|row| &row[..10]).collect();
    days.sort();
    days.dedup();
    let mut keyed: Vec<(u64, &str)> = Vec::new();
    for day in days {
        let of_day: Vec<usize> = (0..rows.len()).filter(|place| &rows[*place][..10] == day).collect();
        let mut keys: Vec<u64> = of_day.iter().map(|place| key(*place)).collect();
        keys.sort();
        keyed.extend(keys.into_iter().zip(of_day.into_iter().map(|place| rows[place])));
    }
    keyed.sort_by_key(|(key, _)| *key);
    let rows: String = keyed.into_iter().map(|(_, row)| format!("{row}\n")).collect();
    format!("{header}\n{rows}")
}
