//! Snapshots of positions: what the entries of one portfolio and symbol add up to, as computed by `app`; plain bytes here. Every
//! write of entries marks their positions in the same transaction, so no snapshot is ever outdated: a marked position has none.

use std::collections::BTreeSet;

use jiff::civil::Date;
use ledger::{Currency, Ratio, Split};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::table::{record, statements, table};
use crate::{Error, Tx};

table! {
    TABLE = positions [user_id, portfolio_id, symbol] { user_id: Uuid }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Position {
        pub portfolio_id: Uuid,
        pub symbol: String,
        /// `None` if its entries have changed since it was computed.
        pub snapshot: Option<Vec<u8>> as fold,
    }
}

/// One per portfolio and symbol with entries. A position whose entries are all gone may also be listed, without a snapshot.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Position>, Error> {
    tx.query(&OF_USER, &[user_id.into()]).await
}

/// The positions of all symbols of which at least one has no snapshot, in any portfolio.
pub async fn of_marked_symbols(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Position>, Error> {
    tx.query(&OF_MARKED_SYMBOLS, &[user_id.into()]).await
}

/// Stores the snapshots of existing positions.
pub async fn keep(tx: &mut Tx, user_id: Uuid, snapshots: &[(Uuid, &str, Vec<u8>)]) -> Result<(), Error> {
    let rows = snapshots.iter().map(|(portfolio_id, symbol, snapshot)| {
        [snapshot.as_slice().into(), user_id.into(), (*portfolio_id).into(), (*symbol).into()]
    });
    tx.execute_all(&KEEP, rows).await.map(drop)
}

/// Deletes positions that have no entries any more.
pub async fn remove(tx: &mut Tx, user_id: Uuid, gone: &[(Uuid, &str)]) -> Result<(), Error> {
    let rows = gone.iter().map(|(portfolio_id, symbol)| [user_id.into(), (*portfolio_id).into(), (*symbol).into()]);
    tx.execute_all(&REMOVE, rows).await.map(drop)
}

record! {
    /// A symbol with its market data.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Traded {
        pub symbol: String,
        pub currency: Currency,
        pub placeholder: bool,
    }
}

/// The user's symbols that have a stock; a symbol in several portfolios is repeated.
pub async fn traded(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Traded>, Error> {
    tx.query(&TRADED, &[user_id.into()]).await
}

/// Market splits of the user's symbols, the oldest of each first.
pub async fn splits(tx: &mut Tx, user_id: Uuid) -> Result<Vec<(String, Split)>, Error> {
    let rows = tx.query(&SPLITS, &[user_id.into()]).await?;
    Ok(rows.into_iter().map(|(symbol, date, new, old)| (symbol, Split { date, ratio: Ratio { new, old } })).collect())
}

pub(crate) async fn mark_stale(
    tx: &mut Tx,
    user_id: Uuid,
    positions: impl IntoIterator<Item = (Uuid, &str)>,
) -> Result<(), Error> {
    // In key order, to avoid deadlocks.
    let touched: BTreeSet<(Uuid, &str)> = positions.into_iter().collect();
    let rows = touched.into_iter().map(|(portfolio_id, symbol)| [user_id.into(), portfolio_id.into(), symbol.into()]);
    tx.execute_all(&MARK, rows).await.map(drop)
}

/// The positions of the stored entries with these sequences.
pub(crate) async fn mark_stored(tx: &mut Tx, user_id: Uuid, sequences: &[i64]) -> Result<(), Error> {
    tx.execute_all(&MARK_STORED, sequences.iter().map(|sequence| [user_id.into(), (*sequence).into()])).await.map(drop)
}

pub(crate) async fn mark_of_import(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<(), Error> {
    tx.execute(&MARK_OF_IMPORT, &[user_id.into(), import_id.into()]).await.map(drop)
}

statements! {
    OF_USER = "SELECT * FROM positions WHERE user_id = $1", [Uuid] => Position;
    OF_MARKED_SYMBOLS = "SELECT * FROM positions WHERE user_id = $1
        AND symbol IN (SELECT symbol FROM positions WHERE user_id = $1 AND fold IS NULL)", [Uuid] => Position;
    KEEP = "UPDATE positions SET fold = $1 WHERE user_id = $2 AND portfolio_id = $3 AND symbol = $4",
        [Bytes, Uuid, Uuid, Text] => ();
    REMOVE = "DELETE FROM positions WHERE user_id = $1 AND portfolio_id = $2 AND symbol = $3", [Uuid, Uuid, Text] => ();
    TRADED = "SELECT p.symbol, s.currency, s.placeholder FROM positions p JOIN stocks s ON s.symbol = p.symbol
        WHERE p.user_id = $1", [Uuid] => Traded;
    SPLITS = "SELECT s.symbol, s.date, s.new_shares, s.old_shares FROM splits s WHERE s.symbol IN
        (SELECT p.symbol FROM positions p WHERE p.user_id = $1) ORDER BY s.symbol, s.date",
        [Uuid] => (String, Date, Decimal, Decimal);
    MARK = "INSERT INTO positions (user_id, portfolio_id, symbol) VALUES ($1, $2, $3)
        ON CONFLICT (user_id, portfolio_id, symbol) DO UPDATE SET fold = NULL", [Uuid, Uuid, Text] => ();
    MARK_STORED = "INSERT INTO positions (user_id, portfolio_id, symbol)
        SELECT user_id, portfolio_id, symbol FROM entries WHERE user_id = $1 AND sequence = $2
        ON CONFLICT (user_id, portfolio_id, symbol) DO UPDATE SET fold = NULL", [Uuid, Integer] => ();
    MARK_OF_IMPORT = "INSERT INTO positions (user_id, portfolio_id, symbol)
        SELECT DISTINCT user_id, portfolio_id, symbol FROM entries WHERE user_id = $1 AND import_id = $2
        ON CONFLICT (user_id, portfolio_id, symbol) DO UPDATE SET fold = NULL", [Uuid, Uuid] => ();
}
