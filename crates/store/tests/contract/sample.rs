//! A throw-away database and rows to put into it.

use ledger::{Currency, QuoteUnit};
use rust_decimal::Decimal;
use store::entries::{Entry, Kind};
use store::imports::Import;
use store::portfolios::NewPortfolio;
use store::stocks::Stock;
use store::tokens::NewToken;
use store::users::NewUser;
use store::{Store, Tx, entries, portfolios, tokens, users};
use uuid::Uuid;

pub struct Database {
    pub store: Store,
    pub folder: tempfile::TempDir,
}

impl Database {
    pub async fn new() -> Database {
        let folder = tempfile::tempdir().unwrap();
        Database { store: Store::open(folder.path()).await.unwrap(), folder }
    }

    pub fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("dripline.db")
    }

    /// The same file as another process would have it.
    pub async fn again(&self) -> Store {
        Store::open(self.folder.path()).await.unwrap()
    }

    /// The same file without this crate between.
    pub fn raw(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.file()).unwrap()
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
pub async fn settled_user(tx: &mut Tx, number: u128) -> Uuid {
    users::add(tx, &new_user(number, &format!("user{number}@example.org"))).await.unwrap();
    tokens::add(tx, &new_token(number + 1, id(number))).await.unwrap();
    let portfolio = NewPortfolio { is_default: true, ..new_portfolio(number + 2, "Main") };
    portfolios::add(tx, id(number), &portfolio).await.unwrap();
    entries::add(tx, id(number), &[buy(id(number + 2), 1, "AAA")]).await.unwrap();
    id(number)
}
