//! The watchlist with figures: each stock, and how far it is from the user's targets.

use jiff::Timestamp;
use ledger::upcoming::Item;
use ledger::{Check, Currency, Decimal, Frequency, Money, Safety, Target};
use store::{radar, versions};
use uuid::Uuid;

use crate::market::profile::Profile;
use crate::{App, Error};

#[derive(Clone, Debug)]
pub struct Row {
    pub symbol: String,
    /// Microseconds since 1970.
    pub added_at: i64,
    /// `None` if there is no market data for the symbol.
    pub stock: Option<Figures>,
    pub target_yield_pct: Option<Decimal>,
    /// In the currency the stock trades in.
    pub target_price: Option<Decimal>,
    /// `None` without such a target, or if the yield is unknown.
    pub by_yield: Option<Target>,
    /// `None` without such a target, or if the price is unknown.
    pub by_price: Option<Target>,
}

#[derive(Clone, Debug)]
pub struct Figures {
    pub name: Option<String>,
    pub sector: Option<String>,
    pub currency: Currency,
    pub price: Option<Money>,
    /// The time of the price.
    pub price_as_of: Option<Timestamp>,
    pub yield_pct: Option<Decimal>,
    pub yield_avg_5y_pct: Option<Decimal>,
    pub safety: Safety,
    pub safety_reasons: Vec<Check>,
    pub frequency: Option<Frequency>,
    pub streak_years: Option<u32>,
    pub streak_at_least: bool,
    /// The payment with the next ex-date, declared or estimated.
    pub next_ex: Option<Item>,
}

impl Row {
    /// Whether one of the targets is met.
    pub fn is_reached(&self) -> bool {
        [self.by_yield, self.by_price].into_iter().flatten().any(Target::is_reached)
    }

    /// The one nearest to being reached first; one at an unknown distance last, and of two equals the price.
    pub fn targets(&self) -> Vec<WatchTarget> {
        let by_price = self.target_price.map(|value| WatchTarget { kind: TargetKind::Price, value, distance: self.by_price });
        let by_yield = self.target_yield_pct.map(|value| WatchTarget { kind: TargetKind::Yield, value, distance: self.by_yield });
        let mut targets: Vec<WatchTarget> = by_price.into_iter().chain(by_yield).collect();
        targets.sort_by_key(|target| {
            let reached = target.distance.map(Target::is_reached);
            (reached.is_none(), reached == Some(false), target.distance.map(Target::distance_pct))
        });
        targets
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetKind {
    Price,
    Yield,
}

/// A target and the distance to it; `None` if the price or yield is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WatchTarget {
    pub kind: TargetKind,
    /// A price in the currency the stock trades in, or a yield in percent.
    pub value: Decimal,
    pub distance: Option<Target>,
}

/// In the order they were added, at the stored prices.
pub async fn rows(app: &App, user_id: Uuid) -> Result<Vec<Row>, Error> {
    let today = app.clock.today();
    let mut tx = app.store.read().await?;
    let versions = versions::get(&mut tx).await?;
    let fx = app.rates.at(&mut tx, versions.rates).await?;
    let mut rows = Vec::new();
    for watched in radar::list(&mut tx, user_id).await? {
        let profile = app.profiles.get(&mut tx, &watched.symbol, versions, today, &fx).await?;
        let profile = profile.filter(|profile| !profile.stock.placeholder);
        let fraction = profile.as_ref().and_then(|profile| profile.metrics.yield_fraction);
        let exact = fraction.and_then(|fraction| fraction.checked_mul(Decimal::ONE_HUNDRED));
        let stock = profile.map(|profile| figures(&profile, today));
        rows.push(row(watched, stock, exact));
    }
    Ok(rows)
}

fn row(watched: radar::Watched, stock: Option<Figures>, exact_yield_pct: Option<Decimal>) -> Row {
    let radar::Watched { symbol, added_at, target_yield_pct, target_price } = watched;
    let yield_pct = stock.as_ref().and_then(|stock| stock.yield_pct);
    let price = stock.as_ref().and_then(|stock| stock.price);
    Row {
        by_yield: yield_pct
            .zip(exact_yield_pct)
            .zip(target_yield_pct)
            .and_then(|((shown, exact), target)| Target::of_yield(shown, exact, target)),
        by_price: price.zip(target_price).and_then(|(is, target)| Target::of_price(is.amount, target)),
        symbol,
        added_at,
        stock,
        target_yield_pct,
        target_price,
    }
}

fn figures(profile: &Profile, today: jiff::civil::Date) -> Figures {
    let (stock, metrics) = (&profile.stock, &profile.metrics);
    Figures {
        name: stock.name.clone(),
        sector: stock.sector.clone(),
        currency: stock.currency,
        price: stock.price.map(|price| Money::new(price, stock.currency)),
        price_as_of: stock.price_time(),
        yield_pct: metrics.yield_pct,
        yield_avg_5y_pct: metrics.yield_avg_5y_pct,
        safety: metrics.safety,
        safety_reasons: metrics.safety_reasons.clone(),
        frequency: metrics.frequency,
        streak_years: metrics.streak_years,
        streak_at_least: metrics.streak_at_least,
        next_ex: ledger::upcoming::next_ex(metrics, today),
    }
}
