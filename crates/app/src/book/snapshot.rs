//! Position snapshots: the result of replaying a lot, stored with what it depends on besides the entries. If that has changed,
//! the entries are replayed again.

mod stored;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff::{Span, ToSpan};
use ledger::{Currency, Decimal, Entry, Event, Fx, Position};
use serde::{Deserialize, Deserializer, Serialize};

use crate::book::lots::Lot;
use crate::market::traded::Traded;

/// The version of the stored form, its first byte; also changed when the same entries give another result than before. Snapshots
/// of another version are ignored.
const VERSION: u8 = 5;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionSnapshot {
    /// Date and sequence of the earliest entry.
    #[serde(with = "stored")]
    pub first: (Date, i64),
    pub isin: Option<String>,
    pub name: Option<String>,
    #[serde(with = "stored")]
    pub position: Option<Position>,
    /// Whether shares were held at the end of the day, according to entries and splits alone.
    pub held: bool,
    /// Of the last 24 months.
    pub dividends: Dividends,
    /// How many dividends were recorded ever, up to today.
    pub dividend_count: u32,
    pub basis: Basis,
}

/// What a snapshot was computed from besides the entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Basis {
    #[serde(with = "stored")]
    pub day: Date,
    /// The first later day on which an entry or a market split takes effect.
    #[serde(with = "stored")]
    pub changes: Option<Date>,
    /// The trading currency, if market data has it.
    #[serde(with = "stored")]
    pub currency: Option<Currency>,
    /// The fingerprint of the market's splits.
    pub splits: u64,
    /// Set if exchange rates were used.
    pub rates: Option<RatesUsed>,
}

/// The exchange rates a replay uses, and a fingerprint of their values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatesUsed {
    #[serde(with = "stored")]
    pub currencies: Vec<Currency>,
    #[serde(with = "stored")]
    pub until: Date,
    pub mark: u64,
}

impl PositionSnapshot {
    /// `None` for a lot that cannot be replayed, or has no entries.
    pub fn compute(lot: &Lot, traded: Traded<'_>, held: bool, fx: &Fx, today: Date) -> Option<PositionSnapshot> {
        let position = lot.position(traded, fx, today).ok()?;
        let rates = rates_used(lot, traded, today);
        let days = lot.entries.iter().map(|entry| entry.date).chain(traded.splits.iter().map(|split| split.date));
        Some(PositionSnapshot {
            first: lot.first()?,
            isin: lot.isin.clone(),
            name: lot.name.clone(),
            position,
            held,
            dividends: dividends_paid(&lot.entries, today),
            dividend_count: dividend_count(&lot.entries, today),
            basis: Basis {
                day: today,
                changes: days.filter(|day| *day > today).min(),
                currency: traded.currency,
                splits: traded.mark,
                rates: rates.map(|(currencies, until)| RatesUsed { mark: fx.fingerprint(&currencies, until), currencies, until }),
            },
        })
    }

    pub fn encode(&self) -> Vec<u8> {
        postcard::to_extend(self, vec![VERSION]).unwrap_or_default()
    }

    /// `None` for bytes that are not a snapshot of this version.
    pub fn decode(bytes: &[u8]) -> Option<PositionSnapshot> {
        let (&VERSION, rest) = bytes.split_first()? else { return None };
        let (snapshot, rest) = postcard::take_from_bytes(rest).ok()?;
        rest.is_empty().then_some(snapshot)
    }
}

impl Basis {
    /// Whether the snapshot includes all entries up to today, and no others.
    pub fn is_valid_on(&self, today: Date) -> bool {
        self.day <= today && self.changes.is_none_or(|changes| today < changes)
    }

    /// Whether the position is what a replay would give, on a day for which it is valid.
    pub fn is_valid_for(&self, traded: Traded<'_>, fx: &Fx) -> bool {
        let same_rates = |used: &RatesUsed| fx.fingerprint(&used.currencies, used.until) == used.mark;
        (self.currency, self.splits) == (traded.currency, traded.mark) && self.rates.as_ref().is_none_or(same_rates)
    }
}

/// The currencies whose exchange rates the replay of a lot uses, and the last day; `None` if it uses none.
pub(crate) fn rates_used(lot: &Lot, traded: Traded<'_>, today: Date) -> Option<(Vec<Currency>, Date)> {
    let first = lot.entries.first().map(|entry| entry.currency);
    let (mut currencies, mut last) = (BTreeSet::new(), None);
    // In the trading currency and, if that fails, in that of the first entry.
    for own in traded.currency.into_iter().chain(first) {
        for (other, day) in ledger::rates_asked(&lot.entries, own, today) {
            currencies.extend([own, other]);
            last = last.max(Some(day));
        }
    }
    Some((currencies.into_iter().collect(), last?))
}

/// The first day whose dividends count for the withholding tax.
pub(crate) fn seen_since(today: Date) -> Date {
    today.saturating_sub(24.months())
}

/// Up to today. A net amount without its gross says nothing about a rate, nor does a dividend whose withholding is unknown or an estimate.
pub(crate) fn dividends_paid(entries: &[Entry], today: Date) -> Dividends {
    Dividends::of(showing_tax(entries, today).map(|(_, paid)| paid))
}

/// The same one by one, with the sequence of each.
pub(crate) fn showing_tax(entries: &[Entry], today: Date) -> impl Iterator<Item = (i64, Paid)> {
    let since = seen_since(today);
    let recent = entries.iter().filter(move |entry| entry.date >= since && entry.date <= today);
    recent.filter_map(|entry| match &entry.event {
        Event::Dividend(dividend) if dividend.gross_known && !dividend.estimated => {
            let paid = Paid { date: entry.date, currency: entry.currency, gross: dividend.gross, tax: dividend.tax? };
            Some((entry.sequence, paid))
        }
        _ => None,
    })
}

pub(crate) fn dividend_count(entries: &[Entry], today: Date) -> u32 {
    let paid = |entry: &&Entry| entry.date <= today && matches!(&entry.event, Event::Dividend(paid) if !paid.estimated);
    u32::try_from(entries.iter().filter(paid).count()).unwrap_or(u32::MAX)
}

/// The dividends of a lot that show its withholding tax, in date order: encoded until each is needed, and their sum.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Dividends {
    /// `None` if they are in several currencies, or too large to add.
    sum: Option<Sum>,
    #[serde(deserialize_with = "bytes")]
    each: Vec<u8>,
}

/// A dividend that shows the withholding tax.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paid {
    pub date: Date,
    pub currency: Currency,
    pub gross: Decimal,
    pub tax: Decimal,
}

impl Paid {
    /// That of the latest one. If there are several on that day, the first by its code.
    pub fn currency_of_latest<'a>(all: impl Iterator<Item = &'a Paid>) -> Option<Currency> {
        all.max_by_key(|paid| (paid.date, Reverse(paid.currency.code()))).map(|paid| paid.currency)
    }
}

/// The sum of dividends in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sum {
    /// The earliest day.
    #[serde(with = "stored")]
    pub first: Date,
    #[serde(with = "stored")]
    pub currency: Currency,
    #[serde(with = "stored")]
    pub gross: Decimal,
    #[serde(with = "stored")]
    pub withheld: Decimal,
    pub count: u32,
}

/// A dividend relative to the previous one, because most have the same currency and follow soon after.
#[derive(Serialize, Deserialize)]
struct NextPaid {
    /// Since the previous one; since [`Date::MIN`] for the first.
    days: u32,
    /// If it is another.
    #[serde(with = "stored")]
    currency: Option<Currency>,
    #[serde(with = "stored")]
    gross: Decimal,
    #[serde(with = "stored")]
    tax: Decimal,
}

impl Dividends {
    pub fn of(paid: impl IntoIterator<Item = Paid>) -> Dividends {
        let (mut each, mut sum, mut date, mut currency) = (Vec::new(), None, Date::MIN, None);
        for one in paid {
            let this = Sum::of(&one);
            sum = if each.is_empty() { Some(this) } else { sum.and_then(|sum: Sum| sum.and(this)) };
            let next = NextPaid {
                days: (one.date.duration_since(date).as_hours() / 24) as u32,
                currency: Some(one.currency).filter(|_| currency != Some(one.currency)),
                gross: one.gross,
                tax: one.tax,
            };
            each = postcard::to_extend(&next, each).unwrap_or_default();
            (date, currency) = (one.date, Some(one.currency));
        }
        Dividends { sum, each }
    }

    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    pub fn each(&self) -> Vec<Paid> {
        let (mut all, mut rest) = (Vec::<Paid>::new(), &self.each[..]);
        while let Ok((next, left)) = postcard::take_from_bytes::<NextPaid>(rest) {
            let (date, currency) = all.last().map_or((Date::MIN, None), |before| (before.date, Some(before.currency)));
            let Ok(date) = Span::new().try_days(i64::from(next.days)).and_then(|days| date.checked_add(days)) else { break };
            let Some(currency) = next.currency.or(currency) else { break };
            all.push(Paid { date, currency, gross: next.gross, tax: next.tax });
            rest = left;
        }
        all
    }

    /// The sum since this day; `None` if each has to be looked at, or if there are none.
    pub fn sum_since(&self, day: Date) -> Option<Sum> {
        self.sum.filter(|sum| sum.first >= day)
    }
}

impl Sum {
    pub fn of(paid: &Paid) -> Sum {
        let Paid { date, currency, gross, tax } = *paid;
        Sum { first: date, currency, gross, withheld: tax, count: 1 }
    }

    /// The sum of both; `None` for another currency, or on overflow.
    pub fn and(self, other: Sum) -> Option<Sum> {
        (self.currency == other.currency).then_some(Sum {
            first: self.first.min(other.first),
            currency: self.currency,
            gross: self.gross.checked_add(other.gross)?,
            withheld: self.withheld.checked_add(other.withheld)?,
            count: self.count.checked_add(other.count)?,
        })
    }
}

/// Copied at once instead of byte by byte.
fn bytes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    <&[u8]>::deserialize(from).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::stored::Stored;
    use super::*;

    fn d(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn paid(day: i64, code: &str, gross: &str, tax: &str) -> Paid {
        let currency = Currency::parse(code).unwrap();
        Paid { date: date(2025, 1, 31) + day.days(), currency, gross: d(gross), tax: d(tax) }
    }

    fn whole() -> PositionSnapshot {
        let usd = Currency::USD;
        let opened = date(2021, 2, 28);
        PositionSnapshot {
            first: (date(1999, 12, 31), 7),
            isin: Some("US1912161007".to_owned()),
            name: Some("Größe & Söhne".to_owned()),
            position: Some(Position {
                currency: usd,
                shares: d("10.500"),
                cost: d("-0.10"),
                opened,
                opened_sequence: i64::MAX,
                cost_known: false,
            }),
            held: true,
            dividend_count: 2,
            dividends: Dividends::of([paid(0, "USD", "18.00", "2.70"), paid(1, "USD", "0.0000000000000000000000000001", "0.00")]),
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
        PositionSnapshot {
            isin: None,
            name: None,
            position: None,
            held: false,
            dividends: Dividends::default(),
            dividend_count: 0,
            basis,
            ..whole()
        }
    }

    /// A snapshot whose dividends have no sum.
    fn mixed() -> PositionSnapshot {
        PositionSnapshot { dividends: Dividends::of([paid(0, "EUR", "18.00", "0"), paid(1, "JPY", "18", "0")]), ..whole() }
    }

    #[test]
    fn a_snapshot_is_decoded_as_it_was_encoded_with_its_trailing_zeros() {
        for snapshot in [whole(), bare(), mixed()] {
            let decoded = PositionSnapshot::decode(&snapshot.encode()).unwrap();
            assert_eq!(format!("{decoded:?}"), format!("{snapshot:?}"));
        }
    }

    #[test]
    fn truncated_bytes_or_another_version_are_no_snapshot() {
        for snapshot in [whole(), bare(), mixed()] {
            let bytes = snapshot.encode();
            assert!((0..bytes.len()).all(|end| PositionSnapshot::decode(&bytes[..end]).is_none()));
            assert_eq!(PositionSnapshot::decode(&[&bytes[..], &[0]].concat()), None);
            for version in [0, VERSION - 1, VERSION + 1] {
                assert_eq!(PositionSnapshot::decode(&[&[version], &bytes[1..]].concat()), None);
            }
        }
    }

    #[test]
    fn values_that_do_not_exist_are_no_snapshot() {
        assert_eq!(Date::from_form((2026, 2, 29)), None);
        assert_eq!(Decimal::from_form((29, 1)), None);
        assert_eq!(Decimal::from_form((0, 1 << 96)), None);
        assert_eq!(Currency::from_form(*b"EU\xff"), None);
    }

    #[test]
    fn dividends_in_one_currency_are_summed() {
        let all = [paid(0, "USD", "10.00", "0"), paid(0, "USD", "20.5", "3"), paid(400, "USD", "-0.5", "0.10")];
        let dividends = Dividends::of(all);
        let sum = dividends.sum_since(date(2025, 1, 31)).unwrap();
        assert_eq!((sum.gross.to_string().as_str(), sum.withheld.to_string().as_str(), sum.count), ("30.00", "3.10", 3));
        assert_eq!((sum.first, sum.currency.code()), (date(2025, 1, 31), "USD"));
        // The first two are outside the window, so the rest must be summed one by one.
        assert_eq!(dividends.sum_since(date(2025, 2, 1)), None);
        assert_eq!(dividends.each(), all);
    }

    #[test]
    fn dividends_in_several_currencies_or_too_large_have_no_sum() {
        let max = Decimal::MAX.to_string();
        for all in [
            [paid(0, "USD", "1", "0"), paid(1, "EUR", "1", "0"), paid(2, "USD", "1", "0")],
            [paid(0, "USD", &max, "0"), paid(1, "USD", "1", "0"), paid(2, "USD", "-1", "0")],
        ] {
            let dividends = Dividends::of(all);
            assert_eq!((dividends.sum_since(Date::MIN), dividends.each()), (None, all.to_vec()));
        }
        assert_eq!((Dividends::of([]).sum_since(Date::MIN), Dividends::of([]).each()), (None, Vec::new()));
    }

    #[test]
    fn two_years_of_quarterly_dividends_take_less_than_a_hundred_bytes() {
        let eight = (0..8).map(|quarter| paid(91 * quarter, "USD", "123.45", "18.52"));
        assert_eq!(Dividends::of(eight).each.len(), 8 * (1 + 1 + 4 + 3) + 3 + 3);
    }

    proptest! {
        #[test]
        fn dividends_are_decoded_as_they_were_encoded(
            of in prop::collection::vec((0_i64..300, 0_usize..3, any::<[u32; 3]>(), any::<bool>(), 0_u32..=28, any::<u32>()), 0..20),
        ) {
            let mut day = 0;
            let all: Vec<Paid> = of.into_iter().map(|(later, currency, [low, middle, high], negative, scale, tax)| {
                day += later;
                let gross = Decimal::from_parts(low, middle, high, negative, scale);
                Paid { gross, tax: Decimal::from_parts(tax, 0, 0, negative, scale), ..paid(day, ["EUR", "USD", "JPY"][currency], "0", "0") }
            }).collect();
            let read = Dividends::of(all.iter().copied()).each();
            prop_assert_eq!(format!("{read:?}"), format!("{all:?}"));
        }

        #[test]
        fn damaged_bytes_are_never_a_panic(place: prop::sample::Index, byte: u8) {
            for snapshot in [whole(), bare(), mixed()] {
                let mut bytes = snapshot.encode();
                let place = place.index(bytes.len());
                bytes[place] = byte;
                if let Some(decoded) = PositionSnapshot::decode(&bytes) {
                    prop_assert!(decoded.dividends.each().len() <= 2);
                }
            }
        }
    }
}
