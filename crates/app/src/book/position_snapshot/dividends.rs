//! The dividends of a lot that show its withholding tax: encoded until each is needed, and their sums.

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Currency, Decimal};

use super::encoding::bytes::{Read, Written};

/// A dividend that shows the withholding tax.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paid {
    pub date: Date,
    pub currency: Currency,
    pub gross: Decimal,
    pub tax: Option<Decimal>,
}

/// In date order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dividends {
    pub(super) sum: Option<Sum>,
    /// As encoded by [`write`].
    pub(super) each: Vec<u8>,
}

/// The sum of those in one currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    /// The earliest day.
    pub first: Date,
    pub currency: Currency,
    pub gross: Decimal,
    pub withheld: Decimal,
    /// Whether any of them has a recorded withholding tax.
    pub recorded: bool,
}

impl Dividends {
    pub fn of(paid: impl IntoIterator<Item = Paid>) -> Dividends {
        let (mut each, mut before, mut sum, mut mixed) = (Vec::new(), None, None, false);
        for one in paid {
            write(&mut each, before.as_ref(), &one);
            match &mut sum {
                None => sum = Some(Sum::of(&one)),
                Some(sum) => mixed |= sum.add(&one).is_none(),
            }
            before = Some(one);
        }
        Dividends { sum: sum.filter(|_| !mixed), each }
    }

    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    pub fn each(&self) -> Vec<Paid> {
        let (mut from, mut all) = (Read::of(&self.each), Vec::new());
        while let Some(paid) = read(&mut from, all.last()) {
            all.push(paid);
        }
        all
    }

    /// The sum since this day; `None` if each has to be looked at, or if there are none.
    pub fn sum_since(&self, day: Date) -> Option<Sum> {
        self.sum.filter(|sum| sum.first >= day)
    }
}

impl Sum {
    fn of(paid: &Paid) -> Sum {
        let Paid { date, currency, gross, tax } = *paid;
        Sum { first: date, currency, gross, withheld: tax.unwrap_or_default(), recorded: tax.is_some() }
    }

    /// `None` for another currency, or on overflow.
    fn add(&mut self, paid: &Paid) -> Option<()> {
        *self = self.and(Sum::of(paid))?;
        Some(())
    }

    /// The sum of both, if they are in the same currency.
    pub fn and(self, other: Sum) -> Option<Sum> {
        (self.currency == other.currency).then_some(Sum {
            first: self.first.min(other.first),
            currency: self.currency,
            gross: self.gross.checked_add(other.gross)?,
            withheld: self.withheld.checked_add(other.withheld)?,
            recorded: self.recorded || other.recorded,
        })
    }
}

/// Flags in the first byte.
const TAX: u8 = 1;
const OTHER_CURRENCY: u8 = 2;

/// Relative to the previous one, because most have the same currency and follow soon after.
fn write(bytes: &mut Vec<u8>, before: Option<&Paid>, paid: &Paid) {
    let mut out = Written { bytes: std::mem::take(bytes), currencies: Vec::new() };
    let same_currency = before.is_some_and(|before| before.currency == paid.currency);
    out.bytes.push(if paid.tax.is_some() { TAX } else { 0 } | if same_currency { 0 } else { OTHER_CURRENCY });
    match before {
        None => out.date(paid.date),
        Some(before) => out.number((paid.date.duration_since(before.date).as_hours() / 24) as u128),
    }
    if !same_currency {
        out.bytes.extend(paid.currency.code().bytes());
    }
    out.decimal(paid.gross);
    if let Some(tax) = paid.tax {
        out.decimal(tax);
    }
    *bytes = out.bytes;
}

/// `None` at the end, or for invalid bytes.
fn read(from: &mut Read<'_>, before: Option<&Paid>) -> Option<Paid> {
    let flags = from.byte()?;
    let date = match before {
        None => from.date()?,
        Some(before) => before.date.checked_add(i64::try_from(from.number()?).ok()?.days()).ok()?,
    };
    let currency = match (flags & OTHER_CURRENCY, before) {
        (0, before) => before?.currency,
        _ => from.code()?,
    };
    let gross = from.decimal()?;
    let tax = match flags & TAX {
        0 => None,
        _ => Some(from.decimal()?),
    };
    Some(Paid { date, currency, gross, tax })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    fn paid(day: i64, code: &str, gross: &str, tax: Option<&str>) -> Paid {
        let figure = |text: &str| text.parse().unwrap();
        Paid {
            date: date(2025, 1, 31) + day.days(),
            currency: Currency::parse(code).unwrap(),
            gross: figure(gross),
            tax: tax.map(figure),
        }
    }

    #[test]
    fn dividends_in_one_currency_are_summed() {
        let all = [paid(0, "USD", "10.00", None), paid(0, "USD", "20.5", Some("3")), paid(400, "USD", "-0.5", Some("0.10"))];
        let dividends = Dividends::of(all);
        let sum = dividends.sum_since(date(2025, 1, 31)).unwrap();
        assert_eq!((sum.gross.to_string().as_str(), sum.withheld.to_string().as_str(), sum.recorded), ("30.00", "3.10", true));
        assert_eq!((sum.first, sum.currency.code()), (date(2025, 1, 31), "USD"));
        // The first two are outside the window, so the rest must be summed one by one.
        assert_eq!(dividends.sum_since(date(2025, 2, 1)), None);
        assert_eq!(dividends.each(), all);
        assert!(!Dividends::of([paid(0, "USD", "10", None)]).sum_since(Date::MIN).unwrap().recorded);
    }

    #[test]
    fn dividends_in_several_currencies_or_too_large_have_no_sum() {
        let max = Decimal::MAX.to_string();
        for all in
            [[paid(0, "USD", "1", None), paid(1, "EUR", "1", None)], [paid(0, "USD", &max, None), paid(1, "USD", "1", None)]]
        {
            let dividends = Dividends::of(all);
            assert_eq!((dividends.sum_since(Date::MIN), dividends.each()), (None, all.to_vec()));
        }
        assert_eq!((Dividends::of([]).sum_since(Date::MIN), Dividends::of([]).each()), (None, Vec::new()));
    }

    #[test]
    fn two_years_of_quarterly_dividends_take_less_than_a_hundred_bytes() {
        let eight = (0..8).map(|quarter| paid(91 * quarter, "USD", "123.45", Some("18.52")));
        assert_eq!(Dividends::of(eight).each.len(), 8 * (1 + 1 + 3 + 3) + 3 + 3);
    }

    proptest! {
        #[test]
        fn dividends_are_decoded_as_they_were_encoded(
            of in prop::collection::vec((0_i64..300, 0_usize..3, any::<[u32; 3]>(), any::<bool>(), 0_u32..=28, prop::option::of(any::<u32>())), 0..20),
        ) {
            let mut day = 0;
            let all: Vec<Paid> = of.into_iter().map(|(later, currency, [low, middle, high], negative, scale, tax)| {
                day += later;
                let gross = Decimal::from_parts(low, middle, high, negative, scale);
                Paid { gross, tax: tax.map(|tax| Decimal::from_parts(tax, 0, 0, negative, scale)), ..paid(day, ["EUR", "USD", "JPY"][currency], "0", None) }
            }).collect();
            let read = Dividends::of(all.iter().copied()).each();
            prop_assert_eq!(format!("{read:?}"), format!("{all:?}"));
        }
    }
}
