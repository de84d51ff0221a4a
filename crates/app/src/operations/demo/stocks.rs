//! The stocks of the demo, from the table next to this file.

use jiff::civil::Date;
use rust_decimal::Decimal;

/// The day of the table's prices and dividends.
pub(super) const TABLE_DAY: Date = jiff::civil::date(2026, 9, 14);

/// A row of the table. Amounts and the price are in `unit`, which may be pence.
pub(super) struct Stock {
    pub symbol: &'static str,
    pub name: &'static str,
    pub unit: &'static str,
    pub exchange: &'static str,
    pub kind: &'static str,
    pub isin: &'static str,
    pub country: &'static str,
    pub sector: &'static str,
    pub industry: &'static str,
    pub price: Decimal,
    /// Months with an ex-date; the dividend is raised in the first of them.
    pub months: Vec<i8>,
    pub day: i8,
    /// Days from ex-date to payment.
    pub lag: i32,
    /// Per share: one for all months, or one per month.
    pub amounts: Vec<Decimal>,
    /// The factor from one year's amounts to the next.
    pub growth: Decimal,
    pub payout: &'static str,
    pub fcf_cover: &'static str,
    pub pe: &'static str,
}

impl Stock {
    /// The currency the unit belongs to.
    pub fn currency(&self) -> &'static str {
        if self.unit == "GBp" { "GBP" } else { self.unit }
    }

    /// Converts a figure from the unit to whole units of the currency.
    pub fn in_currency(&self, figure: Decimal) -> Decimal {
        if self.unit == "GBp" { figure.saturating_mul(Decimal::new(1, 2)) } else { figure }
    }
}

/// All rows that can be read; a test makes sure that all can.
pub(super) fn all() -> Vec<Stock> {
    include_str!("stocks.csv").lines().skip(1).filter_map(row).collect()
}

fn row(line: &'static str) -> Option<Stock> {
    let fields: Vec<&'static str> = line.split(',').collect();
    let &[
        symbol,
        name,
        unit,
        exchange,
        kind,
        isin,
        country,
        sector,
        industry,
        price,
        months,
        day,
        lag,
        amounts,
        growth,
        payout,
        fcf_cover,
        pe,
    ] = &fields[..]
    else {
        return None;
    };
    Some(Stock {
        symbol,
        name,
        unit,
        exchange,
        kind,
        isin,
        country,
        sector,
        industry,
        price: price.parse().ok()?,
        months: if months == "all" { (1..=12).collect() } else { list(months)? },
        day: day.parse().ok()?,
        lag: lag.parse().ok()?,
        amounts: list(amounts)?,
        growth: growth.parse::<Decimal>().ok()?.saturating_mul(Decimal::new(1, 2)).saturating_add(Decimal::ONE),
        payout,
        fcf_cover,
        pe,
    })
}

fn list<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    text.split(' ').map(|item| item.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_row_of_the_table_is_read() {
        let lines = include_str!("stocks.csv").lines().count();
        let stocks = all();
        assert_eq!(stocks.len(), lines - 1);
        assert!(stocks.len() >= 80);
        let symbols: HashSet<_> = stocks.iter().map(|stock| stock.symbol).collect();
        assert_eq!(symbols.len(), stocks.len());
        for stock in &stocks {
            assert!((1..=28).contains(&stock.day), "{}: a day every month has", stock.symbol);
            assert!(stock.amounts.len() == 1 || stock.amounts.len() == stock.months.len(), "{}", stock.symbol);
            assert!(isin_checks(stock.isin), "{} {}", stock.symbol, stock.isin);
        }
    }

    /// Letters are two digits from 10; every second digit from the right but the last is doubled; the digit sum ends in 0.
    fn isin_checks(isin: &str) -> bool {
        let digits: Vec<u32> =
            isin.chars().flat_map(|c| c.to_digit(36).unwrap().to_string().into_bytes()).map(|b| u32::from(b - b'0')).collect();
        let sum: u32 = digits
            .iter()
            .rev()
            .enumerate()
            .map(|(place, digit)| if place % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit })
            .sum();
        isin.len() == 12 && sum.is_multiple_of(10)
    }
}
