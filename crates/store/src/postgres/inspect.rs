//! Facts for `doctor`.

use super::Database;
use super::failure::failure;
use crate::{Error, Work};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerCondition {
    pub schema_version: i64,
    pub postgres_version: String,
    pub bytes: i64,
    /// Whether the replica responds, if there is one.
    pub replica_answers: Option<bool>,
}

impl Database {
    pub(crate) fn condition(&self) -> Work<'_, Result<ServerCondition, Error>> {
        Box::pin(async {
            let connection = self.primary.connection().await?;
            let sql =
                "SELECT version, current_setting('server_version'), pg_database_size(current_database()) FROM schema_version";
            let rows = connection.query_typed(sql, &[]).await.map_err(|error| failure(&error))?;
            let row = rows.first().ok_or_else(super::failure::unreachable)?;
            Ok(ServerCondition {
                schema_version: row.get(0),
                postgres_version: row.get(1),
                bytes: row.get(2),
                replica_answers: match &self.replica {
                    Some(replica) => Some(replica.answers().await),
                    None => None,
                },
            })
        })
    }
}
