//! The parts of a booking, on a separate sheet of the workbook: a dividend before tax, and the tax withheld.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::Decimal;

use super::rows::{COLUMNS, day_of};
use crate::reading::{Line, Table, folded};
use crate::{Opened, Record};

/// By the id of the row they are parts of.
#[derive(Default)]
pub struct Bookings(HashMap<String, Parts>);

#[derive(Default)]
struct Parts {
    gross: Decimal,
    withheld: Decimal,
    others: Decimal,
    ex_date: Option<Date>,
    shares: Option<Decimal>,
}

const ID: &str = "bk record id";

impl Bookings {
    pub fn of(file: &Opened) -> Bookings {
        let mut bookings = Bookings::default();
        let with_parts = |table: &Table<'_>| COLUMNS.words_for("part").iter().any(|name| table.has(name));
        for table in file.sheets.iter().filter_map(|sheet| Table::of(sheet, &[ID])).filter(with_parts) {
            for line in table.lines() {
                bookings.add(&line);
            }
        }
        bookings
    }

    fn add(&mut self, line: &Line<'_, '_>) {
        let amount = COLUMNS.words_for("booked").iter().find_map(|name| line.figure(name).ok().flatten());
        let (Some(id), Some(kind), Some(amount)) = (line.text(ID), line.any(COLUMNS.words_for("part")), amount) else { return };
        let parts = self.0.entry(id.to_owned()).or_default();
        let kind = folded(kind);
        let has = |words: &str| words.split('|').any(|word| kind.contains(word));
        let part = match () {
            () if has("tax|belasting|voorheffing|steuer|impot|precompte|retenue|skat|skatt") => &mut parts.withheld,
            () if has("dividend|udbytte|utbytte|utdelning|ausschuttung|distribution") => &mut parts.gross,
            () => &mut parts.others,
        };
        *part = part.saturating_add(amount);
        parts.ex_date = parts.ex_date.or_else(|| day_of("ex-date", line.any(COLUMNS.words_for("ex date"))?).ok());
        parts.shares = parts.shares.or_else(|| line.figure("eligible quantity").ok().flatten());
    }

    /// Sets gross and tax of the dividend, if its parts are known and add up to the booked amount.
    pub fn complete(&self, id: &str, net: Decimal, record: &mut Record) {
        let Some(parts) = self.0.get(id) else { return };
        let sum = parts.gross.saturating_add(parts.withheld).saturating_add(parts.others);
        if parts.gross.is_zero() || sum.saturating_sub(net).abs() > Decimal::new(2, 2) {
            return;
        }
        record.amount = Some(parts.gross);
        record.tax = Some(Decimal::ZERO.saturating_sub(parts.withheld));
        record.ex_date = parts.ex_date;
        record.shares = parts.shares.filter(|shares| *shares > Decimal::ZERO);
    }
}
