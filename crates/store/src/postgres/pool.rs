//! Connections for transactions, and write locks.

use std::time::Duration;

use deadpool_postgres::{Connect, Manager, ManagerConfig, Object, PoolError, RecyclingMethod, Runtime, TimeoutType, Timeouts};
use futures_util::future::BoxFuture;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_postgres::Client;

use super::connect::{Address, CONNECT_TIME};
use super::failure::{failure, silent, unreachable};
use super::lease::Lease;
use super::lock_queue::{LockQueues, advisory_lock, of_user};
use super::run::{Failed, Kind, RunOptions, RunSettings};
use super::wait_budget::WaitBudget;
use crate::error::{Bug, Outage};
use crate::{Error, WriteLock};

/// How long a transaction waits for a connection before it fails because all are in use.
const CONNECTION_WAIT: Duration = Duration::from_secs(1);
/// How long a write waits for its lock at most, as with the embedded engine. It waits in steps, to tell a silent server from a
/// busy one.
const LOCK_WAIT: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_millis(250);

const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// The lock of all writes; an arbitrary number that is the same on every node.
const EVERYONE: i64 = 0x4452_4950_0000_0001;
const MARKET: i64 = 0x4452_4950_0000_0002;

pub(crate) struct Pool {
    pool: deadpool_postgres::Pool,
    run_settings: RunSettings,
    queues: LockQueues,
}

impl Pool {
    pub(super) fn new(address: Address, connections: usize, run_settings: RunSettings) -> Result<Pool, Error> {
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_connect(tokio_postgres::Config::new(), Hosts(address), recycling);
        let pool = deadpool_postgres::Pool::builder(manager).max_size(connections).runtime(Runtime::Tokio1).build();
        let pool = pool.map_err(|error| Bug::Pool { cause: error.to_string() })?;
        Ok(Pool { pool, run_settings, queues: LockQueues::default() })
    }

    pub(super) async fn read(&self) -> Result<Lease, Error> {
        self.begin(READ, &self.run_settings.options()).await.map_err(|failed| failed.error)
    }

    /// The lock is acquired by the first statement of the transaction. Each later statement sees everything committed before it,
    /// including what the lock's previous holder has stored; nobody else changes that while the lock is held.
    pub(super) async fn write(&self, lock: WriteLock) -> Result<Lease, Error> {
        let started = Instant::now();
        let options = self.run_settings.options();
        let wait = options.wait_budget.left().min(LOCK_WAIT);
        let guard = match key(lock) {
            Some(key) => Some(options.wait_budget.wait(self.queues.acquire(key, wait)).await.flatten().ok_or_else(busy)?),
            None => None,
        };
        // Waits a little longer for rows that others are about to commit.
        let sql = format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '{}ms'; {}; SET LOCAL lock_timeout = '1s'",
            STEP.as_millis(),
            lock_sql(lock)
        );
        loop {
            match self.begin(&sql, &options).await {
                Err(failed) if failed.kind == Kind::Waits && started.elapsed() + STEP < wait => {}
                Err(failed) => return Err(failed.error),
                Ok(mut lease) => {
                    lease.hold(guard);
                    return Ok(lease);
                }
            }
        }
    }

    pub(super) async fn connection(&self) -> Result<Object, Error> {
        self.connected(&self.run_settings.options().wait_budget).await
    }

    async fn connected(&self, wait_budget: &WaitBudget) -> Result<Object, Error> {
        let left = wait_budget.left();
        let connect = Some(left.min(CONNECT_TIME));
        let timeouts = Timeouts { wait: Some(left.min(CONNECTION_WAIT)), create: connect, recycle: connect };
        let got = wait_budget.wait(self.pool.timeout_get(&timeouts)).await;
        got.ok_or_else(silent)?.map_err(|error| refused(&error))
    }

    /// A pooled connection may have died since its last use: then another is tried, because nothing has happened yet.
    async fn begin(&self, sql: &str, options: &RunOptions) -> Result<Lease, Failed> {
        let mut again = true;
        loop {
            let connection = self.connected(&options.wait_budget).await.map_err(Failed::ours)?;
            let failed = match options.control(&connection, sql).await {
                Ok(()) => return Ok(Lease::new(connection, options.clone())),
                Err(failed) => failed,
            };
            match failed.is_broken() {
                true => drop(Object::take(connection)),
                false => drop(Lease::failed(connection, options.clone())),
            }
            if failed.kind != Kind::Gone || !again {
                return Err(failed);
            }
            again = false;
        }
    }
}

fn refused(error: &PoolError) -> Error {
    match error {
        PoolError::Timeout(TimeoutType::Wait) => Outage::ConnectionsInUse.into(),
        PoolError::Timeout(_) => silent(),
        PoolError::Backend(error) => failure(error),
        _ => unreachable(),
    }
}

/// Opens the connections of the pool.
struct Hosts(Address);

impl Connect for Hosts {
    fn connect(&self, _: &tokio_postgres::Config) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), tokio_postgres::Error>> {
        Box::pin(self.0.connect())
    }
}

fn busy() -> Error {
    Outage::ServerBusy.into()
}

/// `Everyone` is exclusive; the other locks are shared with each other.
fn lock_sql(lock: WriteLock) -> String {
    let shared = format!("SELECT pg_advisory_xact_lock_shared({EVERYONE})");
    match (lock, key(lock)) {
        (WriteLock::Everyone, _) => format!("SELECT pg_advisory_xact_lock({EVERYONE})"),
        (_, Some(key)) => format!("{shared}; {}", advisory_lock(key)),
        (_, None) => shared,
    }
}

/// The advisory lock's key, the same on all nodes.
fn key(lock: WriteLock) -> Option<i64> {
    match lock {
        WriteLock::Everyone => Some(EVERYONE),
        WriteLock::Market => Some(MARKET),
        WriteLock::User(user_id) => Some(of_user(user_id)),
        WriteLock::Key(key) => Some(key),
        WriteLock::Shared => None,
    }
}
