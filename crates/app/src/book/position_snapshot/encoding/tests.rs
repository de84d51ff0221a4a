use jiff::civil::date;
use ledger::Decimal;

use super::super::Paid;
use super::*;

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn whole() -> PositionSnapshot {
    let usd = Currency::parse("USD").unwrap();
    let opened = date(2021, 2, 28);
    PositionSnapshot {
        first: (date(1999, 12, 31), 7),
        isin: Some("US1912161007".to_owned()),
        name: Some("Größe & Söhne".to_owned()),
        position: Some(Position { currency: usd, shares: d("10.500"), cost: d("-0.10"), opened, opened_sequence: i64::MAX }),
        held: true,
        dividends: Dividends::of([
            Paid { date: date(2026, 3, 1), currency: usd, gross: d("18.00"), tax: None },
            Paid { date: date(2026, 3, 2), currency: usd, gross: d("0.0000000000000000000000000001"), tax: Some(d("0.00")) },
        ]),
        basis: Basis {
            day: date(2026, 11, 15),
            changes: Some(date(9999, 12, 31)),
            currency: Some(usd),
            splits: u64::MAX,
            rates: Some(RatesUsed { currencies: vec![Currency::EUR, usd], until: date(2026, 1, 2), mark: u64::MAX - 1 }),
        },
    }
}

fn bare() -> PositionSnapshot {
    let basis = Basis { day: date(2026, 11, 15), changes: None, currency: None, splits: 0, rates: None };
    PositionSnapshot { isin: None, name: None, position: None, held: false, dividends: Dividends::default(), basis, ..whole() }
}

/// A snapshot whose dividends have no sum.
fn mixed() -> PositionSnapshot {
    let paid = |day, currency| Paid { date: date(2026, 3, day), currency, gross: d("18.00"), tax: None };
    let dividends = Dividends::of([paid(1, Currency::EUR), paid(2, Currency::parse("JPY").unwrap())]);
    PositionSnapshot { dividends, ..whole() }
}

#[test]
fn a_snapshot_is_decoded_as_it_was_encoded_with_its_trailing_zeros() {
    for snapshot in [whole(), bare(), mixed()] {
        let read = PositionSnapshot::read(&snapshot.written()).unwrap();
        assert_eq!(format!("{read:?}"), format!("{snapshot:?}"));
    }
}

#[test]
fn truncated_bytes_or_another_encoding_version_are_no_snapshot() {
    for snapshot in [whole(), bare(), mixed()] {
        let bytes = snapshot.written();
        assert!((0..bytes.len()).all(|end| PositionSnapshot::read(&bytes[..end]).is_none()));
        assert_eq!(PositionSnapshot::read(&[&bytes[..], &[0]].concat()), None);
        assert_eq!(PositionSnapshot::read(&[&[FORM + 1], &bytes[1..]].concat()), None);
    }
}
