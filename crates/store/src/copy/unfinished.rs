//! Marks a database whose copy is unfinished: a lease that nobody can take and that is not copied.

use uuid::Uuid;

use super::tables::{TABLES, Table};
use crate::error::CopyProblem;
use crate::table::statements;
use crate::value::Param;
use crate::{Error, Store, Tx};

const NAME: &str = "copy";

/// Tables that a service fills merely by starting; nothing is lost by replacing them.
const OF_A_START: [&str; 6] = ["versions", "leases", "refreshes", "providers", "fx_rates", "encryption_keys"];

/// Whether a copy into this database was begun and not finished: it must not be served.
pub async fn is_unfinished(tx: &mut Tx) -> Result<bool, Error> {
    Ok(holder(tx).await?.is_some())
}

/// One run of a copy; a later run takes over.
pub(super) struct Marker {
    holder: String,
}

impl Marker {
    /// Only in a database that is empty or has an unfinished copy.
    pub(super) async fn set(to: &Store) -> Result<Marker, Error> {
        let marker = Marker { holder: Uuid::now_v7().to_string() };
        let mut tx = to.write().await?;
        if !is_unfinished(&mut tx).await? {
            refuse_filled(&mut tx).await?;
        }
        tx.execute(&SET, &[NAME.into(), marker.holder.as_str().into()]).await?;
        tx.commit().await?;
        Ok(marker)
    }

    /// Belongs in every transaction that writes.
    pub(super) async fn check(&self, tx: &mut Tx) -> Result<(), Error> {
        match holder(tx).await? {
            Some(holder) if holder == self.holder => Ok(()),
            _ => Err(CopyProblem::AnotherStarted.into()),
        }
    }

    pub(super) async fn clear(self, to: &Store) -> Result<(), Error> {
        let mut tx = to.write().await?;
        self.check(&mut tx).await?;
        tx.execute(&CLEAR, &[NAME.into()]).await?;
        tx.commit().await
    }
}

pub(super) fn is_marker(table: &Table, row: &[Param<'_>]) -> bool {
    table.name == "leases" && matches!(row.first(), Some(Param::Text(name)) if name == NAME)
}

async fn holder(tx: &mut Tx) -> Result<Option<String>, Error> {
    tx.query_one(&HOLDER, &[NAME.into()]).await
}

async fn refuse_filled(tx: &mut Tx) -> Result<(), Error> {
    for table in TABLES.iter().filter(|table| !OF_A_START.contains(&table.name)) {
        if table.rows(tx).await? > 0 {
            return Err(CopyProblem::TargetNotEmpty { table: table.name }.into());
        }
    }
    Ok(())
}

statements! {
    SET = "INSERT INTO leases (name, holder, held_until) VALUES ($1, $2, 0)
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder", [Text, Text] => ();
    HOLDER = "SELECT holder FROM leases WHERE name = $1", [Text] => String;
    CLEAR = "DELETE FROM leases WHERE name = $1", [Text] => ();
}
