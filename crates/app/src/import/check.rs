//! Whether the ledger still holds together with the new entries in it.

use std::collections::{BTreeMap, HashMap, HashSet};

use importers::Problem;
use jiff::civil::Date;
use ledger::{Currency, Oversell, ReplayError};
use store::entries::{self, Entry};
use store::{Tx, splits, stocks};
use uuid::Uuid;

use crate::{Error, lots, rates};

pub(super) struct Checked<'a> {
    pub entries: &'a [Entry],
    /// Currencies of symbols that market data does not know.
    pub unseen: &'a BTreeMap<String, Currency>,
    /// By sequence of the new entries.
    pub line_of: &'a HashMap<i64, u64>,
}

/// Replays every ledger that the new entries touch, old and new together; one problem for each that does not fit.
pub(super) async fn check(tx: &mut Tx, user_id: Uuid, new: Checked<'_>) -> Result<Vec<Problem>, Error> {
    let touched: HashSet<(Uuid, &str)> = new.entries.iter().map(|entry| (entry.portfolio_id, entry.symbol.as_str())).collect();
    let mut all = entries::of_user(tx, user_id).await?;
    all.retain(|entry| touched.contains(&(entry.portfolio_id, entry.symbol.as_str())));
    all.extend(new.entries.iter().cloned());
    let fx = rates::read(tx).await?;
    let mut problems = Vec::new();
    for lot in lots::gather(&all)? {
        let known = stocks::by_symbol(tx, &lot.symbol).await?.map(|stock| stock.currency);
        let first = lot.entries.first().map(|entry| entry.currency);
        let Some(currency) = known.or_else(|| new.unseen.get(&lot.symbol).copied()).or(first) else { continue };
        let splits = splits::of_symbol(tx, &lot.symbol).await?;
        let Err(error) = ledger::replay(&lot.entries, currency, &splits, &fx, Date::MAX, Oversell::Refuse) else { continue };
        let (sequence, reason) = explain(&error, &lot.symbol);
        problems.push(match sequence.and_then(|sequence| new.line_of.get(&sequence)) {
            Some(line) => Problem::new(*line, reason),
            // The entry that no longer fits was recorded earlier; a line of this file made it so.
            None => Problem::new(
                first_line(&lot, new.line_of),
                format!("with this file, an entry already recorded no longer fits: {reason}"),
            ),
        });
    }
    Ok(problems)
}

fn first_line(lot: &lots::Lot, lines: &HashMap<i64, u64>) -> u64 {
    lot.entries.iter().filter_map(|entry| lines.get(&entry.sequence)).min().copied().unwrap_or(0)
}

fn explain(error: &ReplayError, symbol: &str) -> (Option<i64>, String) {
    match error {
        ReplayError::Oversold { sequence, date, held, asked } => (
            Some(*sequence),
            format!(
                "{} {symbol} leave on {date}, but only {} are held then",
                ledger::shares_text(*asked),
                ledger::shares_text(*held)
            ),
        ),
        ReplayError::MissingRate { sequence, date, from, to } => (
            Some(*sequence),
            format!(
                "{symbol} trades in {to} and this entry is in {from}: there is no exchange rate for {date}; give fx_rate ({to} for one {from}), or load fx.csv"
            ),
        ),
        ReplayError::Overflow => (None, format!("the figures of {symbol} are too large to compute with")),
    }
}
