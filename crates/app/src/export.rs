//! The whole ledger of a user in Dripline's own file format.

use importers::Record;
use store::entries::{self, Entry};

use crate::account::Account;
use crate::accounts::by_email;
use crate::{App, Error};

/// In order of recording, so that importing it into an empty account gives the same answers.
pub async fn ledger_file(app: &App, email: &str) -> Result<Vec<u8>, Error> {
    let mut tx = app.store.read().await?;
    let user_id = by_email(&mut tx, email).await?.id;
    let account = Account::load(&mut tx, user_id, None).await?;
    let entries = entries::of_user(&mut tx, user_id).await?;
    let records: Vec<Record> = entries.into_iter().map(|entry| record(entry, &account)).collect();
    Ok(importers::write_ledger_file(&records))
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
