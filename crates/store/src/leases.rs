//! Leases for work that only one of the processes sharing the database may do.

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = leases [name] { name: String, holder: String, held_until: i64 } }

/// Takes or extends the lease. False while another process holds it.
pub async fn take(tx: &mut Tx, name: &str, holder: &str, now: i64, until: i64) -> Result<bool, Error> {
    let taken = tx.execute(&TAKE, &[name.into(), holder.into(), until.into(), now.into()]).await?;
    Ok(taken > 0)
}

/// Releases the lease at once; does nothing if somebody else holds it.
pub async fn release(tx: &mut Tx, name: &str, holder: &str) -> Result<(), Error> {
    tx.execute(&RELEASE, &[name.into(), holder.into()]).await.map(drop)
}

statements! {
    TAKE = "INSERT INTO leases (name, holder, held_until) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
        WHERE leases.holder = excluded.holder OR leases.held_until <= $4", [Text, Text, Integer, Integer] => ();
    RELEASE = "DELETE FROM leases WHERE name = $1 AND holder = $2", [Text, Text] => ();
}
