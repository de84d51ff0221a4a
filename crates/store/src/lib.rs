//! The only SQL. Callers get rows and plain functions, one file per table, and never learn which engine answers.

mod error;
pub mod fold;
mod row;
mod sqlite;
pub mod statement;
mod tx;

pub mod accruals;
pub mod audit;
pub mod column_maps;
pub mod devices;
pub mod dividends;
pub mod email_changes;
pub mod entries;
pub mod feeds;
pub mod fx_rates;
pub mod held_back;
pub mod imports;
pub mod instruments;
pub mod invitations;
pub mod leases;
pub mod oauth;
pub mod portfolios;
pub mod prices;
pub mod provenance;
pub mod providers;
pub mod radar;
pub mod refreshes;
pub mod resets;
pub mod sessions;
pub mod sign_in_failures;
pub mod splits;
pub mod stocks;
pub mod tokens;
pub mod totp;
pub mod tracking;
pub mod uploads;
pub mod users;
pub mod versions;

use std::path::Path;
use std::sync::Arc;

pub use error::{Error, Rule};
pub use sessions::Visit;
pub use sqlite::inspect::Condition;
pub use tokens::Session;
pub use tx::Tx;
pub use versions::Versions;

use statement::Param;

/// The database. Cheap to clone; all clones share one writer and one pool of readers.
///
/// Needs a tokio runtime with its timer enabled.
#[derive(Clone)]
pub struct Store {
    database: Arc<sqlite::pool::Pool>,
}

impl Store {
    /// Opens `dripline.db` in the data folder, creates folder and file where missing, and migrates.
    pub async fn open(data_dir: &Path) -> Result<Store, Error> {
        sqlite::create_folder(data_dir)?;
        Store::open_file(&sqlite::file_in(data_dir)).await
    }

    /// Opens one database file, in a folder that exists, and migrates it.
    pub async fn open_file(path: &Path) -> Result<Store, Error> {
        Ok(Store { database: Arc::new(sqlite::open(path)?) })
    }

    /// A consistent view of the database as of its first statement; ends when dropped.
    pub async fn read(&self) -> Result<Tx, Error> {
        Ok(Tx::new(sqlite::pool::reader(&self.database).await?))
    }

    /// The one write transaction. Without [`Tx::commit`] nothing of it remains.
    pub async fn write(&self) -> Result<Tx, Error> {
        Ok(Tx::new(sqlite::pool::writer(&self.database).await?))
    }

    /// The session of a token that is not revoked, as committed by any process up to now. One statement: every request
    /// with a token pays for it. Expiry and the disabled flag are the caller's to judge, who has the clock.
    pub async fn session(&self, hash: &[u8; 32]) -> Result<Option<Session>, Error> {
        self.database.look_up(&tokens::SESSION, &[Param::Bytes(hash)], tokens::session)
    }

    /// The visitor whose cookie this is the hash of, as committed by any process up to now. One statement, like
    /// [`Store::session`]; age and the disabled flag are the caller's to judge.
    pub async fn visit(&self, hash: &[u8; 32]) -> Result<Option<Visit>, Error> {
        self.database.look_up(&sessions::VISIT, &[Param::Bytes(hash)], sessions::visit)
    }

    /// The versions of market data and tracking, as committed by any process up to now.
    pub async fn versions(&self) -> Result<Versions, Error> {
        self.database.look_up(&versions::GET, &[], versions::versions)?.ok_or_else(versions::missing)
    }

    /// Writes a checked copy of the database to `path` while others read and write.
    pub async fn backup_to(&self, path: &Path) -> Result<(), Error> {
        let (database, path) = (self.database.clone(), path.to_owned());
        sqlite::off_the_runtime(move || sqlite::backup::write(&database, &path)).await
    }

    /// Puts a backup in place of the database of a data folder, at once and as a whole, also while another process serves it.
    /// Versions rise above all that were there before, so that no answer cached until then is taken for a new one.
    pub async fn restore(backup: &Path, data_dir: &Path) -> Result<(), Error> {
        sqlite::create_folder(data_dir)?;
        let (backup, path) = (backup.to_owned(), sqlite::file_in(data_dir));
        sqlite::off_the_runtime(move || sqlite::restore::restore(&backup, &path)).await
    }

    /// What is wrong with the file, one line each; empty when it is sound. Reads the whole file.
    pub async fn integrity_check(&self) -> Result<Vec<String>, Error> {
        let database = self.database.clone();
        sqlite::off_the_runtime(move || sqlite::inspect::integrity(&database)).await
    }

    /// Moves the write-ahead log into the database file and empties it, so that deleted rows leave the disk.
    pub async fn checkpoint(&self) -> Result<(), Error> {
        sqlite::pool::checkpoint(&self.database).await
    }

    pub async fn schema_version(&self) -> Result<i64, Error> {
        sqlite::inspect::schema_version(&self.database)
    }

    /// Facts for a doctor: where the file is, how large, who may read it, which versions.
    pub async fn condition(&self) -> Result<Condition, Error> {
        sqlite::inspect::condition(&self.database)
    }
}
