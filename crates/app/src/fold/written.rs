//! A fold as bytes: exact, short, and quick to read.

#[cfg(test)]
mod tests;

use jiff::civil::Date;
use ledger::{Currency, Decimal, Position};

use super::{Asked, Basis, Fold, Paid};

/// The form of the bytes; another one, too, when the same entries come to something else than before. What begins otherwise is
/// as good as not there.
const FORM: u8 = 1;

const NONE: u8 = u8::MAX;

impl Fold {
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
        out.bytes.extend((self.dividends.len() as u32).to_le_bytes());
        for paid in &self.dividends {
            out.date(paid.date);
            out.currency(Some(paid.currency));
            out.decimal(paid.gross);
            out.optional(paid.tax, Written::decimal);
        }
        out.bytes
    }

    /// None of bytes that are no fold of this form.
    pub fn read(bytes: &[u8]) -> Option<Fold> {
        let mut from = Read { bytes, currencies: Vec::new() };
        if from.byte()? != FORM {
            return None;
        }
        for _ in 0..from.byte()? {
            let code: [u8; 3] = from.take()?;
            from.currencies.push(Currency::parse(std::str::from_utf8(&code).ok()?).ok()?);
        }
        let (first, isin, name, held) = (from.entry()?, from.text()?, from.text()?, from.byte()? == 1);
        let position = match from.currency()? {
            Some(currency) => Some(from.position(currency)?),
            None => None,
        };
        let (day, changes, currency) = (from.date()?, from.optional(Read::date)?, from.currency()?);
        let splits = u64::from_le_bytes(from.take()?);
        let rates = from.optional(Read::asked)?;
        let count = u32::from_le_bytes(from.take()?) as usize;
        let mut dividends = Vec::with_capacity(count.min(from.bytes.len()));
        for _ in 0..count {
            let (date, currency) = (from.date()?, from.currency()??);
            dividends.push(Paid { date, currency, gross: from.decimal()?, tax: from.optional(Read::decimal)? });
        }
        from.bytes.is_empty().then_some(Fold {
            first,
            isin,
            name,
            position,
            held,
            dividends,
            basis: Basis { day, changes, currency, splits, rates },
        })
    }
}

/// Each once: a place in this list stands for one.
fn currencies(fold: &Fold) -> Vec<Currency> {
    let of_position = fold.position.map(|position| position.currency);
    let mut all: Vec<Currency> = fold.dividends.iter().map(|paid| paid.currency).collect();
    all.extend(of_position.into_iter().chain(fold.basis.currency));
    all.extend(fold.basis.rates.iter().flat_map(|asked| &asked.currencies));
    all.sort();
    all.dedup();
    all
}

struct Written {
    bytes: Vec<u8>,
    currencies: Vec<Currency>,
}

impl Written {
    fn date(&mut self, date: Date) {
        self.bytes.extend(date.year().to_le_bytes());
        self.bytes.extend([date.month() as u8, date.day() as u8]);
    }

    fn entry(&mut self, (date, sequence): (Date, i64)) {
        self.date(date);
        self.bytes.extend(sequence.to_le_bytes());
    }

    fn decimal(&mut self, decimal: Decimal) {
        self.bytes.extend(decimal.serialize());
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

struct Read<'a> {
    bytes: &'a [u8],
    currencies: Vec<Currency>,
}

impl Read<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn date(&mut self) -> Option<Date> {
        let [low, high, month, day] = self.take()?;
        Date::new(i16::from_le_bytes([low, high]), month as i8, day as i8).ok()
    }

    fn entry(&mut self) -> Option<(Date, i64)> {
        Some((self.date()?, i64::from_le_bytes(self.take()?)))
    }

    fn decimal(&mut self) -> Option<Decimal> {
        self.take().map(Decimal::deserialize)
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

    fn asked(&mut self) -> Option<Asked> {
        let count = self.byte()?;
        let currencies = (0..count).map(|_| self.currency()?).collect::<Option<Vec<Currency>>>()?;
        Some(Asked { currencies, until: self.date()?, mark: u64::from_le_bytes(self.take()?) })
    }

    fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            1 => read(self).map(Some),
            _ => None,
        }
    }
}
