//! The entries that each user deleted last, so that deleting them can be undone.

use uuid::Uuid;

use crate::entries::Entry;
use crate::row::Columns;
use crate::table::{record, statements, table};
use crate::{Error, Tx};

table! {
    TABLE = deleted_entries [user_id, sequence] { user_id: Uuid }

    #[derive(Debug, Clone, PartialEq)]
    pub struct Deleted {
        /// The same for all that were deleted together.
        pub deletion_id: Uuid,
        pub deleted_at: i64,
        pub entry: Entry,
    }
}

record! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Deletion {
        pub deletion_id: Uuid,
        pub deleted_at: i64,
        pub entries: i64,
    }
}

/// Replaces those that were deleted before.
pub async fn put(tx: &mut Tx, user_id: Uuid, deletion_id: Uuid, deleted_at: i64, entries: &[Entry]) -> Result<(), Error> {
    clear(tx, user_id).await?;
    let rows: Vec<_> =
        entries.iter().map(|entry| entry.params_after([user_id.into(), deletion_id.into(), deleted_at.into()])).collect();
    tx.execute_rows(&ADD, &rows).await.map(drop)
}

/// The user's last deletion.
pub async fn last(tx: &mut Tx, user_id: Uuid) -> Result<Option<Deletion>, Error> {
    tx.query_one(&LAST, &[user_id.into()]).await
}

/// In the order of recording.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Deleted>, Error> {
    tx.query(&OF_USER, &[user_id.into()]).await
}

/// Gives them the symbols and identities of these, and what they reinvest.
pub async fn rename(tx: &mut Tx, user_id: Uuid, entries: &[Entry]) -> Result<(), Error> {
    let rows = entries.iter().map(|one| {
        [(&one.symbol).into(), (&one.identity).into(), one.reinvests.as_ref().into(), user_id.into(), one.sequence.into()]
    });
    tx.execute_all(&RENAME, rows).await.map(drop)
}

pub async fn clear(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    tx.execute(&CLEAR, &[user_id.into()]).await.map(drop)
}

/// Some of the users whose last deletion was before an instant.
pub async fn expired(tx: &mut Tx, instant: i64) -> Result<Vec<Uuid>, Error> {
    tx.query(&EXPIRED, &[instant.into()]).await
}

/// Those that were deleted before an instant; returns how many there were.
pub async fn delete_before(tx: &mut Tx, user_id: Uuid, instant: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_BEFORE, &[user_id.into(), instant.into()]).await
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    LAST = "SELECT deletion_id, deleted_at, COUNT(*) FROM deleted_entries WHERE user_id = $1
        GROUP BY deletion_id, deleted_at ORDER BY deleted_at DESC LIMIT 1", [Uuid] => Deletion;
    OF_USER = "SELECT * FROM deleted_entries WHERE user_id = $1 ORDER BY sequence", [Uuid] => Deleted;
    RENAME = "UPDATE deleted_entries SET symbol = $1, identity = $2, reinvests = $3 WHERE user_id = $4 AND sequence = $5",
        [Text, Text, Text, Uuid, Integer] => ();
    CLEAR = "DELETE FROM deleted_entries WHERE user_id = $1", [Uuid] => ();
    EXPIRED = "SELECT DISTINCT user_id FROM deleted_entries WHERE deleted_at < $1 LIMIT 100", [Integer] => Uuid;
    DELETE_BEFORE = "DELETE FROM deleted_entries WHERE user_id = $1 AND deleted_at < $2", [Uuid, Integer] => ();
}
