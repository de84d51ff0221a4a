//! Names, sectors, fundamentals: each field from the provider that has it; a value is never replaced by nothing.

use std::collections::HashMap;
use store::WriteLock;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Decimal, Frequency};
use market::validation::{self, Known};
use market::{Found, NextDividend, Profile};
use store::dividends::{self, Dividend};
use store::provenance::{self, Provenance};
use store::refreshes::Topic;
use store::stocks::{self, Stock};
use store::{Tx, versions};

use super::rejected::store_rejected;
use super::{Lease, Outcome, known, stock_changed};
use crate::market::dividends::{Removed, known_dividend, stored_dividend};
use crate::stocks::listed;
use crate::{App, Error};

/// A more preferred provider's value is not replaced by another's before it is this old.
const PREFERENCE_DAYS: i64 = 14;
/// Two ex-dates closer than this are one dividend.
const NEAR_DAYS: i64 = 20;
const CAUGHT_UP_DAYS: i32 = 10;
const DAY_MICROS: i64 = 86_400_000_000;

pub(crate) async fn refresh(app: &App, lease: Lease<'_>) -> Result<Outcome, Error> {
    let symbol = lease.claim.symbol.as_str();
    let found = match app.sources().market.profiles(symbol).await {
        Ok(found) => found,
        Err(failure) if failure.is_unoffered() => return lease.end_without_data(app, Outcome::Done).await,
        Err(failure) => return lease.end_without_data(app, Outcome::from(&failure)).await,
    };
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    if !lease.end(app, &mut tx, &Outcome::Done).await? {
        return Ok(Outcome::Lost);
    }
    for one in found {
        store(app, &mut tx, symbol, one).await?;
    }
    tx.commit().await?;
    Ok(Outcome::Done)
}

async fn store(app: &App, tx: &mut Tx, symbol: &str, found: Found<Profile>) -> Result<(), Error> {
    let Some(before) = stocks::by_symbol(tx, symbol).await? else { return Ok(()) };
    let was_placeholder = before.placeholder;
    let before = listed::doubted(tx, before, found.answer.unit).await?;
    let known = known::of_stock(tx, &before).await?;
    let validated = validation::profile(&known, &found.answer);
    let now = app.clock.now_micros();
    store_rejected(tx, symbol, Topic::Profile, found.provider, validated.rejected, now).await?;
    let owners = provenance::of_symbol(tx, symbol).await?;
    let mut update = Update::new(app, found.provider, owners, before.clone());
    update.apply(&validated.rows);
    let Update { stock: mut after, taken, .. } = update;
    after.placeholder &= was_placeholder;
    let sources: Vec<(&str, &str)> = taken.iter().map(|field| (*field, found.provider)).collect();
    let moved = provenance::put(tx, symbol, &sources, now).await?;
    let announced = announce(app, tx, &after, &known, validated.rows.next, found.provider).await?;
    let listed = |stock: &Stock| {
        let texts = [&stock.name, &stock.exchange, &stock.kind, &stock.isin].map(Clone::clone);
        (texts, stock.placeholder)
    };
    if listed(&after) != listed(&before) {
        versions::bump_listings(tx).await?;
    }
    if before.currency != after.currency {
        provenance::remove(tx, symbol, &[listed::CURRENCY]).await?;
    }
    if after != before {
        stocks::upsert(tx, &[after]).await?;
        versions::bump_market(tx).await?;
    }
    if announced || moved {
        stock_changed(tx, symbol).await?;
    }
    Ok(())
}

/// A stock being updated from stored data to a provider's.
struct Update<'a> {
    app: &'a App,
    provider: &'static str,
    owners: HashMap<String, Provenance>,
    stock: Stock,
    taken: Vec<&'static str>,
}

impl<'a> Update<'a> {
    fn new(app: &'a App, provider: &'static str, owners: Vec<Provenance>, stock: Stock) -> Update<'a> {
        let owners = owners.into_iter().map(|owner| (owner.field.clone(), owner)).collect();
        Update { app, provider, owners, stock, taken: Vec::new() }
    }

    fn apply(&mut self, profile: &Profile) {
        if let Some(unit) = profile.unit.filter(|_| self.stock.placeholder) {
            (self.stock.currency, self.stock.quote_unit, self.stock.placeholder) = (unit.currency, unit, false);
        }
        self.text("name", &profile.name, |stock| &mut stock.name);
        self.text("exchange", &profile.exchange, |stock| &mut stock.exchange);
        self.text("type", &profile.kind, |stock| &mut stock.kind);
        self.text("isin", &profile.isin, |stock| &mut stock.isin);
        self.text("country", &profile.country, |stock| &mut stock.country);
        self.text("sector", &profile.sector, |stock| &mut stock.sector);
        self.text("industry", &profile.industry, |stock| &mut stock.industry);
        self.text("instrument_type", &profile.instrument_type, |stock| &mut stock.instrument_type);
        // Until the trading currency is known, the unit of the figures is unknown.
        if self.stock.placeholder {
            return;
        }
        self.figure("forward_rate", profile.forward_rate, |stock| &mut stock.forward_rate);
        self.figure("payout_ratio", profile.payout_ratio, |stock| &mut stock.payout_ratio);
        self.figure("fcf_cover", profile.fcf_cover, |stock| &mut stock.fcf_cover);
        self.figure("pe", profile.pe, |stock| &mut stock.pe);
        self.figure("ma50", profile.ma50, |stock| &mut stock.ma50);
        self.figure("ma200", profile.ma200, |stock| &mut stock.ma200);
        self.figure("low52", profile.low52, |stock| &mut stock.low52);
        self.figure("high52", profile.high52, |stock| &mut stock.high52);
        self.figure("yield_avg_5y_pct", profile.yield_avg_5y_pct, |stock| &mut stock.yield_avg_5y_pct);
    }

    fn text(&mut self, field: &'static str, value: &Option<String>, place: fn(&mut Stock) -> &mut Option<String>) {
        let set = place(&mut self.stock).is_some();
        if value.is_some() && self.may_take(field, set) {
            *place(&mut self.stock) = value.clone();
            self.taken.push(field);
        }
    }

    fn figure(&mut self, field: &'static str, value: Option<Decimal>, place: fn(&mut Stock) -> &mut Option<Decimal>) {
        let set = place(&mut self.stock).is_some();
        if value.is_some() && self.may_take(field, set) {
            *place(&mut self.stock) = value;
            self.taken.push(field);
        }
    }

    /// A value without a provider comes from the operator's files.
    fn may_take(&self, field: &str, set: bool) -> bool {
        let rank = |name: Option<&str>| self.app.sources().rank(name);
        match self.owners.get(field) {
            None => !set || rank(Some(self.provider)) <= rank(None),
            Some(owner) => {
                let fresh = self.app.clock.now_micros() - owner.seen_at < PREFERENCE_DAYS * DAY_MICROS;
                rank(Some(self.provider)) <= rank(Some(&owner.provider)) || !fresh
            }
        }
    }
}

/// For a provider that has the next ex-date but no amount: for a monthly or quarterly payer, the amount is the declared yearly
/// rate divided by its payments. If that is not reliable, the usual estimate is used.
async fn announce(
    app: &App,
    tx: &mut Tx,
    stock: &Stock,
    known: &Known,
    next: Option<NextDividend>,
    provider: &str,
) -> Result<bool, Error> {
    // Stored under a separate name: the provider's history does not have it yet, and must not remove it.
    let source = format!("{provider} calendar");
    let today = app.clock.today();
    // The history may be a few days behind; if a payment is older than that and missing there, it was never paid.
    let in_doubt = |date: Date| date >= today || date < today.saturating_sub(CAUGHT_UP_DAYS.days());
    let (own, others): (Vec<_>, Vec<_>) = known.dividends.iter().partition(|row| row.provider.as_deref() == Some(&source));
    let wanted = match next.filter(|next| !others.iter().any(|row| is_near(row.ex_date, next.ex_date))) {
        Some(next) => announced(app, tx, stock, next, source).await?,
        None => None,
    };
    let wanted = Removed::load(tx).await?.without(&stock.symbol, wanted.into_iter().map(known_dividend).collect());
    let wanted: Vec<Dividend> = wanted.into_iter().map(stored_dividend).collect();
    let own = own.into_iter().filter(|row| in_doubt(row.ex_date)).cloned();
    let own: Vec<Dividend> = own.map(stored_dividend).collect();
    if own == wanted {
        return Ok(false);
    }
    let keys: Vec<_> = own.iter().map(|row| (row.ex_date, row.currency, row.kind)).collect();
    dividends::remove(tx, &stock.symbol, &keys).await?;
    dividends::upsert(tx, &stock.symbol, &wanted).await?;
    Ok(true)
}

fn is_near(one: Date, other: Date) -> bool {
    (one.duration_since(other).as_hours() / 24).abs() <= NEAR_DAYS
}

async fn announced(app: &App, tx: &mut Tx, stock: &Stock, next: NextDividend, source: String) -> Result<Option<Dividend>, Error> {
    let today = app.clock.today();
    if next.ex_date < today || next.ex_date > today.saturating_add(120.days()) {
        return Ok(None);
    }
    let amount = next_amount(app, tx, stock).await?;
    Ok(amount.map(|amount| Dividend {
        ex_date: next.ex_date,
        currency: stock.currency,
        kind: dividends::Kind::Regular,
        pay_date: next.pay_date,
        declared_date: None,
        amount,
        provider: Some(source),
    }))
}

/// For monthly and quarterly payers whose declared rate agrees with their last payment.
async fn next_amount(app: &App, tx: &mut Tx, stock: &Stock) -> Result<Option<Decimal>, Error> {
    let rates_version = versions::get(tx).await?.rates;
    let fx = app.rates.at(tx, rates_version).await?;
    let profile = crate::market::profile::derive(tx, stock.clone(), app.clock.today(), &fx).await?;
    let metrics = &profile.metrics;
    let per_year = match metrics.frequency {
        Some(frequency @ (Frequency::Monthly | Frequency::Quarterly)) => Decimal::from(frequency.payments_per_year()),
        _ => return Ok(None),
    };
    let Some(last) = metrics.history.regular().next_back() else { return Ok(None) };
    let amount = stock.forward_rate.and_then(|rate| rate.checked_div(per_year)).map(|amount| amount.round_dp(6).normalize());
    // A raise of a quarter is plausible; more is doubtful.
    let (low, high) = (last.amount.checked_mul(Decimal::new(8, 1)), last.amount.checked_mul(Decimal::new(125, 2)));
    Ok(amount.filter(|amount| low.is_some_and(|low| *amount >= low) && high.is_some_and(|high| *amount <= high)))
}
