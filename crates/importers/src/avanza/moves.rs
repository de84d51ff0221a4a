//! Shares of one instrument removed and added on one day: moved between the user's accounts, or split.

use std::collections::BTreeMap;

use jiff::civil::Date;

use crate::joining::moved_shares::{as_split, sum};
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
    let (gone, come) = (sum(&rows, Kind::TransferOut), sum(&rows, Kind::TransferIn));
    if gone == come {
        rows.iter().for_each(|row| parsed.skip(row.line, Reason::MovedInside));
    } else {
        parsed.records.extend(as_split(rows));
    }
}
