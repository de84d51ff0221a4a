//! Accounts with passwords, and signing in.

#[path = "../world/mod.rs"]
mod shared;

use app::App;
use app::accounts;
use app::authentication::sessions::{self, Visit};
use app::authentication::sign_in::{self, Attempt, Outcome};
use uuid::Uuid;

pub use shared::{ANA, DAY, HOUR, MINUTE, World, account};

pub const PASSWORD: &str = "four quiet herons in march";

impl World {
    /// With the account of Ana.
    pub async fn with_ana() -> (World, Uuid) {
        let world = World::new().await;
        let id = accounts::add(&world.at(0), &account(ANA, PASSWORD)).await.unwrap();
        (world, id)
    }

    /// Directly in the database file.
    pub fn raw(&self, sql: &str) {
        self.file().execute_batch(sql).unwrap();
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
