//! A temporary service at any time a test chooses, which all suites share.
#![allow(dead_code)] // no suite needs everything

use std::time::Duration;

use app::accounts::{self, NewAccount};
use app::{App, Clock, Store};
use rusqlite::Connection;
use tempfile::TempDir;
use uuid::Uuid;

pub const ANA: &str = "ana@example.com";
pub const MINUTE: u64 = 60;
pub const HOUR: u64 = 60 * MINUTE;
pub const DAY: u64 = 24 * HOUR;

pub struct World {
    pub folder: TempDir,
    pub store: Store,
}

impl World {
    /// Without any account.
    pub async fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        World { store: Store::open(folder.path()).await.unwrap(), folder }
    }

    /// The service this many seconds after noon of 15 November 2026.
    pub fn at(&self, seconds: u64) -> App {
        App::new(self.store.clone(), Clock::Fixed(noon() + Duration::from_secs(seconds)))
    }

    /// A new account without a password.
    pub async fn person(&self, email: &str) -> Uuid {
        accounts::add(&self.at(0), &NewAccount { password: None, ..account(email, "") }).await.unwrap()
    }

    /// Direct access to the database file.
    pub fn file(&self) -> Connection {
        Connection::open(self.folder.path().join("dripline.db")).unwrap()
    }

    pub fn count(&self, rows: &str) -> i64 {
        self.file().query_row(&format!("SELECT COUNT(*) FROM {rows}"), [], |row| row.get(0)).unwrap()
    }
}

pub fn noon() -> jiff::Timestamp {
    "2026-11-15T12:00:00Z".parse().unwrap()
}

pub fn account<'a>(email: &'a str, password: &'a str) -> NewAccount<'a> {
    NewAccount { email, name: None, currency: "EUR", residence: None, password: Some(password) }
}
