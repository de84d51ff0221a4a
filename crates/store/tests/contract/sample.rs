//! A temporary database and rows for it.

use std::path::{Path, PathBuf};

use ledger::{Currency, QuoteUnit};
use rust_decimal::Decimal;
use scratch::Scratch;
use store::entries::{Entry, Kind};
use store::imports::Import;
use store::portfolios::NewPortfolio;
use store::postgres::Settings;
use store::stocks::Stock;
use store::tokens::NewToken;
use store::users::NewUser;
use store::{Condition, FileCondition, Store, Tx, entries, portfolios, tokens, users};
use uuid::Uuid;

/// On the engine chosen for the tests.
pub struct Database {
    pub store: Store,
    place: Place,
}

enum Place {
    Folder(tempfile::TempDir),
    Server(Scratch),
}

impl Database {
    pub async fn new() -> Database {
        match scratch::is_chosen() {
            true => Database::server().await,
            false => Database::embedded().await,
        }
    }

    /// On SQLite, for what only a file can do.
    pub async fn embedded() -> Database {
        let folder = tempfile::tempdir().unwrap();
        Database { store: Store::open(folder.path()).await.unwrap(), place: Place::Folder(folder) }
    }

    async fn server() -> Database {
        let migrate = async |url: String| drop(Store::connect(&Settings::new(&url)).await.unwrap());
        let scratch = Scratch::migrated(migrate).await;
        Database { store: Store::connect(&Settings::new(&scratch.url())).await.unwrap(), place: Place::Server(scratch) }
    }

    pub fn folder(&self) -> &Path {
        match &self.place {
            Place::Folder(folder) => folder.path(),
            Place::Server(_) => panic!("a database without a file; make it with Database::embedded"),
        }
    }

    pub fn file(&self) -> PathBuf {
        self.folder().join("dripline.db")
    }

    /// The same data opened by another process.
    pub async fn again(&self) -> Store {
        match &self.place {
            Place::Folder(folder) => Store::open(folder.path()).await.unwrap(),
            Place::Server(scratch) => Store::connect(&Settings::new(&scratch.url())).await.unwrap(),
        }
    }

    pub async fn condition(&self) -> FileCondition {
        file_condition(&self.store).await
    }

    /// Rows by table, of every table that has a column for a user.
    pub async fn rows_of(&self, user: Uuid) -> Vec<(String, i64)> {
        let columns = match &self.place {
            Place::Folder(_) => {
                "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'
                 AND (c.name = 'user_id' OR (t.name = 'users' AND c.name = 'id')) ORDER BY t.name"
            }
            Place::Server(_) => {
                "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = 'public'
                 AND (column_name = 'user_id' OR (table_name = 'users' AND column_name = 'id')) ORDER BY table_name COLLATE \"C\""
            }
        };
        let count = |(table, column): &(String, String)| format!("SELECT COUNT(*) FROM {table} WHERE {column} = '{user}'");
        let mut rows = Vec::new();
        match &self.place {
            Place::Folder(_) => {
                let raw = self.raw();
                let mut statement = raw.prepare(columns).unwrap();
                let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap);
                for place in found.collect::<Vec<(String, String)>>() {
                    rows.push((place.0.clone(), raw.query_row(&count(&place), [], |row| row.get(0)).unwrap()));
                }
            }
            Place::Server(scratch) => {
                let raw = scratch.raw().await;
                for row in raw.query(columns, &[]).await.unwrap() {
                    let place = (row.get(0), row.get(1));
                    let counted = raw.query_one(&count(&place), &[]).await.unwrap().get(0);
                    rows.push((place.0, counted));
                }
            }
        }
        rows
    }

    /// Direct access to the file.
    pub fn raw(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.file()).unwrap()
    }
}

pub async fn file_condition(store: &Store) -> FileCondition {
    match store.condition().await.unwrap() {
        Condition::File(file) => file,
        Condition::Server(_) => panic!("a database without a file"),
    }
}

pub fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

pub fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

pub fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

pub fn new_user(number: u128, email: &str) -> NewUser {
    NewUser {
        id: id(number),
        email: email.to_owned(),
        name: None,
        preferred_currency: Currency::EUR,
        residence: None,
        password_hash: None,
        created_at: 1,
        email_verified_at: None,
    }
}

pub fn new_token(number: u128, user_id: Uuid) -> NewToken {
    NewToken {
        hash: hash(number),
        id: id(number),
        user_id,
        name: format!("token {number}"),
        created_at: number as i64,
        expires_at: None,
    }
}

pub fn hash(number: u128) -> [u8; 32] {
    let mut hash = [0; 32];
    hash[16..].copy_from_slice(&number.to_be_bytes());
    hash
}

pub fn new_portfolio(number: u128, name: &str) -> NewPortfolio {
    NewPortfolio { id: id(number), name: name.to_owned(), is_default: false, created_at: 1, made_by: None }
}

pub fn buy(portfolio_id: Uuid, sequence: i64, symbol: &str) -> Entry {
    Entry {
        sequence,
        portfolio_id,
        date: "2026-01-02".parse().unwrap(),
        kind: Kind::Buy,
        symbol: symbol.to_owned(),
        isin: None,
        name: None,
        shares: Some(decimal("10")),
        price: Some(decimal("2.50")),
        amount: None,
        fees: None,
        tax: None,
        net: None,
        currency: Currency::EUR,
        fx_rate: None,
        ratio: None,
        ex_date: None,
        source: "manual".to_owned(),
        source_id: None,
        note: None,
        identity: format!("row {sequence}"),
        import_id: None,
        gross_known: true,
        reinvests: None,
    }
}

pub fn import(number: u128) -> Import {
    Import {
        id: id(number),
        format: "dripline".to_owned(),
        file_name: "ledger.csv".to_owned(),
        file_hash: hash(number),
        rows: 4,
        added: 2,
        existing: 1,
        skipped: 1,
        created_at: number as i64,
        openings_before: String::new(),
        left_out: "3".to_owned(),
    }
}

pub fn stock(symbol: &str) -> Stock {
    Stock {
        symbol: symbol.to_owned(),
        name: Some(format!("{symbol} plc")),
        currency: currency("GBP"),
        quote_unit: QuoteUnit::parse("GBp").unwrap(),
        exchange: Some("LSE".to_owned()),
        kind: Some("EQUITY".to_owned()),
        isin: Some(format!("GB00{symbol}")),
        country: Some("GB".to_owned()),
        sector: Some("Energy".to_owned()),
        industry: Some("Oil".to_owned()),
        instrument_type: Some("equity".to_owned()),
        price: Some(decimal("25.050")),
        price_as_of: Some(7),
        forward_rate: Some(decimal("1.1")),
        payout_ratio: Some(decimal("0.4")),
        fcf_cover: Some(decimal("1.2")),
        pe: Some(decimal("11")),
        ma50: Some(decimal("24")),
        ma200: Some(decimal("23")),
        low52: Some(decimal("20")),
        high52: Some(decimal("30")),
        yield_avg_5y_pct: Some(decimal("4.00")),
        tracked: true,
        placeholder: false,
    }
}

/// A user of this number with a token (number + 1), a default portfolio (number + 2) and one entry.
pub async fn user_with_entry(tx: &mut Tx, number: u128) -> Uuid {
    users::add(tx, &new_user(number, &format!("user{number}@example.org"))).await.unwrap();
    tokens::add(tx, &new_token(number + 1, id(number))).await.unwrap();
    let portfolio = NewPortfolio { is_default: true, ..new_portfolio(number + 2, "Main") };
    portfolios::add(tx, id(number), &portfolio).await.unwrap();
    entries::add(tx, id(number), &[buy(id(number + 2), 1, "AAA")]).await.unwrap();
    id(number)
}
