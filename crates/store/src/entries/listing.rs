//! A user's entries as a list: filtered, sorted, and one page after the other.
//!
//! Every filter that an index begins with is a range, which is everything if the filter is not set. So each order has one
//! statement whose index finds the page by itself; then each row of the page is read.

use jiff::civil::{Date, date};
use ledger::Kind;
use uuid::Uuid;

use crate::table::{record, statements};
use crate::value::{Param, Type};
use crate::{Error, Tx};

/// Entries are sorted by this, then by date, then as recorded. Not by amount: decimals have no order in SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Date,
    Symbol,
    Kind,
}

/// Reversed as a whole, so that one index serves both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    pub sort: Sort,
    pub descending: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Both included.
    pub from: Option<Date>,
    pub to: Option<Date>,
    pub symbol: Option<String>,
    pub kind: Option<Kind>,
    pub portfolio_id: Option<Uuid>,
    pub origin: Option<Origin>,
}

/// Where entries come from; a part that is empty does not matter.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    pub import_id: Option<Uuid>,
    /// Either of them.
    pub sources: Vec<String>,
}

record! {
    /// What a search looks at.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Texts {
        pub sequence: i64,
        pub symbol: String,
        pub name: Option<String>,
        pub isin: Option<String>,
        pub note: Option<String>,
    }
}

pub async fn count(tx: &mut Tx, user_id: Uuid, wanted: &Wanted) -> Result<u64, Error> {
    let params = wanted.params(user_id);
    let query = if wanted.origin.is_some() { &COUNT_OF_ORIGIN } else { &COUNT };
    Ok(u64::try_from(tx.count(query, &params).await?).unwrap_or_default())
}

/// The sequences of a part of the list.
pub async fn sequences(
    tx: &mut Tx,
    user_id: Uuid,
    wanted: &Wanted,
    order: Order,
    skip: usize,
    limit: usize,
) -> Result<Vec<i64>, Error> {
    let mut params = wanted.params(user_id);
    params.extend([number(limit).into(), number(skip).into()]);
    let query = match (wanted.sort(order.sort), order.descending, wanted.origin.is_some()) {
        (Sort::Date, false, false) => &BY_DATE,
        (Sort::Date, true, false) => &BY_DATE_DOWN,
        (Sort::Symbol, false, false) => &BY_SYMBOL,
        (Sort::Symbol, true, false) => &BY_SYMBOL_DOWN,
        (Sort::Kind, false, false) => &BY_KIND,
        (Sort::Kind, true, false) => &BY_KIND_DOWN,
        (Sort::Date, false, true) => &OF_ORIGIN_BY_DATE,
        (Sort::Date, true, true) => &OF_ORIGIN_BY_DATE_DOWN,
        (Sort::Symbol, false, true) => &OF_ORIGIN_BY_SYMBOL,
        (Sort::Symbol, true, true) => &OF_ORIGIN_BY_SYMBOL_DOWN,
        (Sort::Kind, false, true) => &OF_ORIGIN_BY_KIND,
        (Sort::Kind, true, true) => &OF_ORIGIN_BY_KIND_DOWN,
    };
    tx.query(query, &params).await
}

/// Of all entries on the list, in no particular order: which texts match is decided by the program, because the engines fold
/// case and accents differently.
pub async fn texts(tx: &mut Tx, user_id: Uuid, wanted: &Wanted) -> Result<Vec<Texts>, Error> {
    let wanted = Wanted { origin: Some(wanted.origin.clone().unwrap_or_default()), ..wanted.clone() };
    tx.query(&TEXTS, &wanted.params(user_id)).await
}

const LAST_TEXT: &str = "\u{10FFFF}";

impl Wanted {
    /// Where all have the same symbol or type, the order by date is that of the index that finds them.
    fn sort(&self, sort: Sort) -> Sort {
        match (sort, &self.symbol, self.kind) {
            (Sort::Date, Some(_), _) => Sort::Symbol,
            (Sort::Date, None, Some(_)) => Sort::Kind,
            _ => sort,
        }
    }

    fn params(&self, user_id: Uuid) -> Vec<Param<'_>> {
        let (from, to) = (self.from.unwrap_or(FIRST_DAY).max(FIRST_DAY), self.to.unwrap_or(Date::MAX).max(FIRST_DAY));
        let range = |text: Option<&'static str>| [text.unwrap_or_default(), text.unwrap_or(LAST_TEXT)];
        let symbols = self.symbol.as_deref().map_or(["", LAST_TEXT], |symbol| [symbol, symbol]);
        let mut params: Vec<Param<'_>> = vec![user_id.into(), from.into(), to.into()];
        params.extend(symbols.into_iter().chain(range(self.kind.map(Kind::word))).map(Param::from));
        params.push(self.portfolio_id.into());
        if let Some(Origin { import_id, sources }) = &self.origin {
            let source = |at: usize| sources.get(at).map(String::as_str);
            params.extend([(*import_id).into(), source(0).into(), source(1).into()]);
        }
        params
    }
}

/// PostgreSQL and SQLite have no common day before it.
const FIRST_DAY: Date = date(1, 1, 1);

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

const PARAMS: [Type; 8] = [Type::Uuid, Type::Date, Type::Date, Type::Text, Type::Text, Type::Text, Type::Text, Type::Uuid];

fn types(more: &[Type]) -> Vec<Type> {
    [&PARAMS, more].concat()
}

const ORIGIN: [Type; 3] = [Type::Uuid, Type::Text, Type::Text];
const PAGE: [Type; 2] = [Type::Integer, Type::Integer];
const PAGE_OF_ORIGIN: [Type; 5] = [Type::Uuid, Type::Text, Type::Text, Type::Integer, Type::Integer];

fn select(columns: &str, of_origin: bool) -> String {
    let origin = match of_origin {
        true => " AND (import_id = $9 OR $9 IS NULL) AND (source = $10 OR source = $11 OR $10 IS NULL)",
        false => "",
    };
    format!(
        "SELECT {columns} FROM entries WHERE user_id = $1 AND date >= $2 AND date <= $3 AND symbol >= $4 AND symbol <= $5
        AND type >= $6 AND type <= $7 AND (portfolio_id = $8 OR $8 IS NULL){origin}"
    )
}

fn page(order: &str, of_origin: bool) -> String {
    let first = if of_origin { 12 } else { 9 };
    format!("{} ORDER BY {order} LIMIT ${first} OFFSET ${}", select("sequence", of_origin), first + 1)
}

const DATE: &str = "date, sequence";
const DATE_DOWN: &str = "date DESC, sequence DESC";
const SYMBOL: &str = "symbol, date, sequence";
const SYMBOL_DOWN: &str = "symbol DESC, date DESC, sequence DESC";
const KIND: &str = "type, date, sequence";
const KIND_DOWN: &str = "type DESC, date DESC, sequence DESC";

statements! {
    COUNT = select("COUNT(*)", false), {types(&[])} => i64;
    COUNT_OF_ORIGIN = select("COUNT(*)", true), {types(&ORIGIN)} => i64;
    TEXTS = select("sequence, symbol, name, isin, note", true), {types(&ORIGIN)} => Texts;
    BY_DATE = page(DATE, false), {types(&PAGE)} => i64;
    BY_DATE_DOWN = page(DATE_DOWN, false), {types(&PAGE)} => i64;
    BY_SYMBOL = page(SYMBOL, false), {types(&PAGE)} => i64;
    BY_SYMBOL_DOWN = page(SYMBOL_DOWN, false), {types(&PAGE)} => i64;
    BY_KIND = page(KIND, false), {types(&PAGE)} => i64;
    BY_KIND_DOWN = page(KIND_DOWN, false), {types(&PAGE)} => i64;
    OF_ORIGIN_BY_DATE = page(DATE, true), {types(&PAGE_OF_ORIGIN)} => i64;
    OF_ORIGIN_BY_DATE_DOWN = page(DATE_DOWN, true), {types(&PAGE_OF_ORIGIN)} => i64;
    OF_ORIGIN_BY_SYMBOL = page(SYMBOL, true), {types(&PAGE_OF_ORIGIN)} => i64;
    OF_ORIGIN_BY_SYMBOL_DOWN = page(SYMBOL_DOWN, true), {types(&PAGE_OF_ORIGIN)} => i64;
    OF_ORIGIN_BY_KIND = page(KIND, true), {types(&PAGE_OF_ORIGIN)} => i64;
    OF_ORIGIN_BY_KIND_DOWN = page(KIND_DOWN, true), {types(&PAGE_OF_ORIGIN)} => i64;
}
