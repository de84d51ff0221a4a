//! The made-up markets. All texts are numbers and dates as a provider writes them.

use std::collections::HashMap;
use std::path::Path;

/// Dates are `YYYY-MM-DD`; numbers are decimals as text, so that every digit is the test's own.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub stocks: Vec<Stock>,
    /// Day, currency, units per 1 EUR; in the given order.
    pub rates: Vec<(String, String, String)>,
    /// Yahoo redirects to its consent pages, as in the EU.
    pub yahoo_consent: bool,
    /// Yahoo answers `Too Many Requests` with status 200 in place of a crumb.
    pub yahoo_crumb_throttled: bool,
    /// The crumb that Yahoo issues and expects; empty for the default.
    pub yahoo_crumb: String,
}

#[derive(Debug, Clone, Default)]
pub struct Stock {
    pub symbol: String,
    pub name: String,
    /// As in a quote, `GBp` for pence.
    pub unit: String,
    /// `LSE`, `NMS`…
    pub exchange: String,
    /// `Europe/London`…
    pub time_zone: String,
    /// Offset from UTC in seconds for the whole history.
    pub utc_offset: i64,
    /// `EQUITY`, `ETF`…
    pub kind: String,
    pub isin: String,
    pub country: String,
    pub sector: String,
    pub industry: String,
    /// In `unit`.
    pub price: String,
    /// Unix seconds.
    pub price_time: i64,
    /// Per share and year, in whole units of the currency, as Yahoo has it.
    pub forward_rate: Option<String>,
    /// A fraction.
    pub payout_ratio: Option<String>,
    /// Free cash flow ÷ dividends paid.
    pub fcf_cover: Option<String>,
    pub pe: Option<String>,
    pub dividends: Vec<Dividend>,
    pub splits: Vec<Split>,
    /// Day and close in `unit`, adjusted for splits.
    pub closes: Vec<(String, String)>,
    pub next_ex_date: Option<String>,
    pub next_pay_date: Option<String>,
    /// The provider no longer lists it.
    pub delisted: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Dividend {
    pub ex_date: String,
    pub pay_date: Option<String>,
    pub declared_date: Option<String>,
    /// As paid, in `unit` of the stock.
    pub amount: String,
    /// A currency other than the stock's, if the provider gives one.
    pub currency: Option<String>,
    pub special: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Split {
    pub date: String,
    pub new: u32,
    pub old: u32,
}

impl World {
    /// `S0000`, `S0001` and so on: quarterly payers of 0.50 dollars from 2023 to 2026.
    pub fn of_quarterly_payers(count: usize) -> World {
        World { stocks: (0..count).map(quarterly_payer).collect(), ..World::default() }
    }

    /// From `stocks.csv`, `dividends.csv` and `fx.csv` in this folder, in the format of `dripline market load`; without quotes, so
    /// no field has a comma.
    pub fn read(folder: &Path) -> World {
        let stock = |row: &Row| Stock {
            symbol: row["symbol"].clone(),
            name: row["name"].clone(),
            unit: row["currency"].clone(),
            exchange: row["exchange"].clone(),
            time_zone: "America/New_York".to_owned(),
            utc_offset: -18_000,
            kind: row["type"].clone(),
            isin: row["isin"].clone(),
            country: row["country"].clone(),
            price: row["price"].clone(),
            price_time: PRICE_TIME,
            ..Stock::default()
        };
        let mut stocks: Vec<Stock> = rows(&folder.join("stocks.csv")).iter().map(stock).collect();
        for row in rows(&folder.join("dividends.csv")) {
            let dividend = Dividend { ex_date: row["ex_date"].clone(), amount: row["amount"].clone(), ..Dividend::default() };
            stocks
                .iter_mut()
                .filter(|stock| stock.symbol == row["symbol"])
                .for_each(|stock| stock.dividends.push(dividend.clone()));
        }
        let rate = |row: Row| (row["date"].clone(), row["currency"].clone(), row["rate"].clone());
        World { stocks, rates: rows(&folder.join("fx.csv")).into_iter().map(rate).collect(), ..World::default() }
    }

    pub fn stock(&self, symbol: &str) -> Option<&Stock> {
        self.stocks.iter().find(|stock| stock.symbol == symbol && !stock.delisted)
    }
}

/// Fields by the title of their column.
type Row = HashMap<String, String>;

fn rows(file: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let titles: Vec<String> = lines.next().unwrap().collect();
    lines.map(|fields| titles.iter().cloned().zip(fields).collect()).collect()
}

const PRICE_TIME: i64 = 1_794_571_200; // 2026-11-13T12:00:00Z

fn quarterly_payer(number: usize) -> Stock {
    let paid = |year: i32, month: u8| Dividend {
        ex_date: format!("{year}-{month:02}-10"),
        amount: "0.50".to_owned(),
        ..Dividend::default()
    };
    Stock {
        symbol: format!("S{number:04}"),
        name: format!("Company {number}"),
        unit: "USD".to_owned(),
        exchange: "NYQ".to_owned(),
        time_zone: "America/New_York".to_owned(),
        utc_offset: -18_000,
        kind: "EQUITY".to_owned(),
        price: format!("{}.25", 20 + number % 80),
        price_time: PRICE_TIME,
        dividends: (2023..=2026).flat_map(|year| [1, 4, 7, 10].map(|month| paid(year, month))).collect(),
        ..Stock::default()
    }
}
