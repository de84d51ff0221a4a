//! How the ledger file names the dividend that a purchase reinvests: by its date, and by its number among several of that day.
//! A dividend can have several purchases.

use std::collections::{HashMap, HashSet};

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
    let dividends = Dividends::of(records, wanted.iter().map(|(_, reinvested)| reinvested.date));
    let found: Vec<_> = wanted.iter().map(|(at, reinvested)| (*at, dividends.find(&records[*at], *reinvested))).collect();
    let mut wrong = Vec::new();
    for (purchase, dividend) in found {
        match dividend {
            Ok(dividend) => {
                for at in [purchase, dividend] {
                    records[at].reinvestment = Some(dividend);
                }
            }
            Err(reason) => wrong.push((purchase, reason)),
        }
    }
    wrong
}

/// The cells of a whole file: empty for all but purchases that reinvest one of its dividends.
pub fn cells(records: &[Record]) -> Vec<String> {
    let numbered = records.iter().enumerate().filter(|(_, record)| record.kind == Kind::Dividend);
    let by_number: HashMap<usize, usize> = numbered.filter_map(|(at, record)| Some((record.reinvestment?, at))).collect();
    let dividends = Dividends::of(records, by_number.values().map(|at| records[*at].date));
    let cell = |record: &Record| -> Option<String> {
        let number = record.reinvestment.filter(|_| record.kind == Kind::Buy)?;
        let dividend = *by_number.get(&number)?;
        let date = records[dividend].date;
        let of_day = dividends.like(record, date);
        let place = of_day.place(dividend)?;
        let number = if of_day.count() > 1 { format!(" {}", place + 1) } else { String::new() };
        Some(format!("{date}{number}"))
    };
    records.iter().map(|record| cell(record).unwrap_or_default()).collect()
}

/// Where a file's dividends of some days are.
struct Dividends<'a>(HashMap<Key<'a>, Vec<usize>>);

/// A date, security and portfolio.
type Key<'a> = (Date, Security<'a>, Option<&'a str>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Security<'a> {
    Symbol(&'a str),
    Isin(&'a str),
    /// Of a row without a symbol.
    IsinAlone(&'a str),
}

impl<'a> Dividends<'a> {
    fn of(records: &'a [Record], days: impl Iterator<Item = Date>) -> Dividends<'a> {
        let days: HashSet<Date> = days.collect();
        let mut by_key: HashMap<Key<'a>, Vec<usize>> = HashMap::new();
        let is_wanted = |record: &Record| record.kind == Kind::Dividend && days.contains(&record.date);
        for (at, record) in records.iter().enumerate().filter(|(_, record)| is_wanted(record)) {
            let symbol = record.symbol.as_deref().map(Security::Symbol);
            let alone = record.isin.as_deref().filter(|_| symbol.is_none()).map(Security::IsinAlone);
            let isin = record.isin.as_deref().map(Security::Isin);
            for security in [symbol, alone, isin].into_iter().flatten() {
                by_key.entry((record.date, security, record.portfolio.as_deref())).or_default().push(at);
            }
        }
        Dividends(by_key)
    }

    /// Those of the purchase's security and portfolio. Only what two rows both have can differ.
    fn like<'s>(&'s self, purchase: &'s Record, date: Date) -> Like<'s> {
        let of = |security| {
            let key = (date, security, purchase.portfolio.as_deref());
            self.0.get(&key).map_or(&[][..], Vec::as_slice)
        };
        let isin = purchase.isin.as_deref();
        Like(match purchase.symbol.as_deref() {
            Some(symbol) => [of(Security::Symbol(symbol)), isin.map_or(&[][..], |isin| of(Security::IsinAlone(isin)))],
            None => [isin.map_or(&[][..], |isin| of(Security::Isin(isin))), &[]],
        })
    }

    fn find(&self, purchase: &Record, Reinvested { date, number }: Reinvested) -> Result<usize, Reason> {
        let of_day = self.like(purchase, date);
        match (of_day.count(), number) {
            (0, None) => Err(Reason::NoSuchDividend { date }),
            (2.., None) => Err(Reason::SeveralDividends { date }),
            (_, number) => {
                let place = number.unwrap_or(1).checked_sub(1);
                place.and_then(|place| of_day.at(place)).ok_or(Reason::NoSuchDividend { date })
            }
        }
    }
}

/// Dividends in the order of the file, as two parts that are in order. Never joined, because every purchase of a large file looks
/// at its own.
struct Like<'a>([&'a [usize]; 2]);

impl Like<'_> {
    fn count(&self) -> usize {
        self.0.iter().map(|part| part.len()).sum()
    }

    fn place(&self, dividend: usize) -> Option<usize> {
        let known = self.0.iter().any(|part| part.binary_search(&dividend).is_ok());
        known.then(|| self.0.iter().map(|part| part.partition_point(|at| *at < dividend)).sum())
    }

    fn at(&self, place: usize) -> Option<usize> {
        self.0.iter().find_map(|part| {
            let found = part.binary_search_by_key(&Some(place), |at| self.place(*at)).ok()?;
            part.get(found).copied()
        })
    }
}
