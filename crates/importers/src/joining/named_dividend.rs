//! How the ledger file names the dividend that a purchase reinvests: by its date, and by its number among several of that day.

use std::collections::HashMap;

use jiff::civil::Date;

use crate::reading::fields;
use crate::{Kind, Reason, Record};

/// What a purchase reinvests.
#[derive(Clone, Copy)]
pub struct Reinvested {
    date: Date,
    /// Counted from one.
    number: Option<usize>,
}

impl Reinvested {
    pub fn parse(column: &str, text: &str) -> Result<Reinvested, Reason> {
        let (date, number) = text.split_once(' ').map_or((text, None), |(date, number)| (date, Some(number)));
        let date = fields::date(column, date)?;
        let number = number.map(|number| number.parse().map_err(|_| Reason::NoSuchDividend { date })).transpose()?;
        Ok(Reinvested { date, number })
    }
}

/// Gives each of these purchases, and the dividend that it reinvests, a number that they share. Returns what is wrong with others.
pub fn link(records: &mut [Record], wanted: &[(usize, Reinvested)]) -> Vec<(usize, Reason)> {
    let dividends = Dividends::of(records);
    let mut wrong = Vec::new();
    for (at, reinvested) in wanted {
        match dividends.find(records, &records[*at], *reinvested) {
            Ok(dividend) if records[dividend].reinvestment.is_some() => {
                wrong.push((*at, Reason::ReinvestedTwice { date: reinvested.date }));
            }
            Ok(dividend) => {
                for at in [*at, dividend] {
                    records[at].reinvestment = Some(dividend);
                }
            }
            Err(reason) => wrong.push((*at, reason)),
        }
    }
    wrong
}

/// The cells of a whole file: empty for all but purchases that reinvest one of its dividends.
pub fn cells(records: &[Record]) -> Vec<String> {
    let dividends = Dividends::of(records);
    let by_number: HashMap<usize, &Record> =
        records.iter().filter(|one| one.kind == Kind::Dividend).filter_map(|one| Some((one.reinvestment?, one))).collect();
    let cell = |record: &Record| -> Option<String> {
        let number = record.reinvestment.filter(|_| record.kind == Kind::Buy)?;
        let dividend = by_number.get(&number)?;
        let of_day = dividends.like(records, record, dividend.date);
        let place = of_day.iter().position(|at| std::ptr::eq(&records[*at], *dividend))?;
        let number = if of_day.len() > 1 { format!(" {}", place + 1) } else { String::new() };
        Some(format!("{}{number}", dividend.date))
    };
    records.iter().map(|record| cell(record).unwrap_or_default()).collect()
}

/// Where a file's dividends are, by date.
struct Dividends(HashMap<Date, Vec<usize>>);

impl Dividends {
    fn of(records: &[Record]) -> Dividends {
        let mut by_date: HashMap<Date, Vec<usize>> = HashMap::new();
        for (at, record) in records.iter().enumerate().filter(|(_, record)| record.kind == Kind::Dividend) {
            by_date.entry(record.date).or_default().push(at);
        }
        Dividends(by_date)
    }

    /// Those of the purchase's security and portfolio.
    fn like(&self, records: &[Record], purchase: &Record, date: Date) -> Vec<usize> {
        let of_day = self.0.get(&date).into_iter().flatten();
        of_day.copied().filter(|at| is_alike(&records[*at], purchase)).collect()
    }

    fn find(&self, records: &[Record], purchase: &Record, Reinvested { date, number }: Reinvested) -> Result<usize, Reason> {
        match (self.like(records, purchase, date).as_slice(), number) {
            ([one], None) => Ok(*one),
            ([_, _, ..], None) => Err(Reason::SeveralDividends { date }),
            (several, Some(number)) => several.get(number.wrapping_sub(1)).copied().ok_or(Reason::NoSuchDividend { date }),
            ([], None) => Err(Reason::NoSuchDividend { date }),
        }
    }
}

fn is_alike(one: &Record, other: &Record) -> bool {
    let same = match (&one.symbol, &other.symbol) {
        (Some(one), Some(other)) => one == other,
        _ => one.isin.is_some() && one.isin == other.isin,
    };
    same && one.portfolio == other.portfolio
}
