//! Made-up companies on real exchanges.

use replay::{Dividend, Split, Stock, World};

pub const NOW: &str = "2026-11-16T12:00:00Z";
/// 2026-11-16T11:30:00Z
pub const QUOTED: i64 = 1_794_828_600;

pub fn stock(symbol: &str, unit: &str, exchange: &str, time_zone: &str, utc_offset: i64, price: &str) -> Stock {
    Stock {
        symbol: symbol.to_owned(),
        name: format!("{symbol} plc"),
        unit: unit.to_owned(),
        exchange: exchange.to_owned(),
        time_zone: time_zone.to_owned(),
        utc_offset,
        kind: "EQUITY".to_owned(),
        country: "United Kingdom".to_owned(),
        sector: "Utilities".to_owned(),
        industry: "Utilities - Diversified".to_owned(),
        price: price.to_owned(),
        price_time: QUOTED,
        ..Stock::default()
    }
}

pub fn american(symbol: &str, price: &str) -> Stock {
    Stock { country: "United States".to_owned(), ..stock(symbol, "USD", "NYQ", "America/New_York", -18_000, price) }
}

pub fn paid(ex_date: &str, pay_date: &str, amount: &str) -> Dividend {
    Dividend {
        ex_date: ex_date.to_owned(),
        pay_date: Some(pay_date.to_owned()),
        amount: amount.to_owned(),
        ..Dividend::default()
    }
}

pub fn split(date: &str, new: u32, old: u32) -> Split {
    Split { date: date.to_owned(), new, old }
}

/// Five years of quarterly dividends up to last October, all of the same amount.
pub fn quarterly(amount: &str) -> Vec<Dividend> {
    let dates = (2022..=2026)
        .flat_map(|year| [1, 4, 7, 10].map(|month| (format!("{year}-{month:02}-14"), format!("{year}-{month:02}-28"))));
    dates.map(|(ex_date, pay_date)| paid(&ex_date, &pay_date, amount)).collect()
}

/// `QRT` pays 0.50 dollars a quarter at a price of 40.
pub fn simple() -> World {
    let rates = ["USD 1.25", "GBP 0.80", "ILS 4.00", "ZAR 20.00"];
    let rate = |pair: &str| {
        let (currency, rate) = pair.split_once(' ').unwrap();
        ("2026-11-13".to_owned(), currency.to_owned(), rate.to_owned())
    };
    World {
        stocks: vec![Stock { dividends: quarterly("0.50"), forward_rate: Some("2.00".to_owned()), ..american("QRT", "40.00") }],
        rates: rates.map(rate).to_vec(),
        ..World::default()
    }
}

pub fn ledger(rows: &[&str]) -> String {
    let header = "date,type,symbol,shares,price,currency";
    std::iter::once(header).chain(rows.iter().copied()).collect::<Vec<_>>().join("\n")
}
