//! A split is two rows: the old shares are closed and the new ones opened, sometimes under a new ISIN.

use std::collections::HashMap;

use ledger::{Decimal, Kind};

use super::cells::Cells;
use crate::joining::{days, split_ratio};
use crate::rows::Read;
use crate::{Parsed, Reason, Record};

/// The two halves are booked within seconds; more than this is another split.
const DAYS_APART_MAX: i32 = 10;

#[derive(Default)]
pub struct Splits {
    closed: Vec<Record>,
    opened: Vec<Record>,
}

impl Splits {
    pub fn closed(&mut self, cells: &Cells<'_, '_>) -> Result<Read, Reason> {
        self.closed.push(half(cells)?);
        Ok(Read::Kept)
    }

    pub fn opened(&mut self, cells: &Cells<'_, '_>) -> Result<Read, Reason> {
        self.opened.push(half(cells)?);
        Ok(Read::Kept)
    }

    pub fn finish(mut self, parsed: &mut Parsed) {
        self.pair(parsed, |record| record.isin.clone());
        self.pair(parsed, |record| record.ticker.clone());
        self.closed.append(&mut self.opened);
        self.closed.sort_by_key(|half| half.line);
        for half in self.closed {
            parsed.error(half.line, Reason::CounterpartMissing);
        }
    }

    fn pair(&mut self, parsed: &mut Parsed, key: impl Fn(&Record) -> Option<String>) {
        let moment = |record: &Record| (record.date, record.time, record.line);
        self.closed.sort_by_key(moment);
        self.opened.sort_by_key(moment);
        let mut waiting: HashMap<String, Vec<Record>> = HashMap::new();
        let mut left = Vec::new();
        for opened in std::mem::take(&mut self.opened).into_iter().rev() {
            match key(&opened) {
                Some(key) => waiting.entry(key).or_default().push(opened),
                None => left.push(opened),
            }
        }
        for closed in std::mem::take(&mut self.closed) {
            let beside = key(&closed).and_then(|key| waiting.get_mut(&key));
            // Much earlier openings belong to a closing that is not in the file.
            let opened = beside.and_then(|opened| {
                while opened.last().is_some_and(|opened| days(opened.date, closed.date) > DAYS_APART_MAX) {
                    left.extend(opened.pop());
                }
                opened.pop_if(|opened| days(closed.date, opened.date) <= DAYS_APART_MAX)
            });
            match opened {
                Some(opened) => parsed.records.push(split(closed, &opened)),
                None => self.closed.push(closed),
            }
        }
        self.opened = left.into_iter().chain(waiting.into_values().flatten()).collect();
    }
}

fn half(cells: &Cells<'_, '_>) -> Result<Record, Reason> {
    let shares = cells.shares()?.filter(|shares| *shares > Decimal::ZERO).ok_or_else(|| Reason::missing("no. of shares"))?;
    Ok(Record { shares: Some(shares), ..cells.record(Kind::Split)? })
}

fn split(closed: Record, opened: &Record) -> Record {
    let (old, new) = (closed.shares.unwrap_or_default(), opened.shares.unwrap_or_default());
    let mut note = format!("{} shares became {}", old.normalize(), new.normalize());
    if let Some(isin) = opened.isin.as_ref().filter(|isin| closed.isin.as_ref() != Some(isin)) {
        note = format!("{note}, under the new ISIN {isin}");
    }
    let note = Some(note);
    Record { shares: None, ratio: split_ratio::of_exchange(old, new), note, joined: vec![opened.line], ..closed }
}
