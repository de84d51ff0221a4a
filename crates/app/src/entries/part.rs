//! Entries for programs: newest first, one part after the other.

use std::cmp::Reverse;

use jiff::civil::{Date, date};
use ledger::Kind;
use store::Tx;
use store::entries::{self, Entry};
use uuid::Uuid;

use super::row::{Row, rows};
use crate::portfolios::account::Account;
use crate::{App, Error};

/// No entry is earlier.
const FIRST_DAY: Date = date(1, 1, 1);

#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// By name or slug.
    pub portfolio: Option<String>,
    /// Upper case.
    pub symbol: Option<String>,
    pub kind: Option<Kind>,
    /// Both included.
    pub from: Option<Date>,
    pub to: Option<Date>,
    /// The last entry of the part before.
    pub after: Option<Place>,
    pub limit: usize,
}

/// The place of an entry in the list. It stays the same while others are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub date: Date,
    pub sequence: i64,
}

#[derive(Debug)]
pub struct Part {
    pub rows: Vec<Row>,
    /// Whether rows name their portfolio.
    pub named: bool,
    /// The place of the last row, if there are more.
    pub next: Option<Place>,
}

/// Newest first: by date, then the last recorded.
pub async fn part(app: &App, user_id: Uuid, wanted: &Wanted) -> Result<Part, Error> {
    let mut tx = app.store.read().await?;
    let account = Account::load(&mut tx, user_id, wanted.portfolio.as_deref()).await?;
    let end = Place { date: wanted.to.unwrap_or(Date::MAX), sequence: i64::MAX };
    let before = wanted.after.map_or(end, |after| after.min(end));
    let part = entries::Part {
        kind: wanted.kind,
        portfolio_id: account.selected,
        from: wanted.from.unwrap_or(FIRST_DAY).max(FIRST_DAY),
        before: (before.date.max(FIRST_DAY), before.sequence),
    };
    // One more than is wanted shows whether there are more.
    let mut found = match &wanted.symbol {
        Some(symbol) => of_symbol(&mut tx, user_id, symbol, part).await?,
        None => entries::newest(&mut tx, user_id, part, wanted.limit + 1).await?,
    };
    let has_more = found.len() > wanted.limit;
    found.truncate(wanted.limit);
    let last = found.last().map(|entry| Place { date: entry.date, sequence: entry.sequence });
    let rows = rows(&mut tx, &account, found).await?;
    Ok(Part { rows, named: account.names_portfolios(), next: last.filter(|_| has_more) })
}

async fn of_symbol(tx: &mut Tx, user_id: Uuid, symbol: &str, part: entries::Part) -> Result<Vec<Entry>, Error> {
    let mut found = entries::of_symbols(tx, user_id, &[symbol]).await?;
    found.retain(|entry| part.contains(entry));
    found.sort_by_key(|entry| Reverse((entry.date, entry.sequence)));
    Ok(found)
}
