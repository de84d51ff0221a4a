//! A temporary service at any time a test chooses.

use std::time::Duration;

use app::accounts::{self, NewAccount};
use app::authentication::sessions::{self, Visit};
use app::authentication::sign_in::{self, Attempt, Outcome};
use app::{App, Clock, Store};
use uuid::Uuid;

pub const ANA: &str = "ana@example.com";
pub const PASSWORD: &str = "four quiet herons in march";
pub const MINUTE: u64 = 60;
pub const HOUR: u64 = 60 * MINUTE;
pub const DAY: u64 = 24 * HOUR;

pub struct World {
    pub folder: tempfile::TempDir,
    pub store: Store,
}

impl World {
    pub async fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        World { store: Store::open(folder.path()).await.unwrap(), folder }
    }

    /// With the account of Ana.
    pub async fn with_ana() -> (World, Uuid) {
        let world = World::new().await;
        let id = accounts::add(&world.at(0), &account(ANA, PASSWORD)).await.unwrap();
        (world, id)
    }

    /// The service this many seconds after noon of 15 November 2026.
    pub fn at(&self, seconds: u64) -> App {
        let noon: jiff::Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
        App::new(self.store.clone(), Clock::Fixed(noon + Duration::from_secs(seconds)))
    }

    /// Direct access to the database file.
    pub fn raw(&self, sql: &str) {
        let file = self.folder.path().join("dripline.db");
        rusqlite::Connection::open(file).unwrap().execute_batch(sql).unwrap();
    }

    pub fn count(&self, rows: &str) -> i64 {
        let file = rusqlite::Connection::open(self.folder.path().join("dripline.db")).unwrap();
        file.query_row(&format!("SELECT COUNT(*) FROM {rows}"), [], |row| row.get(0)).unwrap()
    }

    pub async fn try_password(&self, seconds: u64, email: &str, password: &str) -> Outcome {
        attempt(&self.at(seconds), email, password, None).await
    }

    /// Signs Ana in and returns the secrets of her session and device.
    pub async fn sign_in(&self, seconds: u64) -> (String, String) {
        match self.try_password(seconds, ANA, PASSWORD).await {
            Outcome::Open { session, device } => (session, device),
            other => panic!("{}", outcome_name(&other)),
        }
    }

    pub async fn visit(&self, seconds: u64, session: &str) -> Option<Visit> {
        sessions::visit(&self.at(seconds), session).await.unwrap()
    }
}

pub fn account<'a>(email: &'a str, password: &'a str) -> NewAccount<'a> {
    NewAccount { email, name: None, currency: "EUR", residence: None, password: Some(password) }
}

pub async fn attempt(app: &App, email: &str, password: &str, device: Option<&str>) -> Outcome {
    let attempt = Attempt { email, password, device, agent: "Browser/1.0", address: "203.0.113.77" };
    sign_in::sign_in(app, &attempt).await.unwrap()
}

/// Without the secrets.
pub fn outcome_name(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Open { .. } => "open".to_owned(),
        Outcome::Code { .. } => "code".to_owned(),
        Outcome::Wrong => "wrong".to_owned(),
        Outcome::Wait { seconds } => format!("wait {seconds}"),
    }
}
