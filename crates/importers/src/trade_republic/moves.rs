//! A row that moves shares without money.

use jiff::civil::DateTime;
use ledger::Decimal;

use super::meaning::Meaning;
use super::row::Row;
use crate::{Kind, Reason, Record};

pub struct Move {
    pub record: Record,
    /// Negative if they leave.
    pub shares: Option<Decimal>,
    pub at: DateTime,
    pub meaning: Meaning,
    /// The broker's word for it.
    pub word: String,
}

impl Move {
    pub fn read(row: Row<'_, '_>, meaning: Meaning) -> Result<Move, Reason> {
        let shares = row.figure("shares")?.filter(|shares| !shares.is_zero());
        if shares.is_none() && meaning != Meaning::Split {
            return Err(Reason::missing("shares"));
        }
        let record = Record { price: row.figure("price")?, ..row.record(Kind::TransferIn)? };
        Ok(Move { record, shares, at: row.moment()?, meaning, word: row.kind().to_lowercase().replace('_', " ") })
    }

    pub fn instrument(&self) -> &str {
        instrument(&self.record)
    }

    /// As shares added or removed. Shares issued by a company cost nothing; a delivery costs what the file says.
    pub fn into_transfer(self) -> Record {
        let shares = self.shares.unwrap_or_default();
        let note = match (shares.is_sign_negative(), &self.meaning, self.record.price) {
            (false, Meaning::Exchanged | Meaning::Split, _) => format!("{}; recorded at no cost", self.word),
            (false, _, None) => format!("{}; what the shares cost is not in the file", self.word),
            _ => self.word,
        };
        let is_free = matches!(self.meaning, Meaning::Exchanged | Meaning::Split);
        let kept = self.record.price.filter(|_| !is_free);
        let (kind, price, amount) = match shares.is_sign_negative() {
            true => (Kind::TransferOut, None, None),
            false => (Kind::TransferIn, kept, is_free.then_some(Decimal::ZERO)),
        };
        Record { kind, shares: Some(shares.abs()), price, amount, note: Some(note), ..self.record }
    }
}

pub fn instrument(record: &Record) -> &str {
    record.isin.as_deref().or(record.ticker.as_deref()).unwrap_or_default()
}
