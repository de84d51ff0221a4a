//! Market data as the pages show it: where it comes from, whether the providers answer, and what a user's positions lack.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use store::providers::{self, ProviderState};
use store::refreshes;
use uuid::Uuid;

use crate::book::{Book, OpenPosition};
use crate::market::sources::{Health, Origin};
use crate::{App, Error};

pub struct Overview {
    pub origin: Origin,
    /// In order of preference.
    pub providers: Vec<ProviderOverview>,
    /// Chosen, but their key cannot be read.
    pub without_key: Vec<String>,
    /// Updates that are due or in progress, and all that are planned.
    pub due: i64,
    pub planned: i64,
    /// Securities in the user's open positions, and how many of them lack something.
    pub held: usize,
    pub unmatched: usize,
    pub without_price: usize,
    pub without_dividends: usize,
    /// The day of the oldest exchange rate that the positions' income uses, if it is an old one.
    pub outdated_rates: Option<Date>,
}

pub struct ProviderOverview {
    pub name: String,
    pub condition: ProviderCondition,
    pub ok_at: Option<i64>,
    /// Requests today (UTC), and how many are allowed; `None` for the watched folder.
    pub requests: Option<(i64, u32)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderCondition {
    /// A folder, which is not asked.
    Folder,
    NeverAsked,
    Answers,
    /// With the last fault, as it is stored.
    Fails(String),
}

pub async fn overview(app: &App, user_id: Uuid) -> Result<Overview, Error> {
    let sources = app.sources();
    let (states, work) = {
        let mut tx = app.store.read().await?;
        (providers::all(&mut tx).await?, refreshes::overview(&mut tx, app.clock.now_micros()).await?)
    };
    let health = sources.health();
    let of_name = |name: &String| {
        let state = states.iter().find(|state| state.name == *name);
        health.iter().find(|health| health.name == name).map_or_else(|| folder(name), |health| provider(health, state))
    };
    let mut book = Book::open(app, user_id, None).await?;
    let positions = book.open_positions().await?;
    let count = |lacks: fn(&OpenPosition) -> bool| {
        positions.iter().filter(|held| lacks(held)).map(|held| held.holding.symbol.as_str()).collect::<BTreeSet<_>>().len()
    };
    let is_idle = sources.is_empty();
    Ok(Overview {
        origin: sources.origin,
        providers: sources.order.iter().map(of_name).collect(),
        without_key: sources.without_key.clone(),
        due: if is_idle { 0 } else { work.iter().map(|work| work.overdue).sum() },
        planned: work.iter().map(|work| work.total).sum(),
        held: count(|_| true),
        unmatched: count(|held| !is_matched(held)),
        without_price: count(|held| {
            is_matched(held) && held.profile.as_ref().is_some_and(|profile| profile.stock.price.is_none())
        }),
        without_dividends: count(|held| {
            is_matched(held) && held.metrics().is_some_and(|metrics| metrics.history.payments.is_empty())
        }),
        outdated_rates: book.outdated_rates(&positions),
    })
}

fn is_matched(held: &OpenPosition) -> bool {
    held.profile.as_ref().is_some_and(|profile| !profile.stock.placeholder)
}

fn folder(name: &str) -> ProviderOverview {
    ProviderOverview { name: name.to_owned(), condition: ProviderCondition::Folder, ok_at: None, requests: None }
}

/// What this node saw last, and what was stored by others.
fn provider(health: &Health, state: Option<&ProviderState>) -> ProviderOverview {
    let micros = |at: Option<Timestamp>| at.map(|at| at.as_microsecond());
    let (stored_ok, stored_failed) = state.map_or((None, None), |state| (state.ok_at, state.failed_at));
    let (ok_at, failed_at) = (stored_ok.max(micros(health.ok_at)), stored_failed.max(micros(health.failed_at)));
    let fault = match &health.last_error {
        Some(fault) if micros(health.failed_at) >= stored_failed => Some(fault.to_stored()),
        _ => state.and_then(|state| state.last_error.clone()),
    };
    let condition = match fault {
        Some(fault) if failed_at > ok_at => ProviderCondition::Fails(fault),
        _ if ok_at.is_some() => ProviderCondition::Answers,
        _ => ProviderCondition::NeverAsked,
    };
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let stored = state.filter(|state| state.day == today).map_or(0, |state| state.used);
    ProviderOverview {
        name: health.name.to_owned(),
        condition,
        ok_at,
        requests: Some((stored.max(i64::from(health.used_today)), health.budget.per_day)),
    }
}
