//! The ledger: transactions as they were recorded. Each write marks the positions it touches: see [`crate::positions`].

pub mod listing;

use std::collections::HashSet;

use jiff::civil::Date;
pub use ledger::Kind;
use ledger::{Currency, Ratio};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::row::Columns;
use crate::table::{statements, table, types};
use crate::value::{Param, Type};
use crate::{Error, Tx, positions};

table! {
    TABLE = entries [user_id, sequence] { user_id: Uuid }

    /// One recorded transaction. Numbers keep the decimals they were entered with.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Entry {
        /// Order of recording, per user.
        pub sequence: i64,
        pub portfolio_id: Uuid,
        /// The trade date; for dividends the payment date.
        pub date: Date,
        pub kind: Kind as type,
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
        /// For a purchase: what refers to the dividend that paid for it, in the same portfolio and symbol. Of most dividends it is
        /// the identity.
        pub reinvests: Option<String>,
    }
}

/// What a change of an entry keeps.
const KEPT: [&str; 4] = ["sequence", "source_id", "identity", "import_id"];

/// A new symbol for an entry, and the new identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renaming {
    pub sequence: i64,
    pub symbol: String,
    pub identity: String,
}

/// All entries of the user, in order of recording.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&OF_USER, &[user_id.into()]).await
}

/// How many symbols one statement queries.
const SYMBOLS_AT_A_TIME: usize = 16;

/// The entries of these symbols, in order of recording.
pub async fn of_symbols(tx: &mut Tx, user_id: Uuid, symbols: &[&str]) -> Result<Vec<Entry>, Error> {
    let sets = symbols.chunks(SYMBOLS_AT_A_TIME).map(|some| -> [Param<'_>; SYMBOLS_AT_A_TIME + 1] {
        // Unused parameters are null.
        std::array::from_fn(|at| if at < SYMBOLS_AT_A_TIME { some.get(at).copied().into() } else { user_id.into() })
    });
    let mut entries: Vec<Entry> = tx.query_all(&OF_SYMBOLS, sets).await?.into_iter().flatten().collect();
    entries.sort_by_key(|entry| entry.sequence);
    entries.dedup_by_key(|entry| entry.sequence);
    Ok(entries)
}

/// The entries of one portfolio, in order of recording.
pub async fn of_portfolio(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&OF_PORTFOLIO, &[user_id.into(), portfolio_id.into()]).await
}

/// The purchases that reinvest a dividend, in order of recording.
pub async fn reinvestments(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&REINVESTMENTS, &[user_id.into()]).await
}

/// The user's dividends, newest first: by payment date, then the last recorded.
pub async fn dividends_of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&DIVIDENDS_OF_USER, &[user_id.into()]).await
}

/// Which part of a user's entries is read.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub kind: Option<Kind>,
    pub portfolio_id: Option<Uuid>,
    /// The first day.
    pub from: Date,
    /// Entries come before this date and sequence.
    pub before: (Date, i64),
}

impl Part {
    pub fn contains(&self, entry: &Entry) -> bool {
        (entry.date, entry.sequence) < self.before
            && entry.date >= self.from
            && self.kind.is_none_or(|kind| entry.kind == kind)
            && self.portfolio_id.is_none_or(|portfolio_id| entry.portfolio_id == portfolio_id)
    }
}

/// The first entries of a part, newest first: by date, then the last recorded.
pub async fn newest(tx: &mut Tx, user_id: Uuid, part: Part, limit: usize) -> Result<Vec<Entry>, Error> {
    let Part { kind, portfolio_id, from, before: (date, sequence) } = part;
    let (kind, limit) = (kind.map(Kind::word), limit as i64);
    let part = [user_id.into(), date.into(), sequence.into(), from.into(), kind.into(), portfolio_id.into(), limit.into()];
    // An index finds them by itself; then each is read.
    let found: Vec<i64> = tx.query(&NEWEST, &part).await?;
    some(tx, user_id, &found).await
}

/// Those with these sequences, in this order; unknown ones are left out.
pub async fn some(tx: &mut Tx, user_id: Uuid, sequences: &[i64]) -> Result<Vec<Entry>, Error> {
    let sets = sequences.iter().map(|sequence| [user_id.into(), (*sequence).into()]);
    Ok(tx.query_all(&ONE, sets).await?.into_iter().flatten().collect())
}

/// The users with an entry of this symbol.
pub async fn users_of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<Uuid>, Error> {
    tx.query(&USERS_OF_SYMBOL, &[symbol.into()]).await
}

/// The identities of all entries of one portfolio.
pub async fn identities(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<HashSet<String>, Error> {
    Ok(tx.query(&IDENTITIES, &[user_id.into(), portfolio_id.into()]).await?.into_iter().collect())
}

/// The sequence of the entry with this identity.
pub async fn by_identity(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid, identity: &str) -> Result<Option<i64>, Error> {
    tx.query_one(&BY_IDENTITY, &[user_id.into(), portfolio_id.into(), identity.into()]).await
}

/// Whether each of these portfolios and identities has an entry.
pub async fn have_identities(tx: &mut Tx, user_id: Uuid, identities: &[(Uuid, String)]) -> Result<Vec<bool>, Error> {
    let sets = identities.iter().map(|(portfolio_id, one)| [user_id.into(), portfolio_id.into(), one.into()]);
    Ok(tx.query_all(&BY_IDENTITY, sets).await?.iter().map(|found| !found.is_empty()).collect())
}

/// Whether the user has entries for each of these symbols.
pub async fn have_symbols(tx: &mut Tx, user_id: Uuid, symbols: &[&str]) -> Result<Vec<bool>, Error> {
    let sets = symbols.iter().map(|symbol| [user_id.into(), (*symbol).into()]);
    Ok(tx.query_all(&HAS_SYMBOL, sets).await?.iter().map(|found| !found.is_empty()).collect())
}

/// The currency of the user's earliest entry for a symbol; `None` without entries.
pub async fn currency_of(tx: &mut Tx, user_id: Uuid, symbol: &str) -> Result<Option<Currency>, Error> {
    tx.query_one(&CURRENCY_OF, &[user_id.into(), symbol.into()]).await
}

/// The same for several symbols.
pub async fn currencies_of(tx: &mut Tx, user_id: Uuid, symbols: &[&str]) -> Result<Vec<Option<Currency>>, Error> {
    let sets = symbols.iter().map(|symbol| [user_id.into(), (*symbol).into()]);
    Ok(tx.query_all(&CURRENCY_OF, sets).await?.into_iter().map(|found| found.first().copied()).collect())
}

/// The sequence of the user's next entry; later ones count up from it. Not one that could come back.
pub async fn next_sequence(tx: &mut Tx, user_id: Uuid) -> Result<i64, Error> {
    let last = tx.count(&LAST_SEQUENCE, &[user_id.into()]).await?;
    Ok(last.max(tx.count(&LAST_DELETED, &[user_id.into()]).await?) + 1)
}

pub async fn one(tx: &mut Tx, user_id: Uuid, sequence: i64) -> Result<Option<Entry>, Error> {
    tx.query_one(&ONE, &[user_id.into(), sequence.into()]).await
}

/// Adding more entries than this is a bulk write.
const BULK_ROWS: usize = 1_000;

/// Adds entries with the sequences they have; see [`next_sequence`].
pub async fn add(tx: &mut Tx, user_id: Uuid, entries: &[Entry]) -> Result<(), Error> {
    if entries.len() > BULK_ROWS {
        tx.grow_cache()?;
    }
    // In chunks, because the parameters need more memory than the entries.
    for some in entries.chunks(BULK_ROWS) {
        let rows: Vec<_> = some.iter().map(|entry| entry.params_after([user_id.into()])).collect();
        tx.execute_rows(&ADD, &rows).await?;
    }
    positions::mark_stale(tx, user_id, entries.iter().map(position)).await
}

fn position(entry: &Entry) -> (Uuid, &str) {
    (entry.portfolio_id, &entry.symbol)
}

/// In order. Purchases keep referring to their dividends.
pub async fn rename(tx: &mut Tx, user_id: Uuid, renamings: &[Renaming]) -> Result<(), Error> {
    let sequences: Vec<i64> = renamings.iter().map(|one| one.sequence).collect();
    positions::mark_stored(tx, user_id, &sequences).await?;
    let linked: Vec<(i64, i64)> = tx.query(&LINKED, &[user_id.into()]).await?;
    let rows = renamings.iter().map(|one| [(&one.symbol).into(), (&one.identity).into(), user_id.into(), one.sequence.into()]);
    tx.execute_all(&RENAME, rows).await?;
    let rows = linked.into_iter().map(|(dividend, purchase)| [dividend.into(), user_id.into(), purchase.into()]);
    tx.execute_all(&LINK, rows).await?;
    positions::mark_stored(tx, user_id, &sequences).await
}

pub async fn set_portfolio(tx: &mut Tx, user_id: Uuid, sequences: &[i64], portfolio_id: Uuid) -> Result<(), Error> {
    positions::mark_stored(tx, user_id, sequences).await?;
    let rows = sequences.iter().map(|sequence| [portfolio_id.into(), user_id.into(), (*sequence).into()]);
    tx.execute_all(&SET_PORTFOLIO, rows).await?;
    positions::mark_stored(tx, user_id, sequences).await
}

/// Replaces the entry with this sequence, but keeps its id, identity and import. False if the user has no such entry.
pub async fn update(tx: &mut Tx, user_id: Uuid, entry: &Entry) -> Result<bool, Error> {
    let values = Entry::columns("").into_iter().zip(entry.params_after([]));
    let changed = values.filter(|((name, _), _)| !KEPT.contains(name)).map(|(_, value)| value);
    let params: Vec<Param<'_>> = changed.chain([user_id.into(), entry.sequence.into()]).collect();
    positions::mark_stored(tx, user_id, &[entry.sequence]).await?;
    let known = tx.execute(&UPDATE, &params).await? > 0;
    if known {
        positions::mark_stale(tx, user_id, [position(entry)]).await?;
    }
    Ok(known)
}

fn changeable() -> Vec<(&'static str, Type)> {
    Entry::columns("").into_iter().filter(|(name, _)| !KEPT.contains(name)).collect()
}

/// False if the user has no such entry.
pub async fn delete(tx: &mut Tx, user_id: Uuid, sequence: i64) -> Result<bool, Error> {
    positions::mark_stored(tx, user_id, &[sequence]).await?;
    Ok(tx.execute(&DELETE, &[user_id.into(), sequence.into()]).await? > 0)
}

/// Those that are left of the import, oldest sequence first.
pub async fn of_import(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<Vec<Entry>, Error> {
    tx.query(&OF_IMPORT, &[user_id.into(), import_id.into()]).await
}

/// Returns how many entries of the import were left.
pub async fn delete_of_import(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<u64, Error> {
    positions::mark_of_import(tx, user_id, import_id).await?;
    tx.execute(&DELETE_OF_IMPORT, &[user_id.into(), import_id.into()]).await
}

statements! {
    OF_USER = "SELECT * FROM entries WHERE user_id = $1 ORDER BY sequence", [Uuid] => Entry;
    // A join, because for `IN` with a list SQLite would read all of the user's entries.
    OF_SYMBOLS = "SELECT * FROM entries
        JOIN (VALUES ($1), ($2), ($3), ($4), ($5), ($6), ($7), ($8), ($9), ($10), ($11), ($12), ($13), ($14), ($15), ($16))
        AS wanted ON symbol = wanted.column1 WHERE user_id = $17",
        [Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Uuid] => Entry;
    OF_PORTFOLIO = "SELECT * FROM entries WHERE user_id = $1 AND portfolio_id = $2 ORDER BY sequence", [Uuid, Uuid] => Entry;
    OF_IMPORT = "SELECT * FROM entries WHERE user_id = $1 AND import_id = $2 ORDER BY sequence", [Uuid, Uuid] => Entry;
    DIVIDENDS_OF_USER = "SELECT * FROM entries WHERE user_id = $1 AND type = 'dividend' ORDER BY date DESC, sequence DESC",
        [Uuid] => Entry;
    REINVESTMENTS = "SELECT * FROM entries WHERE user_id = $1 AND reinvests IS NOT NULL ORDER BY sequence", [Uuid] => Entry;
    NEWEST = "SELECT sequence FROM entries WHERE user_id = $1 AND (date, sequence) < ($2, $3) AND date >= $4
        AND (type = $5 OR $5 IS NULL) AND (portfolio_id = $6 OR $6 IS NULL) ORDER BY date DESC, sequence DESC LIMIT $7",
        [Uuid, Date, Integer, Date, Text, Uuid, Integer] => i64;
    USERS_OF_SYMBOL = "SELECT DISTINCT user_id FROM entries WHERE symbol = $1 ORDER BY user_id", [Text] => Uuid;
    IDENTITIES = "SELECT identity FROM entries WHERE user_id = $1 AND portfolio_id = $2", [Uuid, Uuid] => String;
    BY_IDENTITY = "SELECT sequence FROM entries WHERE user_id = $1 AND portfolio_id = $2 AND identity = $3",
        [Uuid, Uuid, Text] => i64;
    HAS_SYMBOL = "SELECT sequence FROM entries WHERE user_id = $1 AND symbol = $2 LIMIT 1", [Uuid, Text] => i64;
    CURRENCY_OF = "SELECT currency FROM entries WHERE user_id = $1 AND symbol = $2 ORDER BY date, sequence LIMIT 1",
        [Uuid, Text] => Currency;
    LAST_SEQUENCE = "SELECT sequence FROM entries WHERE user_id = $1 ORDER BY sequence DESC LIMIT 1", [Uuid] => i64;
    LAST_DELETED = "SELECT sequence FROM deleted_entries WHERE user_id = $1 ORDER BY sequence DESC LIMIT 1", [Uuid] => i64;
    ONE = "SELECT * FROM entries WHERE user_id = $1 AND sequence = $2", [Uuid, Integer] => Entry;
    ADD = TABLE.insert(), TABLE => ();
    RENAME = "UPDATE entries SET symbol = $1, identity = $2 WHERE user_id = $3 AND sequence = $4",
        [Text, Text, Uuid, Integer] => ();
    LINKED = "SELECT dividend.sequence, purchase.sequence FROM entries purchase JOIN entries dividend
        ON dividend.user_id = purchase.user_id AND dividend.portfolio_id = purchase.portfolio_id
        AND dividend.identity = purchase.reinvests WHERE purchase.user_id = $1 AND purchase.reinvests IS NOT NULL",
        [Uuid] => (i64, i64);
    LINK = "UPDATE entries SET reinvests = (SELECT identity FROM entries dividend WHERE dividend.user_id = entries.user_id
        AND dividend.sequence = $1) WHERE user_id = $2 AND sequence = $3", [Integer, Uuid, Integer] => ();
    UPDATE = TABLE.update(&changeable()), {[types(&changeable()), vec![Type::Uuid, Type::Integer]].concat()} => ();
    SET_PORTFOLIO = "UPDATE entries SET portfolio_id = $1 WHERE user_id = $2 AND sequence = $3", [Uuid, Uuid, Integer] => ();
    DELETE = "DELETE FROM entries WHERE user_id = $1 AND sequence = $2", [Uuid, Integer] => ();
    DELETE_OF_IMPORT = "DELETE FROM entries WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => ();
}
