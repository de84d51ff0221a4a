//! The database, of either engine.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use uuid::Uuid;

use crate::error::{Bug, Fault};
use crate::postgres::inspect::ServerCondition;
use crate::row::Columns;
use crate::sqlite::inspect::FileCondition;
use crate::table::Query;
use crate::times::DatabaseTimes;
use crate::tx::{Lease, Tx};
use crate::value::Param;
use crate::{Error, Session, Versions, Visit, WriteLock, look_ups, postgres, sessions, sqlite, versions};

/// The database. Cheap to clone; all clones share its connections.
///
/// Needs a tokio runtime with its timer enabled.
#[derive(Clone)]
pub struct Store {
    engine: Engine,
    times: Arc<DatabaseTimes>,
}

#[derive(Clone)]
enum Engine {
    Sqlite(Arc<sqlite::pool::Pool>),
    Postgres(Arc<postgres::Database>),
}

impl Store {
    /// Opens `dripline.db` in the data folder, creates folder and file if missing, and migrates.
    pub async fn open(data_dir: &Path) -> Result<Store, Error> {
        sqlite::create_folder(data_dir)?;
        Store::open_file(&sqlite::file_in(data_dir)).await
    }

    /// Opens one database file in an existing folder, and migrates it.
    pub async fn open_file(path: &Path) -> Result<Store, Error> {
        Ok(Store::of(Engine::Sqlite(Arc::new(sqlite::open(path)?))))
    }

    /// Opens a PostgreSQL database and migrates it.
    pub async fn connect(settings: &postgres::Settings) -> Result<Store, Error> {
        Ok(Store::of(Engine::Postgres(Arc::new(postgres::Database::open(settings).await?))))
    }

    fn of(engine: Engine) -> Store {
        Store { engine, times: Arc::default() }
    }

    pub fn times(&self) -> &DatabaseTimes {
        &self.times
    }

    /// A consistent view of the database as of its first statement; ends when dropped.
    pub async fn read(&self) -> Result<Tx, Error> {
        let asked = Instant::now();
        let lease = match &self.engine {
            Engine::Sqlite(pool) => Lease::Sqlite(sqlite::lease::Lease::reading(pool).await?),
            Engine::Postgres(database) => Lease::Postgres(database.read().await?),
        };
        self.times.wait.note(asked.elapsed());
        Ok(Tx::new(lease, false, self.times.clone()))
    }

    /// Runs `work` on a consistent view of market data, which must not read any user's data: on a replica, if there is one that
    /// has caught up with the primary. If a replica fails midway, it is not used for a while, and the primary is read instead.
    pub async fn with_market<T, E, F>(&self, work: impl Fn(Tx) -> F) -> Result<T, E>
    where
        E: From<Error>,
        F: Future<Output = Result<T, E>>,
    {
        let Some((database, tx)) = self.replica_of_now().await? else { return work(self.read().await?).await };
        match work(tx).await {
            Ok(made) => Ok(made),
            Err(_) => {
                database.pause_replica();
                work(self.read().await?).await
            }
        }
    }

    async fn replica_of_now(&self) -> Result<Option<(&postgres::Database, Tx)>, Error> {
        let Engine::Postgres(database) = &self.engine else { return Ok(None) };
        if !database.has_replica() {
            return Ok(None);
        }
        let wanted = self.versions().await?;
        let Some(lease) = database.read_replica().await else { return Ok(None) };
        let mut tx = Tx::new(Lease::Postgres(lease), false, self.times.clone());
        match versions::get(&mut tx).await {
            Ok(found) => Ok(found.reaches(&wanted).then_some((database, tx))),
            Err(_) => {
                database.pause_replica();
                Ok(None)
            }
        }
    }

    /// A write transaction that excludes all others. Without [`Tx::commit`] it is rolled back.
    pub async fn write(&self) -> Result<Tx, Error> {
        self.write_in(WriteLock::Everyone).await
    }

    /// A write transaction for one user's data.
    pub async fn write_for(&self, user_id: Uuid) -> Result<Tx, Error> {
        self.write_in(WriteLock::User(user_id)).await
    }

    pub async fn write_in(&self, turn: WriteLock) -> Result<Tx, Error> {
        let asked = Instant::now();
        let lease = match &self.engine {
            Engine::Sqlite(pool) => Lease::Sqlite(sqlite::lease::Lease::writing(pool).await?),
            Engine::Postgres(database) => Lease::Postgres(database.write(turn).await?),
        };
        self.times.wait.note(asked.elapsed());
        Ok(Tx::new(lease, true, self.times.clone()))
    }

    /// The session of a token that is not revoked, as of the latest commit of any process. One statement, run for every request
    /// with a token unless nothing was committed since. The caller, who has the clock, checks expiry and the disabled flag.
    pub async fn session(&self, hash: &[u8; 32]) -> Result<Option<Session>, Error> {
        match &self.engine {
            Engine::Sqlite(pool) => pool.session(hash),
            Engine::Postgres(database) => database.session(hash).await,
        }
    }

    /// The same if no waiting is needed, else `None`.
    pub fn session_at_once(&self, hash: &[u8; 32]) -> Option<Result<Option<Session>, Error>> {
        match &self.engine {
            Engine::Sqlite(pool) => Some(pool.session(hash)),
            Engine::Postgres(_) => None,
        }
    }

    /// The visitor with this cookie hash, as of the latest commit of any process. One statement, like [`Store::session`]; the
    /// caller checks age and the disabled flag.
    pub async fn visit(&self, hash: &[u8; 32]) -> Result<Option<Visit>, Error> {
        self.look_up(&sessions::VISIT, &[hash.into()]).await
    }

    /// The versions of market data and tracking, as of the latest commit of any process.
    pub async fn versions(&self) -> Result<Versions, Error> {
        match &self.engine {
            Engine::Sqlite(pool) => pool.versions(),
            Engine::Postgres(database) => database.look_up(&look_ups::VERSIONS, &[]).await?.ok_or_else(look_ups::version_missing),
        }
    }

    /// The same if no waiting is needed, else `None`.
    pub fn versions_at_once(&self) -> Option<Result<Versions, Error>> {
        match &self.engine {
            Engine::Sqlite(pool) => Some(pool.versions()),
            Engine::Postgres(_) => None,
        }
    }

    async fn look_up<R: Columns>(&self, query: &'static Query<R>, params: &[Param<'_>]) -> Result<Option<R>, Error> {
        match &self.engine {
            Engine::Sqlite(pool) => pool.look_up(query, params),
            Engine::Postgres(database) => database.look_up(query, params).await,
        }
    }

    /// Writes a checked copy of the embedded database to `path` while others read and write.
    pub async fn backup_file_to(&self, path: &Path) -> Result<(), Error> {
        let Engine::Sqlite(pool) = &self.engine else {
            return Err(Bug::NoDatabaseFile.into());
        };
        let (source, path) = (pool.path().to_owned(), path.to_owned());
        sqlite::off_the_runtime(move || sqlite::backup::write(&source, &path)).await
    }

    /// Replaces the database of a data folder with a backup, atomically, even while another process serves it. Versions rise
    /// above all earlier ones, so that no cached answer is taken for a new one.
    pub async fn restore(backup: &Path, data_dir: &Path) -> Result<(), Error> {
        sqlite::create_folder(data_dir)?;
        let (backup, path) = (backup.to_owned(), sqlite::file_in(data_dir));
        sqlite::off_the_runtime(move || sqlite::restore::restore(&backup, &path)).await
    }

    /// What is wrong with the file; empty if it is intact. Reads the whole file. A damaged file is neither read nor written again
    /// until it is reopened. A server checks its own files.
    pub async fn integrity_check(&self) -> Result<Vec<Fault>, Error> {
        match &self.engine {
            Engine::Sqlite(pool) => {
                let pool = pool.clone();
                sqlite::off_the_runtime(move || sqlite::inspect::integrity(&pool)).await
            }
            Engine::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Whether a check or a statement found damage in the file since it was opened. `None` for a server.
    pub fn is_damaged(&self) -> Option<bool> {
        match &self.engine {
            Engine::Sqlite(pool) => Some(pool.is_damaged()),
            Engine::Postgres(_) => None,
        }
    }

    /// Moves the write-ahead log into the database file and empties it, so that deleted rows leave the disk. A server does that
    /// by itself.
    pub async fn checkpoint(&self) -> Result<(), Error> {
        match &self.engine {
            Engine::Sqlite(pool) => pool.checkpoint().await,
            Engine::Postgres(_) => Ok(()),
        }
    }

    pub async fn schema_version(&self) -> Result<i64, Error> {
        match &self.engine {
            Engine::Sqlite(pool) => sqlite::inspect::schema_version(pool),
            Engine::Postgres(database) => Ok(database.condition().await?.schema_version),
        }
    }

    /// Facts for `doctor`.
    pub async fn condition(&self) -> Result<Condition, Error> {
        Ok(match &self.engine {
            Engine::Sqlite(pool) => Condition::File(sqlite::inspect::condition(pool)?),
            Engine::Postgres(database) => Condition::Server(database.condition().await?),
        })
    }

    /// The path of the database file; `None` for a server.
    pub fn file(&self) -> Option<&Path> {
        match &self.engine {
            Engine::Sqlite(pool) => Some(pool.path()),
            Engine::Postgres(_) => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    File(FileCondition),
    Server(ServerCondition),
}
