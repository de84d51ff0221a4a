//! Rows that move shares without money. Their meaning depends on others: on the shares held before a split, the other half of a
//! migration, or the dividend that a reinvestment used.

use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime};
use ledger::Decimal;

use super::meaning::Meaning;
use super::moves::{Move, instrument};
use super::reinvested::UsedUp;
use crate::joining::holdings::Holdings;
use crate::joining::split_ratio;
use crate::{Kind, Parsed, Reason, Record};

#[derive(Default)]
pub struct Shares {
    records: Vec<Record>,
    dividends: Vec<Record>,
    moves: Vec<Move>,
    holdings: Holdings,
}

impl Shares {
    pub fn trade(&mut self, record: Record, at: DateTime) {
        let shares = record.shares.unwrap_or_default();
        self.holdings.add(instrument(&record), at, if record.kind == Kind::Buy { shares } else { -shares });
        self.records.push(record);
    }

    pub fn dividend(&mut self, record: Record) {
        self.dividends.push(record);
    }

    pub fn moved(&mut self, moved: Move) {
        if moved.meaning != Meaning::Migration {
            self.holdings.add(moved.instrument(), moved.at, moved.shares.unwrap_or_default());
        }
        self.moves.push(moved);
    }

    pub fn finish(mut self, parsed: &mut Parsed) {
        self.holdings.sum_up();
        let mut used = UsedUp::of(&self.dividends);
        let mut splits: BTreeMap<(String, Date), Vec<Move>> = BTreeMap::new();
        let mut migrations: BTreeMap<String, Vec<Move>> = BTreeMap::new();
        for moved in std::mem::take(&mut self.moves) {
            let instrument = moved.instrument().to_owned();
            match moved.meaning {
                Meaning::Split => splits.entry((instrument, moved.record.date)).or_default().push(moved),
                Meaning::Migration => migrations.entry(instrument).or_default().push(moved),
                Meaning::Reinvestment => self.records.push(used.reinvested(moved)),
                _ => self.records.push(moved.into_transfer()),
            }
        }
        for rows in migrations.into_values() {
            self.migrate(rows, parsed);
        }
        self.holdings.sum_up();
        for rows in splits.into_values() {
            self.split(rows, parsed);
        }
        self.records.extend(used.left(self.dividends));
        parsed.records.append(&mut self.records);
    }

    /// All rows of one day for one instrument: several depositories may each have one.
    fn split(&mut self, rows: Vec<Move>, parsed: &mut Parsed) {
        let Some(at) = rows.iter().map(|row| row.at).min() else { return };
        let held = self.holdings.before(rows[0].instrument(), at);
        let whole = rows.iter().all(|row| row.shares.is_some());
        let of_sign = |negative: bool| {
            let shares = rows.iter().filter_map(|row| row.shares).filter(|shares| shares.is_sign_negative() == negative);
            shares.fold(Decimal::ZERO, Decimal::saturating_add)
        };
        let (gone, come) = (of_sign(true), of_sign(false));
        let ratio = match (gone.is_zero(), come.is_zero()) {
            _ if !whole => None,
            (false, false) => split_ratio::of_exchange(-gone, come),
            _ => split_ratio::of_counts(held, held.saturating_add(gone).saturating_add(come)),
        };
        // Out with one ISIN and in with another, as in reverse splits.
        let exchanged = whole && rows[0].word == "reverse split" && (gone == -held || held.is_zero());
        match ratio {
            Some(ratio) => {
                let ratio_worked_out = gone.is_zero() || come.is_zero();
                let note = match ratio_worked_out {
                    true => {
                        format!("{} shares held in this file, {} added", held.normalize(), gone.saturating_add(come).normalize())
                    }
                    false => format!("{} shares taken, {} given", (-gone).normalize(), come.normalize()),
                };
                self.records.extend(joined(rows, |first| Record {
                    kind: Kind::Split,
                    price: None,
                    ratio: Some(ratio),
                    ratio_worked_out,
                    note: Some(note),
                    ..first
                }));
            }
            None if exchanged => self.records.extend(rows.into_iter().map(Move::into_transfer)),
            None => {
                for row in rows {
                    parsed.error(row.record.line, Reason::SplitRatioUnknown);
                }
            }
        }
    }

    /// Shares that the broker moved between its own depositories stay the same shares.
    fn migrate(&mut self, rows: Vec<Move>, parsed: &mut Parsed) {
        let net = rows.iter().filter_map(|row| row.shares).fold(Decimal::ZERO, Decimal::saturating_add);
        let first = rows.iter().map(|row| row.at).min().unwrap_or_default();
        let held = rows.first().map(|row| self.holdings.before(row.instrument(), first)).unwrap_or_default();
        for row in rows {
            match net.is_zero() || net == held {
                true => parsed.skip(row.record.line, Reason::MovedInside),
                false => {
                    self.holdings.add(row.instrument(), row.at, row.shares.unwrap_or_default());
                    self.records.push(row.into_transfer());
                }
            }
        }
    }
}

fn joined(rows: Vec<Move>, record: impl FnOnce(Record) -> Record) -> Option<Record> {
    let mut rows = rows.into_iter();
    let first = rows.next()?.record;
    Some(Record { joined: rows.map(|row| row.record.line).collect(), ..record(first) })
}
