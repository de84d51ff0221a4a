//! The ledger: what was recorded, as it was recorded.

use std::collections::HashSet;

use jiff::civil::Date;
pub use ledger::Kind;
use ledger::{Currency, Ratio};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::row::Row;
use crate::statement::{Type, statements};
use crate::{Error, Tx};

/// One recorded event. Figures keep the decimals they were given with.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Order of recording, per user.
    pub sequence: i64,
    pub portfolio_id: Uuid,
    /// Trade date; of dividends the pay date.
    pub date: Date,
    pub kind: Kind,
    pub symbol: String,
    pub isin: Option<String>,
    pub name: Option<String>,
    pub shares: Option<Decimal>,
    pub price: Option<Decimal>,
    pub amount: Option<Decimal>,
    pub fees: Option<Decimal>,
    pub tax: Option<Decimal>,
    pub net: Option<Decimal>,
    pub currency: Currency,
    pub fx_rate: Option<Decimal>,
    pub ratio: Option<Ratio>,
    pub ex_date: Option<Date>,
    pub source: String,
    pub source_id: Option<String>,
    pub note: Option<String>,
    /// By which the entry is recognised when it is imported again.
    pub identity: String,
    pub import_id: Option<Uuid>,
    pub gross_known: bool,
}

/// Adds entries under the sequences they carry; see [`next_sequence`].
pub async fn add(tx: &mut Tx, user_id: Uuid, entries: &[Entry]) -> Result<(), Error> {
    // Formatted ahead: parameters borrow their text.
    let ratios: Vec<Option<String>> = entries.iter().map(|entry| entry.ratio.map(|ratio| ratio.to_string())).collect();
    let rows = entries.iter().zip(&ratios).map(|(entry, ratio)| {
        [
            user_id.into(),
            entry.sequence.into(),
            entry.portfolio_id.into(),
            entry.date.into(),
            entry.kind.word().into(),
            entry.symbol.as_str().into(),
            entry.isin.as_deref().into(),
            entry.name.as_deref().into(),
            entry.shares.into(),
            entry.price.into(),
            entry.amount.into(),
            entry.fees.into(),
            entry.tax.into(),
            entry.net.into(),
            entry.currency.code().into(),
            entry.fx_rate.into(),
            ratio.as_deref().into(),
            entry.ex_date.into(),
            entry.source.as_str().into(),
            entry.source_id.as_deref().into(),
            entry.note.as_deref().into(),
            entry.identity.as_str().into(),
            entry.import_id.into(),
            entry.gross_known.into(),
        ]
    });
    tx.execute_all(&ADD, rows).await.map(drop)
}

/// All entries of the user, in order of recording.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&OF_USER, &[user_id.into()], entry).await
}

/// The entries of one portfolio, in order of recording.
pub async fn of_portfolio(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&OF_PORTFOLIO, &[user_id.into(), portfolio_id.into()], entry).await
}

/// The dividends of the user, newest first: by pay date, of one day the last recorded first.
pub async fn dividends_of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&DIVIDENDS_OF_USER, &[user_id.into()], entry).await
}

/// The identities of all entries of one portfolio.
pub async fn identities(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<HashSet<String>, Error> {
    Ok(tx.query(&IDENTITIES, &[user_id.into(), portfolio_id.into()], |row| row.text(0)).await?.into_iter().collect())
}

/// The symbols of all entries of the user.
pub async fn symbols(tx: &mut Tx, user_id: Uuid) -> Result<HashSet<String>, Error> {
    Ok(tx.query(&SYMBOLS, &[user_id.into()], |row| row.text(0)).await?.into_iter().collect())
}

/// The currency of the user's earliest entry of a symbol; none without any.
pub async fn currency_of(tx: &mut Tx, user_id: Uuid, symbol: &str) -> Result<Option<Currency>, Error> {
    tx.query_one(&CURRENCY_OF, &[user_id.into(), symbol.into()], |row| row.currency(0)).await
}

/// The sequence for the user's next entry; those after it count on by one.
pub async fn next_sequence(tx: &mut Tx, user_id: Uuid) -> Result<i64, Error> {
    let last = tx.query_one(&LAST_SEQUENCE, &[user_id.into()], |row| row.i64(0)).await?;
    Ok(last.unwrap_or(0) + 1)
}

/// Gives an entry another symbol, and the identity that goes with it.
pub async fn rename(tx: &mut Tx, user_id: Uuid, sequence: i64, symbol: &str, identity: &str) -> Result<(), Error> {
    tx.execute(&RENAME, &[symbol.into(), identity.into(), user_id.into(), sequence.into()]).await.map(drop)
}

pub async fn one(tx: &mut Tx, user_id: Uuid, sequence: i64) -> Result<Option<Entry>, Error> {
    tx.query_one(&ONE, &[user_id.into(), sequence.into()], entry).await
}

/// Replaces what was recorded under the entry's sequence. Where it came from stays: source, identity and import. False when
/// the user has no such entry.
pub async fn update(tx: &mut Tx, user_id: Uuid, entry: &Entry) -> Result<bool, Error> {
    let ratio = entry.ratio.map(|ratio| ratio.to_string());
    let params = [
        entry.portfolio_id.into(),
        entry.date.into(),
        entry.kind.word().into(),
        entry.symbol.as_str().into(),
        entry.isin.as_deref().into(),
        entry.name.as_deref().into(),
        entry.shares.into(),
        entry.price.into(),
        entry.amount.into(),
        entry.fees.into(),
        entry.tax.into(),
        entry.net.into(),
        entry.currency.code().into(),
        entry.fx_rate.into(),
        ratio.as_deref().into(),
        entry.ex_date.into(),
        entry.note.as_deref().into(),
        entry.gross_known.into(),
        user_id.into(),
        entry.sequence.into(),
    ];
    Ok(tx.execute(&UPDATE, &params).await? > 0)
}

/// False when the user has no such entry.
pub async fn delete(tx: &mut Tx, user_id: Uuid, sequence: i64) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE, &[user_id.into(), sequence.into()]).await? > 0)
}

/// Returns how many entries the import had left.
pub async fn delete_of_import(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<u64, Error> {
    tx.execute(&DELETE_OF_IMPORT, &[user_id.into(), import_id.into()]).await
}

pub async fn count(tx: &mut Tx, user_id: Uuid) -> Result<i64, Error> {
    Ok(tx.query_one(&COUNT, &[user_id.into()], |row| row.i64(0)).await?.unwrap_or(0))
}

fn entry(row: &Row<'_>) -> Result<Entry, Error> {
    Ok(Entry {
        sequence: row.i64(0)?,
        portfolio_id: row.uuid(1)?,
        date: row.date(2)?,
        kind: row.parse(3, Kind::parse)?,
        symbol: row.text(4)?,
        isin: row.opt_text(5)?,
        name: row.opt_text(6)?,
        shares: row.opt_decimal(7)?,
        price: row.opt_decimal(8)?,
        amount: row.opt_decimal(9)?,
        fees: row.opt_decimal(10)?,
        tax: row.opt_decimal(11)?,
        net: row.opt_decimal(12)?,
        currency: row.currency(13)?,
        fx_rate: row.opt_decimal(14)?,
        ratio: row.opt_parse(15, Ratio::parse)?,
        ex_date: row.opt_date(16)?,
        source: row.text(17)?,
        source_id: row.opt_text(18)?,
        note: row.opt_text(19)?,
        identity: row.text(20)?,
        import_id: row.opt_uuid(21)?,
        gross_known: row.bool(22)?,
    })
}

/// The columns of an entry in the order of [`ENTRY`].
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT sequence, portfolio_id, date, type, symbol, isin, name, shares, price, amount, fees, tax, net, currency, ",
            "fx_rate, ratio, ex_date, source, source_id, note, identity, import_id, gross_known FROM entries ",
            $rest
        )
    };
}

const ENTRY: &[Type] = &[
    Type::Integer,
    Type::Uuid,
    Type::Date,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Text,
    Type::Decimal,
    Type::Text,
    Type::Date,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Uuid,
    Type::Boolean,
];

statements! {
    ADD = "INSERT INTO entries
        (user_id, sequence, portfolio_id, date, type, symbol, isin, name, shares, price, amount, fees, tax, net, currency,
        fx_rate, ratio, ex_date, source, source_id, note, identity, import_id, gross_known)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)",
        [Uuid, Integer, Uuid, Date, Text, Text, Text, Text, Decimal, Decimal, Decimal, Decimal, Decimal, Decimal, Text,
        Decimal, Text, Date, Text, Text, Text, Text, Uuid, Boolean] => [];
    OF_USER = select!("WHERE user_id = $1 ORDER BY sequence"), [Uuid] => ENTRY;
    OF_PORTFOLIO = select!("WHERE user_id = $1 AND portfolio_id = $2 ORDER BY sequence"), [Uuid, Uuid] => ENTRY;
    DIVIDENDS_OF_USER = select!("WHERE user_id = $1 AND type = 'dividend' ORDER BY date DESC, sequence DESC"), [Uuid] => ENTRY;
    IDENTITIES = "SELECT identity FROM entries WHERE user_id = $1 AND portfolio_id = $2", [Uuid, Uuid] => [Text];
    SYMBOLS = "SELECT DISTINCT symbol FROM entries WHERE user_id = $1", [Uuid] => [Text];
    CURRENCY_OF = "SELECT currency FROM entries WHERE user_id = $1 AND symbol = $2 ORDER BY date, sequence LIMIT 1",
        [Uuid, Text] => [Text];
    LAST_SEQUENCE = "SELECT sequence FROM entries WHERE user_id = $1 ORDER BY sequence DESC LIMIT 1", [Uuid] => [Integer];
    RENAME = "UPDATE entries SET symbol = $1, identity = $2 WHERE user_id = $3 AND sequence = $4",
        [Text, Text, Uuid, Integer] => [];
    ONE = select!("WHERE user_id = $1 AND sequence = $2"), [Uuid, Integer] => ENTRY;
    UPDATE = "UPDATE entries SET portfolio_id = $1, date = $2, type = $3, symbol = $4, isin = $5, name = $6, shares = $7,
        price = $8, amount = $9, fees = $10, tax = $11, net = $12, currency = $13, fx_rate = $14, ratio = $15, ex_date = $16,
        note = $17, gross_known = $18 WHERE user_id = $19 AND sequence = $20",
        [Uuid, Date, Text, Text, Text, Text, Decimal, Decimal, Decimal, Decimal, Decimal, Decimal, Text, Decimal, Text, Date,
        Text, Boolean, Uuid, Integer] => [];
    DELETE = "DELETE FROM entries WHERE user_id = $1 AND sequence = $2", [Uuid, Integer] => [];
    DELETE_OF_IMPORT = "DELETE FROM entries WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => [];
    COUNT = "SELECT COUNT(*) FROM entries WHERE user_id = $1", [Uuid] => [Integer];
}
