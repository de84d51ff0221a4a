//! A symbol as a refresh passes it to the formulas.

use jiff::ToSpan;
use jiff::civil::{Date, date};
use ledger::{Currency, Facts, Fx, MarketDividend, Metrics, QuoteUnit, Ratio, Split, metrics};

use crate::rows::{Row, Symbols, one_source};

/// The files give none. Needed only where amounts are per share as it was then.
const SPLITS: &[(&str, Date, &str)] = &[
    ("AAPL", date(2000, 6, 21), "2:1"),
    ("AAPL", date(2005, 2, 28), "2:1"),
    ("AAPL", date(2014, 6, 9), "7:1"),
    ("AAPL", date(2020, 8, 31), "4:1"),
    ("ARNC", date(2016, 10, 6), "1:3"),
    ("CMCSA", date(2017, 2, 21), "2:1"),
    ("DD", date(2019, 6, 3), "1:3"),
    ("NKE", date(2015, 12, 24), "2:1"),
    ("SDIV", date(2022, 12, 20), "1:3"),
    ("UPRO", date(2018, 5, 24), "3:1"),
    ("VTI", date(2008, 6, 18), "2:1"),
];

/// Their rows come in pairs, one in USD and one in CAD, both called USD; the Canadian dollar was the smaller one
/// throughout, so the larger figure is in it.
const TOLD_IN_TWO_CURRENCIES: [&str; 2] = ["CP", "ENB"];

/// The day the twelve are looked at, where the rows reach the middle of 2026.
const MID_2026: Date = date(2026, 7, 31);
const MID_2026_PAYERS: [&str; 10] = ["KO", "JNJ", "PG", "O", "T", "VZ", "XOM", "ABBV", "SCHD", "VYM"];

pub struct Payer {
    pub symbol: String,
    pub facts: Facts,
    pub today: Date,
    pub ours: Metrics,
}

impl Payer {
    pub fn all(symbols: &Symbols) -> Vec<Payer> {
        symbols.iter().map(|(symbol, rows)| Payer::of(symbol, &one_source(rows))).collect()
    }

    /// The day after the newest ex-date: nobody has stopped merely because the file ends.
    pub fn of(symbol: &str, rows: &[Row]) -> Payer {
        let newest = rows.last().unwrap().ex_date;
        let today = if MID_2026_PAYERS.contains(&symbol) { MID_2026 } else { newest.saturating_add(1.day()) };
        let facts = facts(symbol, rows);
        let ours = metrics(&facts, &Fx::default(), today);
        Payer { symbol: symbol.to_owned(), facts, today, ours }
    }
}

pub fn facts(symbol: &str, rows: &[Row]) -> Facts {
    let currency = QuoteUnit::parse(&rows[0].unit).unwrap().currency;
    let mut dividends: Vec<MarketDividend> = rows.iter().map(dividend).collect();
    if TOLD_IN_TWO_CURRENCIES.contains(&symbol) {
        name_the_canadian_ones(&mut dividends);
    }
    let as_paid = rows.iter().any(|row| row.as_paid);
    let splits = SPLITS.iter().filter(|(name, ..)| as_paid && *name == symbol);
    Facts {
        currency,
        dividends,
        splits: splits.map(|(_, date, ratio)| Split { date: *date, ratio: Ratio::parse(ratio).unwrap() }).collect(),
        closes: Vec::new(),
        price: None,
        forward_rate: None,
        payout_ratio: None,
        fcf_cover: None,
        pe: None,
        ma50: None,
        ma200: None,
        low52: None,
        high52: None,
        yield_avg_5y_pct: None,
        fund: include_str!("funds.txt").split_whitespace().any(|fund| fund == symbol),
        lenient_payout: false,
    }
}

fn dividend(row: &Row) -> MarketDividend {
    let unit = QuoteUnit::parse(&row.unit).unwrap();
    MarketDividend {
        ex_date: row.ex_date,
        pay_date: row.pay_date,
        amount: unit.normalise(row.amount),
        currency: unit.currency,
        special: special(&row.kind),
    }
}

/// Shares handed out instead of cash are outside the rhythm, too; a scrip dividend, which may be taken in cash, is in it.
fn special(kind: &str) -> bool {
    kind == "capital-gain" || kind == "special" || kind.contains("of shares")
}

fn name_the_canadian_ones(dividends: &mut [MarketDividend]) {
    let canadian = Currency::parse("CAD").unwrap();
    dividends.sort_by_key(|row| (row.ex_date, row.amount));
    for pair in dividends.chunk_by_mut(|a, b| a.ex_date == b.ex_date) {
        pair.iter_mut().skip(1).for_each(|row| row.currency = canadian);
    }
}
