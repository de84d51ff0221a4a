//! Currencies replaced by the euro, with their irrevocable rate.

use jiff::civil::{Date, date};
use rust_decimal::Decimal;

use crate::Currency;

/// Units per 1 EUR, from the day of the changeover on.
pub(super) fn per_euro(currency: Currency, day: Date) -> Option<Decimal> {
    let (_, since, units, decimals) = CHANGEOVERS.iter().find(|(code, ..)| *code == currency.code())?;
    (day >= *since).then(|| Decimal::new(*units, *decimals))
}

/// Code, first day of the euro, and the rate of the Council regulation as its digits and its number of decimals.
const CHANGEOVERS: &[(&str, Date, i64, u32)] = &[
    ("SIT", date(2007, 1, 1), 239_640, 3),
    ("CYP", date(2008, 1, 1), 585_274, 6),
    ("MTL", date(2008, 1, 1), 429_300, 6),
    ("SKK", date(2009, 1, 1), 301_260, 4),
    ("EEK", date(2011, 1, 1), 156_466, 4),
    ("LVL", date(2014, 1, 1), 702_804, 6),
    ("LTL", date(2015, 1, 1), 345_280, 5),
    ("HRK", date(2023, 1, 1), 753_450, 5),
    ("BGN", date(2026, 1, 1), 195_583, 5),
];
