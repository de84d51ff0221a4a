//! The ledger: transactions as they were recorded.

pub(crate) mod written;

use std::collections::HashSet;

use jiff::civil::Date;
pub use ledger::Kind;
use ledger::{Currency, Ratio};
use rust_decimal::Decimal;
use uuid::Uuid;

pub use written::{Renaming, add, delete, delete_of_import, rename, update};

use crate::row::Row;
use crate::statement::{Param, Type, statements};
use crate::{Error, Tx};

/// One recorded transaction. Numbers keep the decimals they were entered with.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Order of recording, per user.
    pub sequence: i64,
    pub portfolio_id: Uuid,
    /// The trade date; for dividends the payment date.
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
    /// Recognises the entry when it is imported again.
    pub identity: String,
    pub import_id: Option<Uuid>,
    pub gross_known: bool,
}

/// All entries of the user, in order of recording.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&OF_USER, &[user_id.into()], entry).await
}

/// How many symbols one statement queries.
const SYMBOLS_AT_A_TIME: usize = 16;

/// The entries of these symbols, in order of recording.
pub async fn of_symbols(tx: &mut Tx, user_id: Uuid, symbols: &[&str]) -> Result<Vec<Entry>, Error> {
    let sets = symbols.chunks(SYMBOLS_AT_A_TIME).map(|some| {
        // Unused parameters are null.
        let mut params = [Param::Null; SYMBOLS_AT_A_TIME + 1];
        for (param, symbol) in params.iter_mut().zip(some) {
            *param = (*symbol).into();
        }
        params[SYMBOLS_AT_A_TIME] = user_id.into();
        params
    });
    let mut entries: Vec<Entry> = tx.query_all(&OF_SYMBOLS, sets, entry).await?.into_iter().flatten().collect();
    entries.sort_by_key(|entry| entry.sequence);
    entries.dedup_by_key(|entry| entry.sequence);
    Ok(entries)
}

/// The entries of one portfolio, in order of recording.
pub async fn of_portfolio(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&OF_PORTFOLIO, &[user_id.into(), portfolio_id.into()], entry).await
}

/// The user's dividends, newest first: by payment date, then the last recorded.
pub async fn dividends_of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&DIVIDENDS_OF_USER, &[user_id.into()], entry).await
}

/// The identities of all entries of one portfolio.
pub async fn identities(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<HashSet<String>, Error> {
    Ok(tx.query(&IDENTITIES, &[user_id.into(), portfolio_id.into()], |row| row.text(0)).await?.into_iter().collect())
}

/// The sequence of the entry with this identity.
pub async fn by_identity(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid, identity: &str) -> Result<Option<i64>, Error> {
    tx.query_one(&BY_IDENTITY, &[user_id.into(), portfolio_id.into(), identity.into()], |row| row.i64(0)).await
}

/// Whether each of these portfolios and identities has an entry.
pub async fn have_identities(tx: &mut Tx, user_id: Uuid, identities: &[(Uuid, String)]) -> Result<Vec<bool>, Error> {
    let sets = identities.iter().map(|(portfolio_id, one)| [user_id.into(), (*portfolio_id).into(), one.as_str().into()]);
    Ok(tx.query_all(&BY_IDENTITY, sets, |row| row.i64(0)).await?.iter().map(|found| !found.is_empty()).collect())
}

/// Whether the user has entries for each of these symbols.
pub async fn have_symbols(tx: &mut Tx, user_id: Uuid, symbols: &[&str]) -> Result<Vec<bool>, Error> {
    let sets = symbols.iter().map(|symbol| [user_id.into(), (*symbol).into()]);
    Ok(tx.query_all(&HAS_SYMBOL, sets, |row| row.i64(0)).await?.iter().map(|found| !found.is_empty()).collect())
}

/// The currency of the user's earliest entry for a symbol; `None` without entries.
pub async fn currency_of(tx: &mut Tx, user_id: Uuid, symbol: &str) -> Result<Option<Currency>, Error> {
    tx.query_one(&CURRENCY_OF, &[user_id.into(), symbol.into()], |row| row.currency(0)).await
}

/// The same for several symbols.
pub async fn currencies_of(tx: &mut Tx, user_id: Uuid, symbols: &[&str]) -> Result<Vec<Option<Currency>>, Error> {
    let sets = symbols.iter().map(|symbol| [user_id.into(), (*symbol).into()]);
    Ok(tx.query_all(&CURRENCY_OF, sets, |row| row.currency(0)).await?.into_iter().map(|found| found.first().copied()).collect())
}

/// The sequence of the user's next entry; later ones count up from it.
pub async fn next_sequence(tx: &mut Tx, user_id: Uuid) -> Result<i64, Error> {
    let last = tx.query_one(&LAST_SEQUENCE, &[user_id.into()], |row| row.i64(0)).await?;
    Ok(last.unwrap_or(0) + 1)
}

pub async fn one(tx: &mut Tx, user_id: Uuid, sequence: i64) -> Result<Option<Entry>, Error> {
    tx.query_one(&ONE, &[user_id.into(), sequence.into()], entry).await
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
    OF_USER = select!("WHERE user_id = $1 ORDER BY sequence"), [Uuid] => ENTRY;
    // A join, because for `IN` with a list SQLite would read all of the user's entries.
    OF_SYMBOLS = select!(
        "JOIN (VALUES ($1), ($2), ($3), ($4), ($5), ($6), ($7), ($8), ($9), ($10), ($11), ($12), ($13), ($14), ($15), ($16))
        AS wanted ON symbol = wanted.column1 WHERE user_id = $17"
    ), [Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Uuid] => ENTRY;
    OF_PORTFOLIO = select!("WHERE user_id = $1 AND portfolio_id = $2 ORDER BY sequence"), [Uuid, Uuid] => ENTRY;
    DIVIDENDS_OF_USER = select!("WHERE user_id = $1 AND type = 'dividend' ORDER BY date DESC, sequence DESC"), [Uuid] => ENTRY;
    IDENTITIES = "SELECT identity FROM entries WHERE user_id = $1 AND portfolio_id = $2", [Uuid, Uuid] => [Text];
    BY_IDENTITY = "SELECT sequence FROM entries WHERE user_id = $1 AND portfolio_id = $2 AND identity = $3",
        [Uuid, Uuid, Text] => [Integer];
    HAS_SYMBOL = "SELECT sequence FROM entries WHERE user_id = $1 AND symbol = $2 LIMIT 1", [Uuid, Text] => [Integer];
    CURRENCY_OF = "SELECT currency FROM entries WHERE user_id = $1 AND symbol = $2 ORDER BY date, sequence LIMIT 1",
        [Uuid, Text] => [Text];
    LAST_SEQUENCE = "SELECT sequence FROM entries WHERE user_id = $1 ORDER BY sequence DESC LIMIT 1", [Uuid] => [Integer];
    ONE = select!("WHERE user_id = $1 AND sequence = $2"), [Uuid, Integer] => ENTRY;
    COUNT = "SELECT COUNT(*) FROM entries WHERE user_id = $1", [Uuid] => [Integer];
}
