//! Behaviour and failures of PostgreSQL only.

#![allow(clippy::unwrap_used)]

mod connection_loss;
mod schema;
mod write_locks;

use ledger::Currency;
use scratch::Scratch;
use store::postgres::Settings;
use store::users::NewUser;
use store::{Store, Tx, users};
use uuid::Uuid;

pub struct Database {
    pub store: Store,
    pub scratch: Scratch,
}

impl Database {
    pub async fn new() -> Database {
        Database::with(|settings| settings).await
    }

    pub async fn with(change: impl FnOnce(Settings) -> Settings) -> Database {
        let migrate = async |url: String| drop(Store::connect(&Settings::new(&url)).await.unwrap());
        let scratch = Scratch::migrated(migrate).await;
        let settings = change(Settings::new(&scratch.url()));
        Database { store: Store::connect(&settings).await.unwrap(), scratch }
    }

    /// The same database opened by another node.
    pub async fn again(&self) -> Store {
        Store::connect(&Settings::new(&self.scratch.url())).await.unwrap()
    }

    /// Ends all connections to the database, like a server being stopped.
    pub async fn cut(&self) {
        let sql = "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        self.scratch.raw().await.batch_execute(sql).await.unwrap();
    }
}

pub async fn add_user(tx: &mut Tx, number: u128) {
    let user = NewUser {
        id: Uuid::from_u128(number),
        email: format!("{number}@example.org"),
        name: None,
        preferred_currency: Currency::EUR,
        residence: None,
        password_hash: None,
        created_at: 1,
        email_verified_at: None,
    };
    users::add(tx, &user).await.unwrap();
}
