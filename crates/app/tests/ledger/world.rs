//! A service with two accounts, and drafts to record.

use std::sync::Arc;

use app::entries::{Draft, Kind, Problem};
use app::{App, Clock, Error, accounts, market};
use ledger::Decimal;
use tempfile::TempDir;
use uuid::Uuid;

pub const NOW: &str = "2026-11-15T12:00:00Z";

const STOCKS: &str = "symbol,currency,name\nWELL,USD,Wellspring Foods\nBROOK.MC,EUR,Brook Energía\n";
const FX: &str = "date,currency,rate\n2026-01-02,USD,1.25\n";

pub struct World {
    pub app: Arc<App>,
    pub ana: Uuid,
    pub ben: Uuid,
    _folder: TempDir,
}

impl World {
    pub async fn new() -> World {
        World::at(NOW, tempfile::tempdir().unwrap()).await
    }

    async fn at(now: &str, folder: TempDir) -> World {
        let app = App::open(folder.path(), Clock::Fixed(now.parse().unwrap())).await.unwrap();
        market::load_texts(&app, &[("stocks.csv", STOCKS.to_owned()), ("fx.csv", FX.to_owned())]).await.unwrap();
        let account = |email| accounts::NewAccount { email, name: None, currency: "EUR", residence: None, password: None };
        let ana = accounts::add(&app, &account("ana@example.com")).await.unwrap();
        let ben = accounts::add(&app, &account("ben@example.com")).await.unwrap();
        World { app: Arc::new(app), ana, ben, _folder: folder }
    }

    /// The same data at another time.
    pub async fn later(self, now: &str) -> World {
        let World { ana, ben, _folder, .. } = self;
        let app = App::open(_folder.path(), Clock::Fixed(now.parse().unwrap())).await.unwrap();
        World { app: Arc::new(app), ana, ben, _folder }
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
        let count = |table: &String| database.query_row(&format!("SELECT COUNT(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        tables.iter().map(|table| (table.clone(), count(table))).collect()
    }

    /// Direct access to the database file.
    pub fn file(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self._folder.path().join("dripline.db")).unwrap()
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
