//! The whole ledger of a user in Dripline's own file format.

use std::collections::{HashMap, HashSet};

use importers::Record;
use jiff::civil::Date;
use store::entries::{self, Entry};
use uuid::Uuid;

use crate::account::Account;
use crate::accounts::by_email;
use crate::{App, Error};

/// In an order that, imported into an empty account, gives the same answers.
pub async fn ledger_file(app: &App, email: &str) -> Result<Vec<u8>, Error> {
    let mut tx = app.store.read().await?;
    let user_id = by_email(&mut tx, email).await?.id;
    let account = Account::load(&mut tx, user_id, None).await?;
    let entries = entries::of_user(&mut tx, user_id).await?;
    let filled: HashSet<Uuid> = entries.iter().map(|entry| entry.portfolio_id).collect();
    let wanted: Vec<Uuid> = account.portfolios.iter().map(|row| row.id).filter(|id| filled.contains(id)).collect();
    let entries = in_file_order(entries, &wanted);
    let records: Vec<Record> = entries.into_iter().map(|entry| record(entry, &account)).collect();
    Ok(importers::write_ledger_file(&records))
}

/// An import makes portfolios in the order their rows come, the first one the default; and only the order within a day
/// means anything. So whole days are moved to the front until the portfolios come as they should, as far as that goes.
fn in_file_order(entries: Vec<Entry>, wanted: &[Uuid]) -> Vec<Entry> {
    let mut days: Vec<Vec<Entry>> = Vec::new();
    let mut places: HashMap<Date, usize> = HashMap::new();
    for entry in entries {
        let place = *places.entry(entry.date).or_insert_with(|| {
            days.push(Vec::new());
            days.len() - 1
        });
        days[place].push(entry);
    }
    let mut seen: Vec<Uuid> = Vec::new();
    let mut front = Vec::new();
    while let Some(next) = days.iter().position(|day| continues(day, &seen, wanted)) {
        let day = days.remove(next);
        seen.extend(unseen(&day, &seen));
        front.push(day);
    }
    front.into_iter().chain(days).flatten().collect()
}

/// Whether the day brings portfolios that were not there yet, and just the ones that are to come next.
fn continues(day: &[Entry], seen: &[Uuid], wanted: &[Uuid]) -> bool {
    let new = unseen(day, seen);
    let next = wanted.iter().filter(|id| !seen.contains(id));
    !new.is_empty() && new.iter().eq(next.take(new.len()))
}

fn unseen(day: &[Entry], seen: &[Uuid]) -> Vec<Uuid> {
    let mut new: Vec<Uuid> = Vec::new();
    for entry in day {
        if !seen.contains(&entry.portfolio_id) && !new.contains(&entry.portfolio_id) {
            new.push(entry.portfolio_id);
        }
    }
    new
}

fn record(entry: Entry, account: &Account) -> Record {
    Record {
        line: 0,
        date: entry.date,
        kind: entry.kind,
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
        portfolio: Some(account.name_of(entry.portfolio_id).to_owned()),
        source: Some(entry.source),
        id: entry.source_id,
        note: entry.note,
    }
}
