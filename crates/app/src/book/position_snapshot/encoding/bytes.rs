//! Writes and reads the values of a snapshot.

use jiff::civil::Date;
use ledger::{Currency, Decimal};

const NONE: u8 = u8::MAX;
const NEGATIVE: u8 = 0x80;

pub(in super::super) struct Written {
    pub bytes: Vec<u8>,
    pub currencies: Vec<Currency>,
}

impl Written {
    pub fn date(&mut self, date: Date) {
        self.bytes.extend(date.year().to_le_bytes());
        self.bytes.extend([date.month() as u8, date.day() as u8]);
    }

    pub fn entry(&mut self, (date, sequence): (Date, i64)) {
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

    pub fn currency(&mut self, currency: Option<Currency>) {
        let place = currency.and_then(|currency| self.currencies.iter().position(|one| *one == currency));
        self.bytes.push(place.map_or(NONE, |place| place as u8));
    }

    pub fn text(&mut self, text: Option<&str>) {
        self.optional(text, |out, text| {
            out.bytes.extend((text.len() as u32).to_le_bytes());
            out.bytes.extend(text.bytes());
        });
    }

    pub fn optional<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Written, T)) {
        self.bytes.push(value.is_some().into());
        if let Some(value) = value {
            write(self, value);
        }
    }
}

pub(in super::super) struct Read<'a> {
    pub bytes: &'a [u8],
    pub currencies: Vec<Currency>,
}

impl<'a> Read<'a> {
    pub fn of(bytes: &'a [u8]) -> Read<'a> {
        Read { bytes, currencies: Vec::new() }
    }

    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
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

    pub fn entry(&mut self) -> Option<(Date, i64)> {
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

    pub fn currency(&mut self) -> Option<Option<Currency>> {
        match self.byte()? {
            NONE => Some(None),
            place => self.currencies.get(usize::from(place)).copied().map(Some),
        }
    }

    pub fn text(&mut self) -> Option<Option<String>> {
        self.optional(|from| {
            let length = u32::from_le_bytes(from.take()?) as usize;
            let (text, rest) = from.bytes.split_at_checked(length)?;
            from.bytes = rest;
            Some(std::str::from_utf8(text).ok()?.to_owned())
        })
    }

    pub fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            1 => read(self).map(Some),
            _ => None,
        }
    }
}
