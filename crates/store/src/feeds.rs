//! Calendar feeds, stored as the SHA-256 of their secret only.

use uuid::Uuid;

use crate::row::Columns;
use crate::table::{record, statements, table};
use crate::{Error, Tx};

table! {
    TABLE = feeds [hash] { hash: [u8; 32], user_id: Uuid }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Feed {
        pub id: Uuid,
        pub name: String,
        pub created_at: i64,
        pub last_used_at: Option<i64>,
    }
}

record! {
    /// The owner of a feed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Owner {
        pub feed_id: Uuid,
        pub user_id: Uuid,
        pub disabled: bool,
        pub last_used_at: Option<i64>,
    }
}

pub async fn add(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32], feed: &Feed) -> Result<(), Error> {
    tx.execute(&ADD, &feed.params_after([hash.into(), user_id.into()])).await.map(drop)
}

/// Oldest first.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Feed>, Error> {
    tx.query(&LIST, &[user_id.into()]).await
}

pub async fn owner(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<Owner>, Error> {
    tx.query_one(&OWNER, &[hash.into()]).await
}

pub async fn touch(tx: &mut Tx, user_id: Uuid, id: Uuid, at: i64) -> Result<(), Error> {
    tx.execute(&TOUCH, &[at.into(), user_id.into(), id.into()]).await.map(drop)
}

/// False if the user has no such feed.
pub async fn delete(tx: &mut Tx, user_id: Uuid, id: Uuid) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE, &[user_id.into(), id.into()]).await? > 0)
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    LIST = "SELECT * FROM feeds WHERE user_id = $1 ORDER BY created_at, id", [Uuid] => Feed;
    OWNER = "SELECT f.id, f.user_id, u.disabled, f.last_used_at FROM feeds f JOIN users u ON u.id = f.user_id WHERE f.hash = $1",
        [Bytes] => Owner;
    TOUCH = "UPDATE feeds SET last_used_at = $1 WHERE user_id = $2 AND id = $3", [Integer, Uuid, Uuid] => ();
    DELETE = "DELETE FROM feeds WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => ();
}
