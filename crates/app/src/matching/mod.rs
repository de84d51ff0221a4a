//! Securities that files only name by ISIN or name: kept under that until anything knows which stock they are.

pub mod ask;
mod candidates;
mod change;
mod heal;
mod kept;
mod left_out;

use std::collections::BTreeMap;

use jiff::ToSpan;
use ledger::{Currency, Decimal};
pub use store::instruments::{Match, Origin};
use store::stocks;
pub use store::stocks::Stock;
use store::{Tx, entries, instruments};
use uuid::Uuid;

pub use change::{choose, set_seen, set_unlisted, undo};
pub use heal::heal;
pub(crate) use heal::heal_after;
use kept::Kept;
pub use left_out::{LeftOut, left_out};

use crate::book::lots;
use crate::{App, Error};

/// All of the user's securities that are, or were, not known by a ticker.
#[derive(Debug)]
pub struct Securities {
    /// Not matched yet.
    pub open: Vec<Security>,
    /// The user said that they have no ticker.
    pub unlisted: Vec<Security>,
    pub automatic: Vec<Matched>,
}

#[derive(Debug)]
pub struct Security {
    /// What files call it: its ISIN, else its ticker or name.
    pub key: String,
    pub name: Option<String>,
    pub isin: Option<String>,
    /// Held today, in all portfolios.
    pub shares: Decimal,
    /// Of its purchases and sales; `None` if there are several.
    pub currency: Option<Currency>,
    /// The number of transactions.
    pub entries: usize,
    /// Listings that it could be, by symbol.
    pub suggestions: Vec<Stock>,
}

/// A security that was matched without asking the user.
#[derive(Debug)]
pub struct Matched {
    pub key: String,
    pub name: Option<String>,
    pub symbol: String,
}

pub async fn list(app: &App, user_id: Uuid) -> Result<Securities, Error> {
    let mut tx = app.store.read().await?;
    let matches = instruments::list(&mut tx, user_id).await?;
    let kept: Vec<Kept> = kept::of_user(&mut tx, user_id).await?.into_iter().filter(|one| one.is_open(app)).collect();
    let symbols: Vec<&str> = kept.iter().filter(|one| one.is_identifiable()).map(|one| one.symbol.as_str()).collect();
    let mut candidates = candidates::find(app, &mut tx, &symbols).await?;
    let (mut open, mut unlisted) = (Vec::new(), Vec::new());
    for one in kept {
        let suggestions = one.fitting(candidates.remove(&one.symbol).unwrap_or_default());
        let is_unlisted = one.decision(&matches) == Some(Origin::Unlisted);
        let security = security(app, one, suggestions)?;
        if is_unlisted { unlisted.push(security) } else { open.push(security) }
    }
    Ok(Securities { open, unlisted, automatic: automatic(&mut tx, user_id, matches).await? })
}

fn security(app: &App, kept: Kept, suggestions: Vec<Stock>) -> Result<Security, Error> {
    let tomorrow = app.clock.today().saturating_add(1.day());
    let held = lots::gather(&kept.entries)?.into_iter().map(|lot| ledger::shares_before(&lot.entries, &[], tomorrow));
    Ok(Security {
        shares: held.into_iter().try_fold(Decimal::ZERO, ledger::money::add)?,
        currency: kept.traded_in(),
        name: kept.name().map(str::to_owned),
        isin: kept.entries.iter().find_map(|entry| entry.isin.clone()),
        entries: kept.entries.len(),
        key: kept.key,
        suggestions,
    })
}

async fn automatic(tx: &mut Tx, user_id: Uuid, mut matches: Vec<Match>) -> Result<Vec<Matched>, Error> {
    matches.retain(|one| one.origin == Origin::Automatic);
    let symbols: Vec<&str> = matches.iter().map(|one| one.symbol.as_str()).collect();
    let entries = entries::of_symbols(tx, user_id, &symbols).await?;
    let stocks = stocks::by_symbols(tx, &symbols).await?;
    let names: BTreeMap<&str, Option<String>> =
        symbols.iter().copied().zip(stocks.into_iter().map(|stock| stock.and_then(|stock| stock.name))).collect();
    // A match whose transactions are gone matters to nobody.
    let used =
        matches.iter().filter(|one| entries.iter().any(|entry| entry.symbol == one.symbol && kept::belongs_to(&one.key, entry)));
    let matched = |one: &Match| {
        let own = entries.iter().filter(|entry| kept::belongs_to(&one.key, entry)).find_map(|entry| entry.name.clone());
        let name = own.or_else(|| names.get(one.symbol.as_str()).cloned().flatten());
        Matched { key: one.key.clone(), name, symbol: one.symbol.clone() }
    };
    Ok(used.map(matched).collect())
}
