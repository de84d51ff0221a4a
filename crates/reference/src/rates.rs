//! The European Central Bank's reference rates, as published. A currency's rates are unpacked when they are first used.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use jiff::civil::Date;
use ledger::fx::{BaseRates, Rates, Series};
use ledger::{Currency, Decimal};

pub struct EcbRates {
    packed: &'static [u8],
    columns: OnceLock<Columns>,
}

#[derive(Default)]
struct Columns {
    days: Series<Date>,
    by_currency: HashMap<Currency, Column>,
}

struct Column {
    packed: &'static [u8],
    decimals: u32,
    rates: OnceLock<Rates>,
}

impl EcbRates {
    pub(crate) const fn new(packed: &'static [u8]) -> EcbRates {
        EcbRates { packed, columns: OnceLock::new() }
    }

    pub fn currencies(&self) -> impl Iterator<Item = Currency> {
        self.columns().by_currency.keys().copied()
    }

    fn columns(&self) -> &Columns {
        self.columns.get_or_init(|| Columns::read(self.packed).unwrap_or_default())
    }
}

impl BaseRates for EcbRates {
    fn rates(&self, currency: Currency) -> Option<&Rates> {
        let columns = self.columns();
        let column = columns.by_currency.get(&currency)?;
        Some(column.rates.get_or_init(|| {
            let days = columns.days.items();
            let bytes = super::unpack(column.packed);
            let rates = rates(&bytes, days.len(), column.decimals);
            Series::new(days.iter().zip(rates).filter_map(|(day, rate)| Some((*day, rate?))).collect())
        }))
    }

    fn days(&self) -> &Series<Date> {
        &self.columns().days
    }
}

impl fmt::Debug for EcbRates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EcbRates").field("bytes", &self.packed.len()).finish_non_exhaustive()
    }
}

impl Columns {
    /// `README.md` describes the format.
    fn read(packed: &'static [u8]) -> Option<Columns> {
        let end = packed.iter().position(|byte| *byte == b'\n')?;
        let mut rest = packed.get(end + 1..)?;
        let mut columns = Columns::default();
        for column in std::str::from_utf8(&packed[..end]).ok()?.split(' ') {
            let (name, len) = column.split_once(':')?;
            let (packed, after) = rest.split_at_checked(len.parse().ok()?)?;
            rest = after;
            if name == "days" {
                let days: Result<Vec<Date>, _> = super::unpack_text(packed).split('\n').map(str::parse).collect();
                columns.days = Series::new(days.ok()?);
            } else {
                let (currency, decimals) = name.split_once('/')?;
                let column = Column { packed, decimals: decimals.parse().ok()?, rates: OnceLock::new() };
                columns.by_currency.insert(Currency::parse(currency).ok()?, column);
            }
        }
        Some(columns)
    }
}

/// Sums up the differences of a column; no rate on days without one.
fn rates(bytes: &[u8], days: usize, decimals: u32) -> impl Iterator<Item = Option<Decimal>> {
    let number = move |day| bytes.iter().skip(day).step_by(days).rev().fold(0_i64, |number, byte| number << 8 | i64::from(*byte));
    (0..days).map(number).scan(0_i64, move |rate, number| {
        *rate += if number % 2 == 0 { -(number / 2) } else { number / 2 };
        Some((number > 0).then(|| Decimal::new(*rate, decimals).normalize()))
    })
}
