//! A user's whole ledger as a file.

use std::collections::HashSet;

use importers::Record;
use jiff::civil::Date;
use store::entries::{self, Entry};
use uuid::Uuid;

use super::reference;
use crate::portfolios::account::Account;
use crate::{App, Error};

/// The file formats of the ledger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Everything, so that importing it again gives the same answers.
    Dripline,
    /// A plain table for spreadsheets and other trackers.
    Generic,
}

/// In Dripline's own format.
pub async fn ledger_file(app: &App, user_id: Uuid) -> Result<Vec<u8>, Error> {
    Ok(importers::write_ledger_file(&of_user(app, user_id).await?))
}

pub async fn write(app: &App, user_id: Uuid, form: Form) -> Result<Vec<u8>, Error> {
    let mut records = of_user(app, user_id).await?;
    Ok(match form {
        Form::Dripline => importers::write_ledger_file(&records),
        Form::Generic => {
            // Other programs read a table from its first day to its last, and so does our importer.
            records.sort_by_key(|record| record.date);
            importers::generic::write(&records)
        }
    })
}

/// In an order that gives the same answers when imported into an empty account.
async fn of_user(app: &App, user_id: Uuid) -> Result<Vec<Record>, Error> {
    let mut tx = app.store.read().await?;
    let account = Account::load(&mut tx, user_id, None).await?;
    let entries = entries::of_user(&mut tx, user_id).await?;
    let filled: HashSet<Uuid> = entries.iter().map(|entry| entry.portfolio_id).collect();
    let wanted: Vec<Uuid> = account.portfolios.iter().map(|row| row.id).filter(|id| filled.contains(id)).collect();
    Ok(records(in_file_order(entries, &wanted), &account))
}

/// As rows of a ledger file.
pub(super) fn records(entries: Vec<Entry>, account: &Account) -> Vec<Record> {
    let numbers = reference::numbers(&entries);
    let row = |entry: Entry| {
        let portfolio = account.name_of(entry.portfolio_id);
        let reinvestment = numbers.get(&entry.sequence).copied();
        Record { reinvestment, ..record(entry, Some(portfolio)) }
    };
    entries.into_iter().map(row).collect()
}

/// An import creates portfolios in the order of their rows, and the first becomes the default; apart from that, only the order
/// within a day matters. So rows are moved to the front, each with the earlier rows of its day, until the portfolios come in the
/// right order, as far as possible; the rest stays as recorded.
fn in_file_order(entries: Vec<Entry>, wanted: &[Uuid]) -> Vec<Entry> {
    let mut front = Vec::new();
    let mut rest = entries;
    let mut seen: HashSet<Uuid> = HashSet::new();
    for id in wanted {
        if let Some((date, up_to)) = opening(&rest, *id, &seen) {
            let (moved, left) = rest.into_iter().partition(|entry| entry.date == date && entry.sequence <= up_to);
            rest = left;
            front.extend::<Vec<Entry>>(moved);
        }
        seen.insert(*id);
    }
    front.extend(rest);
    front
}

/// The first row of the portfolio that is only preceded, on its day, by rows of portfolios already seen.
fn opening(entries: &[Entry], id: Uuid, seen: &HashSet<Uuid>) -> Option<(Date, i64)> {
    let mut closed: HashSet<Date> = HashSet::new();
    for entry in entries {
        if entry.portfolio_id == id && !closed.contains(&entry.date) {
            return Some((entry.date, entry.sequence));
        }
        if !seen.contains(&entry.portfolio_id) {
            closed.insert(entry.date);
        }
    }
    None
}

/// As a row of the ledger file.
pub(crate) fn record(entry: Entry, portfolio: Option<&str>) -> Record {
    Record {
        symbol: Some(entry.symbol),
        isin: entry.isin,
        name: entry.name,
        shares: entry.shares,
        price: entry.price,
        amount: entry.amount,
        fees: entry.fees,
        tax: entry.tax,
        net: entry.net,
        currency: Some(entry.currency),
        fx_rate: entry.fx_rate,
        ratio: entry.ratio,
        ex_date: entry.ex_date,
        portfolio: portfolio.map(str::to_owned),
        source: Some(entry.source),
        id: entry.source_id,
        note: entry.note,
        ..Record::new(0, entry.date, entry.kind)
    }
}
