//! Adds, changes and deletes entries of the ledger. Each write marks the positions it touches: see [`crate::positions`].

use uuid::Uuid;

use super::Entry;
use crate::statement::statements;
use crate::{Error, Tx, positions};

/// Adding more entries than this is a bulk write.
const BULK_ROWS: usize = 1_000;

/// Adds entries with the sequences they have; see [`super::next_sequence`].
pub async fn add(tx: &mut Tx, user_id: Uuid, entries: &[Entry]) -> Result<(), Error> {
    if entries.len() > BULK_ROWS {
        tx.grow_cache()?;
    }
    // In chunks, because the parameters need more memory than the entries.
    for some in entries.chunks(BULK_ROWS) {
        insert(tx, user_id, some).await?;
    }
    positions::mark_stale(tx, user_id, entries).await
}

async fn insert(tx: &mut Tx, user_id: Uuid, entries: &[Entry]) -> Result<(), Error> {
    // Formatted first, because parameters borrow their text.
    let ratios: Vec<Option<String>> = entries.iter().map(|entry| entry.ratio.map(|ratio| ratio.to_string())).collect();
    let rows = entries.iter().zip(&ratios).map(|(entry, ratio)| {
        [
            user_id.into(),
            entry.sequence.into(),
            entry.portfolio_id.into(),
            entry.date.into(),
            entry.kind.word().into(),
            entry.symbol.as_str().into(),
            entry.isin.as_deref().into(),
            entry.name.as_deref().into(),
            entry.shares.into(),
            entry.price.into(),
            entry.amount.into(),
            entry.fees.into(),
            entry.tax.into(),
            entry.net.into(),
            entry.currency.code().into(),
            entry.fx_rate.into(),
            ratio.as_deref().into(),
            entry.ex_date.into(),
            entry.source.as_str().into(),
            entry.source_id.as_deref().into(),
            entry.note.as_deref().into(),
            entry.identity.as_str().into(),
            entry.import_id.into(),
            entry.gross_known.into(),
        ]
    });
    tx.execute_all(&ADD, rows).await.map(drop)
}

/// A new symbol for an entry, and the new identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renaming {
    pub sequence: i64,
    pub symbol: String,
    pub identity: String,
}

/// In order.
pub async fn rename(tx: &mut Tx, user_id: Uuid, renamings: &[Renaming]) -> Result<(), Error> {
    let sequences: Vec<i64> = renamings.iter().map(|one| one.sequence).collect();
    positions::mark_stored(tx, user_id, &sequences).await?;
    let rows = renamings
        .iter()
        .map(|one| [one.symbol.as_str().into(), one.identity.as_str().into(), user_id.into(), one.sequence.into()]);
    tx.execute_all(&RENAME, rows).await?;
    positions::mark_stored(tx, user_id, &sequences).await
}

/// Replaces the entry with this sequence, but keeps its source, identity and import. False if the user has no such entry.
pub async fn update(tx: &mut Tx, user_id: Uuid, entry: &Entry) -> Result<bool, Error> {
    let ratio = entry.ratio.map(|ratio| ratio.to_string());
    let params = [
        entry.portfolio_id.into(),
        entry.date.into(),
        entry.kind.word().into(),
        entry.symbol.as_str().into(),
        entry.isin.as_deref().into(),
        entry.name.as_deref().into(),
        entry.shares.into(),
        entry.price.into(),
        entry.amount.into(),
        entry.fees.into(),
        entry.tax.into(),
        entry.net.into(),
        entry.currency.code().into(),
        entry.fx_rate.into(),
        ratio.as_deref().into(),
        entry.ex_date.into(),
        entry.note.as_deref().into(),
        entry.gross_known.into(),
        user_id.into(),
        entry.sequence.into(),
    ];
    positions::mark_stored(tx, user_id, &[entry.sequence]).await?;
    let known = tx.execute(&UPDATE, &params).await? > 0;
    if known {
        positions::mark_stale(tx, user_id, std::slice::from_ref(entry)).await?;
    }
    Ok(known)
}

/// False if the user has no such entry.
pub async fn delete(tx: &mut Tx, user_id: Uuid, sequence: i64) -> Result<bool, Error> {
    positions::mark_stored(tx, user_id, &[sequence]).await?;
    Ok(tx.execute(&DELETE, &[user_id.into(), sequence.into()]).await? > 0)
}

/// Returns how many entries of the import were left.
pub async fn delete_of_import(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<u64, Error> {
    positions::mark_of_import(tx, user_id, import_id).await?;
    tx.execute(&DELETE_OF_IMPORT, &[user_id.into(), import_id.into()]).await
}

statements! {
    ADD = "INSERT INTO entries
        (user_id, sequence, portfolio_id, date, type, symbol, isin, name, shares, price, amount, fees, tax, net, currency,
        fx_rate, ratio, ex_date, source, source_id, note, identity, import_id, gross_known)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)",
        [Uuid, Integer, Uuid, Date, Text, Text, Text, Text, Decimal, Decimal, Decimal, Decimal, Decimal, Decimal, Text,
        Decimal, Text, Date, Text, Text, Text, Text, Uuid, Boolean] => [];
    RENAME = "UPDATE entries SET symbol = $1, identity = $2 WHERE user_id = $3 AND sequence = $4",
        [Text, Text, Uuid, Integer] => [];
    UPDATE = "UPDATE entries SET portfolio_id = $1, date = $2, type = $3, symbol = $4, isin = $5, name = $6, shares = $7,
        price = $8, amount = $9, fees = $10, tax = $11, net = $12, currency = $13, fx_rate = $14, ratio = $15, ex_date = $16,
        note = $17, gross_known = $18 WHERE user_id = $19 AND sequence = $20",
        [Uuid, Date, Text, Text, Text, Text, Decimal, Decimal, Decimal, Decimal, Decimal, Decimal, Text, Decimal, Text, Date,
        Text, Boolean, Uuid, Integer] => [];
    DELETE = "DELETE FROM entries WHERE user_id = $1 AND sequence = $2", [Uuid, Integer] => [];
    DELETE_OF_IMPORT = "DELETE FROM entries WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => [];
}
