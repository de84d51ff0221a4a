//! Encodes snapshots: exact, short, and fast to read.

pub(super) mod bytes;
#[cfg(test)]
mod tests;

use ledger::{Currency, Position};

use bytes::{Read, Written};

use super::dividends::{Dividends, Sum};
use super::{Basis, PositionSnapshot, RatesUsed};

/// The version of the encoding; also changed when the same entries give another result than before. Snapshots of another version
/// are ignored.
const FORM: u8 = 2;

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

impl Written {
    fn sum(&mut self, sum: Sum) {
        self.date(sum.first);
        self.currency(Some(sum.currency));
        self.decimal(sum.gross);
        self.decimal(sum.withheld);
        self.bytes.push(sum.recorded.into());
    }
}

impl Read<'_> {
    fn sum(&mut self) -> Option<Sum> {
        let (first, currency) = (self.date()?, self.currency()??);
        Some(Sum { first, currency, gross: self.decimal()?, withheld: self.decimal()?, recorded: self.byte()? == 1 })
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
}
