//! Encodes snapshots: exact, short, and fast to read.

#[cfg(test)]
mod tests;

use jiff::civil::Date;
use ledger::{Currency, Decimal, Position};

use super::dividends::{Dividends, Sum};
use super::{Basis, PositionSnapshot, RatesUsed};

/// The version of the encoding; also changed when the same entries give another result than before. Snapshots of another version
/// are ignored.
const FORM: u8 = 2;

const NONE: u8 = u8::MAX;
const NEGATIVE: u8 = 0x80;

impl PositionSnapshot {
    pub fn written(&self) -> Vec<u8> {
        let mut out = Written { bytes: vec![FORM], currencies: currencies(self) };
        out.bytes.push(out.currencies.len() as u8);
        for currency in out.currencies.clone() {
            out.bytes.extend(currency.code().bytes());
        }
        out.entry(self.first);
        out.text(self.isin.as_deref());
        out.text(self.name.as_deref());
        out.bytes.push(self.held.into());
        out.currency(self.position.map(|position| position.currency));
        if let Some(position) = &self.position {
            out.decimal(position.shares);
            out.decimal(position.cost);
            out.entry((position.opened, position.opened_sequence));
        }
        out.date(self.basis.day);
        out.optional(self.basis.changes, Written::date);
        out.currency(self.basis.currency);
        out.bytes.extend(self.basis.splits.to_le_bytes());
        out.optional(self.basis.rates.as_ref(), |out, asked| {
            out.bytes.push(asked.currencies.len() as u8);
            asked.currencies.iter().for_each(|currency| out.currency(Some(*currency)));
            out.date(asked.until);
            out.bytes.extend(asked.mark.to_le_bytes());
        });
        out.optional(self.dividends.sum, Written::sum);
        out.number(self.dividends.each.len() as u128);
        out.bytes.extend(&self.dividends.each);
        out.bytes
    }

    /// `None` for bytes that are not a snapshot of this version.
    pub fn read(bytes: &[u8]) -> Option<PositionSnapshot> {
        let mut from = Read::of(bytes);
        if from.byte()? != FORM {
            return None;
        }
        for _ in 0..from.byte()? {
            let currency = from.code()?;
            from.currencies.push(currency);
        }
        let (first, isin, name, held) = (from.entry()?, from.text()?, from.text()?, from.byte()? == 1);
        let position = match from.currency()? {
            Some(currency) => Some(from.position(currency)?),
            None => None,
        };
        let (day, changes, currency) = (from.date()?, from.optional(Read::date)?, from.currency()?);
        let splits = u64::from_le_bytes(from.take()?);
        let rates = from.optional(Read::rates_used)?;
        let (sum, length) = (from.optional(Read::sum)?, from.number()?);
        (length == from.bytes.len() as u128).then(|| PositionSnapshot {
            first,
            isin,
            name,
            position,
            held,
            dividends: Dividends { sum, each: from.bytes.to_vec() },
            basis: Basis { day, changes, currency, splits, rates },
        })
    }
}

/// Each once; snapshots refer to them by index.
fn currencies(snapshot: &PositionSnapshot) -> Vec<Currency> {
    let of_position = snapshot.position.map(|position| position.currency);
    let mut all: Vec<Currency> = snapshot.dividends.sum.iter().map(|sum| sum.currency).collect();
    all.extend(of_position.into_iter().chain(snapshot.basis.currency));
    all.extend(snapshot.basis.rates.iter().flat_map(|asked| &asked.currencies));
    all.sort();
    all.dedup();
    all
}

pub(super) struct Written {
    pub bytes: Vec<u8>,
    pub currencies: Vec<Currency>,
}

impl Written {
    pub fn date(&mut self, date: Date) {
        self.bytes.extend(date.year().to_le_bytes());
        self.bytes.extend([date.month() as u8, date.day() as u8]);
    }

    fn entry(&mut self, (date, sequence): (Date, i64)) {
        self.date(date);
        self.bytes.extend(sequence.to_le_bytes());
    }

    /// Its scale and sign, then its digits.
    pub fn decimal(&mut self, decimal: Decimal) {
        let sign = if decimal.is_sign_negative() { NEGATIVE } else { 0 };
        self.bytes.push(decimal.scale() as u8 | sign);
        self.number(decimal.mantissa().unsigned_abs());
    }

    /// Seven bits per byte, the lowest first; the last byte has the eighth bit clear.
    pub fn number(&mut self, mut number: u128) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn sum(&mut self, sum: Sum) {
        self.date(sum.first);
        self.currency(Some(sum.currency));
        self.decimal(sum.gross);
        self.decimal(sum.withheld);
        self.bytes.push(sum.recorded.into());
    }

    fn currency(&mut self, currency: Option<Currency>) {
        let place = currency.and_then(|currency| self.currencies.iter().position(|one| *one == currency));
        self.bytes.push(place.map_or(NONE, |place| place as u8));
    }

    fn text(&mut self, text: Option<&str>) {
        self.optional(text, |out, text| {
            out.bytes.extend((text.len() as u32).to_le_bytes());
            out.bytes.extend(text.bytes());
        });
    }

    fn optional<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Written, T)) {
        self.bytes.push(value.is_some().into());
        if let Some(value) = value {
            write(self, value);
        }
    }
}

pub(super) struct Read<'a> {
    bytes: &'a [u8],
    currencies: Vec<Currency>,
}

impl<'a> Read<'a> {
    pub fn of(bytes: &'a [u8]) -> Read<'a> {
        Read { bytes, currencies: Vec::new() }
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*taken)
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    pub fn date(&mut self) -> Option<Date> {
        let [low, high, month, day] = self.take()?;
        Date::new(i16::from_le_bytes([low, high]), month as i8, day as i8).ok()
    }

    fn entry(&mut self) -> Option<(Date, i64)> {
        Some((self.date()?, i64::from_le_bytes(self.take()?)))
    }

    pub fn decimal(&mut self) -> Option<Decimal> {
        let first = self.byte()?;
        let number = self.number()?;
        let scale = u32::from(first & !NEGATIVE);
        let part = |at: u32| (number >> (32 * at)) as u32;
        let valid = number >> 96 == 0 && scale <= Decimal::MAX_SCALE;
        valid.then(|| Decimal::from_parts(part(0), part(1), part(2), first & NEGATIVE != 0, scale))
    }

    pub fn number(&mut self) -> Option<u128> {
        let mut number = 0;
        for seven in 0..16 {
            let byte = self.byte()?;
            number |= u128::from(byte & 0x7f) << (7 * seven);
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub fn code(&mut self) -> Option<Currency> {
        let code: [u8; 3] = self.take()?;
        Currency::parse(std::str::from_utf8(&code).ok()?).ok()
    }

    fn sum(&mut self) -> Option<Sum> {
        let (first, currency) = (self.date()?, self.currency()??);
        Some(Sum { first, currency, gross: self.decimal()?, withheld: self.decimal()?, recorded: self.byte()? == 1 })
    }

    fn currency(&mut self) -> Option<Option<Currency>> {
        match self.byte()? {
            NONE => Some(None),
            place => self.currencies.get(usize::from(place)).copied().map(Some),
        }
    }

    fn text(&mut self) -> Option<Option<String>> {
        self.optional(|from| {
            let length = u32::from_le_bytes(from.take()?) as usize;
            let (text, rest) = from.bytes.split_at_checked(length)?;
            from.bytes = rest;
            Some(std::str::from_utf8(text).ok()?.to_owned())
        })
    }

    fn position(&mut self, currency: Currency) -> Option<Position> {
        let (shares, cost, (opened, opened_sequence)) = (self.decimal()?, self.decimal()?, self.entry()?);
        Some(Position { currency, shares, cost, opened, opened_sequence })
    }

    fn rates_used(&mut self) -> Option<RatesUsed> {
        let count = self.byte()?;
        let currencies = (0..count).map(|_| self.currency()?).collect::<Option<Vec<Currency>>>()?;
        Some(RatesUsed { currencies, until: self.date()?, mark: u64::from_le_bytes(self.take()?) })
    }

    fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            1 => read(self).map(Some),
            _ => None,
        }
    }
}
