//! Dividends and their withholding tax, if a broker books them in separate rows.

use std::collections::HashMap;

use ledger::{Decimal, Kind};

use crate::Record;

/// Rows of one file, grouped by what shows that they belong together: instrument, day, account, currency.
#[derive(Default)]
pub struct Payments {
    dividends: Vec<(String, Record)>,
    taxes: Vec<(String, Record)>,
}

impl Payments {
    pub fn dividend(&mut self, key: impl Into<String>, record: Record) {
        self.dividends.push((key.into(), record));
    }

    /// `record` is the tax row as a separate dividend; `tax` is positive if it was withheld and negative if it was returned.
    /// Without a dividend it stays one, with amount 0.
    pub fn tax(&mut self, key: impl Into<String>, tax: Decimal, record: Record) {
        let alone = Record { kind: Kind::Dividend, amount: Some(Decimal::ZERO), tax: Some(tax), net: None, ..record };
        self.taxes.push((key.into(), alone));
    }

    /// Each tax is added to a dividend with its key: the first of the same sign without tax, else the last of the same sign, else
    /// the first of the other sign (a correction of the tax alone).
    pub fn finish(self) -> Vec<Record> {
        let mut records: Vec<Record> = Vec::with_capacity(self.dividends.len());
        let mut places: HashMap<String, [Places; 2]> = HashMap::new();
        for (key, record) in self.dividends {
            let sign = usize::from(gross(&record).is_sign_negative());
            places.entry(key).or_default()[sign].all.push(records.len());
            records.push(record);
        }
        let mut taken = vec![false; records.len()];
        for (key, tax) in self.taxes {
            let sign = usize::from(tax.tax.unwrap_or_default().is_sign_negative());
            let beside = places.get_mut(&key);
            match beside.and_then(|beside| beside[sign].next(&taken).or_else(|| beside[1 - sign].all.first().copied())) {
                Some(at) => {
                    taken[at] = true;
                    join(&mut records[at], tax);
                }
                None => records.push(tax),
            }
        }
        records
    }
}

/// For brokers that book a dividend before tax if its tax is a separate row: the amount received is then the gross.
pub fn before_tax(records: &mut [Record]) {
    for record in records.iter_mut().filter(|record| record.amount.is_none() && record.tax.is_some()) {
        record.amount = record.net.take();
    }
}

/// Dividends with one key and sign, in order.
#[derive(Default)]
struct Places {
    all: Vec<usize>,
    /// All before it have a tax.
    free: usize,
}

impl Places {
    /// The first without tax, else the last.
    fn next(&mut self, taken: &[bool]) -> Option<usize> {
        while self.all.get(self.free).is_some_and(|at| taken[*at]) {
            self.free += 1;
        }
        self.all.get(self.free).or(self.all.last()).copied()
    }
}

fn gross(record: &Record) -> Decimal {
    record.amount.or(record.net).unwrap_or_default()
}

fn join(dividend: &mut Record, tax: Record) {
    dividend.tax = Some(dividend.tax.unwrap_or_default().saturating_add(tax.tax.unwrap_or_default()));
    dividend.joined.push(tax.line);
    dividend.joined.extend(tax.joined);
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn row(line: u64, amount: i64) -> Record {
        Record { amount: Some(Decimal::new(amount, 2)), ..Record::new(line, date(2024, 3, 15), Kind::Dividend) }
    }

    fn written(payments: Payments) -> Vec<String> {
        let figure = |figure: Option<Decimal>| figure.map_or("-".to_owned(), |figure| figure.to_string());
        let render =
            |record: Record| format!("{}{:?} {} {}", record.line, record.joined, figure(record.amount), figure(record.tax));
        payments.finish().into_iter().map(render).collect()
    }

    #[test]
    fn a_tax_belongs_to_its_dividend_and_a_refund_to_the_reversal() {
        let mut payments = Payments::default();
        payments.dividend("KO", row(1, 1000));
        payments.tax("KO", Decimal::new(150, 2), row(2, 0));
        payments.dividend("KO", row(3, -1000));
        payments.tax("KO", Decimal::new(-150, 2), row(4, 0));
        payments.dividend("KO", row(5, 1200));
        payments.tax("KO", Decimal::new(180, 2), row(6, 0));
        payments.dividend("PEP", row(7, 500));
        assert_eq!(written(payments), ["1[2] 10.00 1.50", "3[4] -10.00 -1.50", "5[6] 12.00 1.80", "7[] 5.00 -"]);
    }

    #[test]
    fn a_corrected_tax_is_the_sum_of_its_bookings() {
        let mut payments = Payments::default();
        payments.dividend("KO", row(1, 1000));
        payments.tax("KO", Decimal::new(300, 2), row(2, 0));
        payments.tax("KO", Decimal::new(-300, 2), row(3, 0));
        payments.tax("KO", Decimal::new(150, 2), row(4, 0));
        assert_eq!(written(payments), ["1[2, 3, 4] 10.00 1.50"]);
    }

    #[test]
    fn several_taxes_are_assigned_to_their_dividends_in_order() {
        let mut payments = Payments::default();
        for line in 1..=3 {
            payments.dividend("KO", row(line, 1000));
        }
        for line in 4..=7 {
            payments.tax("KO", Decimal::new(100, 2), row(line, 0));
        }
        assert_eq!(written(payments), ["1[4] 10.00 1.00", "2[5] 10.00 1.00", "3[6, 7] 10.00 2.00"]);
    }

    #[test]
    fn a_tax_without_a_dividend_is_kept() {
        let mut payments = Payments::default();
        payments.tax("KO", Decimal::new(-150, 2), row(9, 0));
        assert_eq!(written(payments), ["9[] 0 -1.50"]);
    }
}
