//! How a row without an id is recognised when it is imported again, and how two rows with the same id are distinguished.

use std::fmt::{Display, Write};

use jiff::civil::Date;
use ledger::{Currency, Decimal, Kind, Ratio};
use sha2::{Digest, Sha256};

use crate::Record;

/// A key of the row's content: equal for the same event, whatever its spelling of decimals, note or name. The caller adds the
/// number of equal rows before it, so that two genuine equal fills stay two.
pub fn content_key(record: &Record, symbol: &str) -> String {
    let mut text = String::with_capacity(128);
    // Writing to a string never fails.
    let _ = write!(text, "{}{APART}{}{APART}{symbol}", record.date, record.kind.word());
    for figure in [record.shares, record.price, amount(record), record.fees, record.tax, record.net] {
        put(&mut text, figure.map(|figure| figure.normalize()));
    }
    put(&mut text, record.currency);
    put(&mut text, record.fx_rate.map(|rate| rate.normalize()));
    put(&mut text, record.ratio);
    put(&mut text, record.ex_date);
    let digest = Sha256::digest(text.as_bytes());
    text.clear();
    for byte in &digest[..16] {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Shares of unknown cost were once recorded with a cost of zero, and are still the same.
fn amount(record: &Record) -> Option<Decimal> {
    let is_unknown = record.kind == Kind::TransferIn && record.price.is_none() && record.amount.is_none();
    if is_unknown { Some(Decimal::ZERO) } else { record.amount }
}

const APART: char = '\u{1f}';

fn put(text: &mut String, field: Option<impl Display>) {
    text.push(APART);
    if let Some(field) = field {
        let _ = write!(text, "{field}");
    }
}

/// The row's content: equal exactly if [`content_key`] is, but cheaper to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    date: Date,
    kind: Kind,
    symbol: String,
    figures: [Option<Decimal>; 7],
    currency: Option<Currency>,
    ratio: Option<Ratio>,
    ex_date: Option<Date>,
}

impl Content {
    pub fn of(record: &Record, symbol: &str) -> Content {
        Content {
            date: record.date,
            kind: record.kind,
            symbol: symbol.to_owned(),
            figures: [record.shares, record.price, amount(record), record.fees, record.tax, record.net, record.fx_rate],
            currency: record.currency,
            ratio: record.ratio,
            ex_date: record.ex_date,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn figure(text: &str) -> Option<Decimal> {
        Some(text.parse().unwrap())
    }

    fn buy() -> Record {
        let currency = Some(Currency::EUR);
        Record { shares: figure("10"), price: figure("1.50"), currency, ..Record::new(1, date(2024, 1, 2), Kind::Buy) }
    }

    #[test]
    fn identity_keys_never_change() {
        let full = Record {
            amount: figure("15.00"),
            fees: figure("0.10"),
            tax: figure("0"),
            net: figure("-15.1"),
            fx_rate: figure("1.1000"),
            ratio: Ratio::parse("4:1.0"),
            ex_date: Some(date(2023, 12, 31)),
            ..buy()
        };
        assert_eq!(content_key(&buy(), "KO"), "e5f7624efbc02d0363e55f93cac79572");
        assert_eq!(content_key(&full, "KO"), "277c722b900961254c0b9a78eb5422cb");
    }

    #[test]
    fn records_are_equal_if_and_only_if_their_keys_are() {
        let rows = [
            buy(),
            Record { shares: figure("10.00"), price: figure("1.5"), line: 7, note: Some("again".to_owned()), ..buy() },
            Record { price: figure("1.51"), ..buy() },
            Record { fees: figure("0"), ..buy() },
            Record { fees: figure("-0.0"), ..buy() },
            Record { tax: figure("0"), ..buy() },
            Record { currency: None, ..buy() },
            Record { ratio: Ratio::parse("2:1"), ..buy() },
            Record { ratio: Ratio::parse("2.0:1"), ..buy() },
            Record { ratio: Ratio::parse("4:2"), ..buy() },
            Record { ex_date: Some(date(2024, 1, 2)), ..buy() },
            Record { kind: Kind::Sell, ..buy() },
            Record { date: date(2024, 1, 3), ..buy() },
            Record { kind: Kind::TransferIn, price: None, ..buy() },
            Record { kind: Kind::TransferIn, price: None, amount: figure("0"), ..buy() },
        ];
        for one in &rows {
            for other in &rows {
                let same = content_key(one, "KO") == content_key(other, "KO");
                assert_eq!(Content::of(one, "KO") == Content::of(other, "KO"), same, "{one:?} {other:?}");
            }
            assert_ne!(Content::of(one, "KO"), Content::of(one, "PEP"));
        }
        assert_eq!(Content::of(&rows[0], "KO"), Content::of(&rows[1], "KO"));
        assert_eq!(Content::of(&rows[13], "KO"), Content::of(&rows[14], "KO"), "an unknown cost was once recorded as zero");
    }
}
