//! For tests only: a temporary database on a running PostgreSQL server.
//!
//! `DRIPLINE_TEST_POSTGRES` is the address of a server whose user may make databases. `DRIPLINE_TEST_ENGINE=postgres` has the suites
//! that hold for both engines run on it; without it they run on SQLite.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use tokio::runtime;
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

/// A temporary database, deleted when dropped.
pub struct Scratch {
    name: String,
}

/// Whether the suites for both engines are to run on PostgreSQL.
pub fn is_chosen() -> bool {
    match std::env::var("DRIPLINE_TEST_ENGINE").as_deref() {
        Ok("postgres") => true,
        Ok("sqlite" | "") | Err(_) => false,
        Ok(other) => panic!("DRIPLINE_TEST_ENGINE is {other}; it is sqlite or postgres"),
    }
}

impl Scratch {
    /// A copy of a database that `migrate` has brought to the current schema.
    pub async fn migrated<F: Future<Output = ()>>(migrate: impl FnOnce(String) -> F) -> Scratch {
        let admin = connect().await;
        // One test creates the template; the others wait for it.
        admin.batch_execute("SELECT pg_advisory_lock(7)").await.unwrap();
        let there = admin.query("SELECT 1 FROM pg_database WHERE datname = 'model_of_tests'", &[]).await.unwrap();
        if there.is_empty() {
            admin.batch_execute("DROP DATABASE IF EXISTS model_in_the_making").await.unwrap();
            admin.batch_execute("CREATE DATABASE model_in_the_making").await.unwrap();
            migrate(address("model_in_the_making")).await;
            close_all(&admin, "model_in_the_making").await;
            admin.batch_execute("ALTER DATABASE model_in_the_making RENAME TO model_of_tests").await.unwrap();
        }
        let scratch = Scratch::named();
        admin.batch_execute(&format!("CREATE DATABASE {} TEMPLATE model_of_tests", scratch.name)).await.unwrap();
        scratch
    }

    /// An empty database.
    pub async fn empty() -> Scratch {
        let scratch = Scratch::named();
        connect().await.batch_execute(&format!("CREATE DATABASE {} TEMPLATE template0", scratch.name)).await.unwrap();
        scratch
    }

    pub fn url(&self) -> String {
        address(&self.name)
    }

    /// Direct access to the database.
    pub async fn raw(&self) -> Client {
        open(&self.url()).await
    }

    fn named() -> Scratch {
        Scratch { name: format!("test_{}", Uuid::now_v7().simple()) }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let sql = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        let work = move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { connect().await.batch_execute(&sql).await.unwrap() });
        };
        let dropped = std::thread::spawn(work).join();
        assert!(dropped.is_ok() || std::thread::panicking(), "the database of the test could not be dropped");
    }
}

/// The server of the tests.
pub fn server() -> String {
    std::env::var("DRIPLINE_TEST_POSTGRES").expect(
        "DRIPLINE_TEST_POSTGRES is not set: run ./test services, which starts a PostgreSQL, or set it to the address of one",
    )
}

async fn connect() -> Client {
    open(&address("postgres")).await
}

async fn open(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("the PostgreSQL of the tests does not answer");
    tokio::spawn(async move { drop(connection.await) });
    client
}

/// A database can be renamed and copied only when nobody is connected to it.
async fn close_all(admin: &Client, name: &str) {
    let sql = format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'");
    admin.batch_execute(&sql).await.unwrap();
}

/// `DRIPLINE_TEST_POSTGRES` with another database in its path.
fn address(database: &str) -> String {
    let server = server();
    let (start, _) = server.rsplit_once('/').unwrap();
    format!("{start}/{database}")
}
