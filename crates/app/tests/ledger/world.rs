//! A service with two accounts, and drafts to record.

#[path = "../world/mod.rs"]
pub mod shared;

use std::ops::Deref;
use std::sync::Arc;

use app::entries::{Draft, Kind, Problem};
use app::import::staged::{self, Spooled};
use app::{App, Clock, Error, market};
use ledger::Decimal;
use uuid::Uuid;

const STOCKS: &str = "symbol,currency,name\nWELL,USD,Wellspring Foods\nBROOK.MC,EUR,Brook Energía\n";
const FX: &str = "date,currency,rate\n2026-01-02,USD,1.25\n";

pub struct World {
    shared: shared::World,
    pub app: Arc<App>,
    pub ana: Uuid,
    pub ben: Uuid,
}

impl Deref for World {
    type Target = shared::World;

    fn deref(&self) -> &shared::World {
        &self.shared
    }
}

impl World {
    pub async fn new() -> World {
        let shared = shared::World::new().await;
        let app = shared.at(0);
        market::load_texts(&app, &[("stocks.csv", STOCKS.to_owned()), ("fx.csv", FX.to_owned())]).await.unwrap();
        let (ana, ben) = (shared.person(shared::ANA).await, shared.person("ben@example.com").await);
        World { shared, app: Arc::new(app), ana, ben }
    }

    /// The same data at another time.
    pub fn later(self, now: &str) -> World {
        let app = App::new(self.store.clone(), Clock::Fixed(now.parse().unwrap()));
        World { app: Arc::new(app), ..self }
    }

    pub fn with_reference(self, reference: &'static reference::Reference) -> World {
        let app = Arc::into_inner(self.app).unwrap().with_reference(reference);
        World { app: Arc::new(app), ..self }
    }

    pub fn with_disk(self, disk: app::operations::disk::Limits) -> World {
        let app = Arc::into_inner(self.app).unwrap().with_disk(disk);
        World { app: Arc::new(app), ..self }
    }

    /// The number of rows in each table.
    pub fn rows(&self) -> Vec<(String, i64)> {
        let database = self.file();
        let mut tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").unwrap();
        let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        tables.iter().map(|table| (table.clone(), self.count(table))).collect()
    }

    pub async fn version(&self, user_id: Uuid) -> i64 {
        let mut tx = self.app.store.read().await.unwrap();
        store::users::by_id(&mut tx, user_id).await.unwrap().unwrap().version
    }
}

pub fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

pub fn buy(date: &str, symbol: &str, shares: &str, price: &str) -> Draft {
    trade(Kind::Buy, date, symbol, shares, price)
}

pub fn sell(date: &str, symbol: &str, shares: &str, price: &str) -> Draft {
    trade(Kind::Sell, date, symbol, shares, price)
}

fn trade(kind: Kind, date: &str, symbol: &str, shares: &str, price: &str) -> Draft {
    Draft { shares: Some(dec(shares)), price: Some(dec(price)), ..draft(kind, date, symbol) }
}

pub fn draft(kind: Kind, date: &str, symbol: &str) -> Draft {
    Draft {
        portfolio: String::new(),
        date: date.parse().unwrap(),
        kind,
        opening: false,
        symbol: symbol.to_owned(),
        shares: None,
        price: None,
        amount: None,
        fees: None,
        tax: None,
        net: None,
        currency: None,
        fx_rate: None,
        ratio: None,
        ex_date: None,
        reinvested: Default::default(),
        note: None,
    }
}

pub fn problems<T>(result: Result<T, Error>) -> Vec<(&'static str, String)> {
    match result {
        Err(Error::Entry(problems)) => texts(&problems),
        Err(other) => panic!("{other}"),
        Ok(_) => Vec::new(),
    }
}

pub fn texts(problems: &[Problem]) -> Vec<(&'static str, String)> {
    let text = |problem: &Problem| messages::errors::reason(messages::by_preference(""), &messages::Plain, &problem.reason);
    problems.iter().map(|problem| (problem.field, text(problem))).collect()
}

/// Uploads a file that is already in memory.
pub async fn put(app: &App, user_id: Uuid, file_name: &str, bytes: Vec<u8>) -> Result<Uuid, Error> {
    staged::put_once(app, user_id, Uuid::now_v7(), file_name, Spooled::of(app, &bytes)?, None).await
}
