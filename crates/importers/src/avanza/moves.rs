//! Shares of one instrument removed and added on one day: moved between the user's accounts, or split.

use std::collections::BTreeMap;

use jiff::civil::Date;
use ledger::Decimal;

use crate::joining::split_ratio::of_exchange;
use crate::{Kind, Parsed, Reason, Record};

#[derive(Default)]
pub struct Moves(BTreeMap<(String, Date), Vec<Record>>);

impl Moves {
    /// `record` is a transfer, in or out.
    pub fn add(&mut self, record: Record) {
        let instrument = record.isin.clone().or_else(|| record.name.clone()).unwrap_or_default();
        self.0.entry((instrument, record.date)).or_default().push(record);
    }

    pub fn finish(self, parsed: &mut Parsed) {
        for rows in self.0.into_values() {
            finish(rows, parsed);
        }
    }
}

fn finish(rows: Vec<Record>, parsed: &mut Parsed) {
    let of_kind = |kind: Kind| {
        let shares = rows.iter().filter(|row| row.kind == kind).filter_map(|row| row.shares);
        shares.fold(Decimal::ZERO, Decimal::saturating_add)
    };
    let (gone, come) = (of_kind(Kind::TransferOut), of_kind(Kind::TransferIn));
    if gone.is_zero() || come.is_zero() {
        parsed.records.extend(rows);
        return;
    }
    if gone == come {
        for row in &rows {
            parsed.skip(row.line, Reason::MovedInside);
        }
        return;
    }
    let Some(ratio) = of_exchange(gone, come) else {
        parsed.records.extend(rows);
        return;
    };
    let joined = rows.iter().skip(1).map(|row| row.line).collect();
    let note = Some(format!("{} shares taken, {} given", gone.normalize(), come.normalize()));
    let split = |first| Record { kind: Kind::Split, joined, ratio: Some(ratio), shares: None, amount: None, note, ..first };
    parsed.records.extend(rows.into_iter().next().map(split));
}
