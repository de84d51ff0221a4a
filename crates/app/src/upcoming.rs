//! Payments to come: of what is held, of what was held before an ex-date, and of the radar.

use std::collections::HashSet;

use jiff::civil::Date;
use ledger::{Decimal, Fx, Money};
use store::{Tx, entries, radar, versions};
use uuid::Uuid;

use crate::account::Account;
use crate::lots::Lot;
use crate::profile::Profile;
use crate::withholding::Withholding;
use crate::{App, Error, lots};

pub struct Upcoming {
    pub from: Date,
    pub items: Vec<Item>,
}

pub struct Item {
    pub symbol: String,
    pub name: Option<String>,
    pub ex_date: Date,
    pub pay_date: Date,
    pub per_share: Money,
    pub declared: bool,
    /// None for a stock of the radar.
    pub owned: Option<Owned>,
}

pub struct Owned {
    pub shares: Decimal,
    pub expected: Money,
    pub expected_net: Money,
    /// Named when the user has more than one portfolio and none was selected.
    pub portfolio: Option<String>,
}

/// Soonest first, by the first of the two dates still to come, then symbol, then portfolio.
pub async fn list(app: &App, user_id: Uuid, portfolio: Option<&str>, days: i32) -> Result<Upcoming, Error> {
    let today = app.clock.today();
    let mut tx = app.store.read().await?;
    let account = Account::load(&mut tx, user_id, portfolio).await?;
    let market_version = versions::get(&mut tx).await?.market;
    let fx = app.rates.at(&mut tx, market_version).await?;
    let lots = lots::gather(&entries::of_user(&mut tx, user_id).await?)?;
    let withholding = Withholding::new(account.user.residence.as_deref(), &lots, &fx, today);
    let mut held = HashSet::new();
    let mut items = Vec::new();
    for lot in &lots {
        let Some(profile) = app.profiles.of(&mut tx, &lot.symbol, market_version, today, &fx).await? else { continue };
        let shares_today = lot.position(Some(&profile), &fx, today)?.map(|position| position.shares).unwrap_or_default();
        if !shares_today.is_zero() {
            held.insert(lot.symbol.clone());
        }
        if account.includes(lot.portfolio_id) {
            let rate = withholding.rate(lot, Some(&profile));
            items.extend(of_lot(&account, lot, &profile, shares_today, rate, today, days)?);
        }
    }
    if account.selected.is_none() {
        let watched = of_radar(app, &mut tx, user_id, &held, market_version, today, days, &fx).await?;
        // A payment still due on shares sold since is the user's, and listed as that only.
        let due: HashSet<(String, Date)> = items.iter().map(|item| (item.symbol.clone(), item.ex_date)).collect();
        items.extend(watched.into_iter().filter(|item| !due.contains(&(item.symbol.clone(), item.ex_date))));
    }
    items.sort_by(|a, b| {
        let place = |item: &Item| (ledger::upcoming::first_to_come(item.ex_date, item.pay_date, today), item.symbol.clone());
        let portfolio = |item: &Item| item.owned.as_ref().and_then(|owned| owned.portfolio.clone());
        place(a).cmp(&place(b)).then_with(|| portfolio(a).cmp(&portfolio(b))).then_with(|| a.ex_date.cmp(&b.ex_date))
    });
    Ok(Upcoming { from: today, items })
}

fn of_lot(
    account: &Account,
    lot: &Lot,
    profile: &Profile,
    shares_today: Decimal,
    withholding: Decimal,
    today: Date,
    days: i32,
) -> Result<Vec<Item>, Error> {
    let mut items = Vec::new();
    for payment in ledger::upcoming::payments(&profile.metrics, today, days) {
        // From the ex-date on, only what was held before it is paid; buying on the day itself is too late.
        let shares = if payment.ex_date <= today { lot.shares_before(Some(profile), payment.ex_date) } else { shares_today };
        if shares.is_zero() {
            continue;
        }
        let expected = ledger::money::mul(payment.per_share, shares)?;
        let kept = ledger::money::sub(Decimal::ONE, withholding)?;
        let money = |amount| Money::new(amount, profile.stock.currency);
        items.push(Item {
            symbol: lot.symbol.clone(),
            name: profile.stock.name.clone().or_else(|| lot.name.clone()),
            ex_date: payment.ex_date,
            pay_date: payment.pay_date,
            per_share: money(payment.per_share),
            declared: payment.declared,
            owned: Some(Owned {
                shares,
                expected: money(expected),
                expected_net: money(ledger::money::mul(expected, kept)?),
                portfolio: account.label(lot.portfolio_id),
            }),
        });
    }
    Ok(items)
}

#[allow(clippy::too_many_arguments)] // one call; a struct for it would only move the list
async fn of_radar(
    app: &App,
    tx: &mut Tx,
    user_id: Uuid,
    held: &HashSet<String>,
    market_version: i64,
    today: Date,
    days: i32,
    fx: &Fx,
) -> Result<Vec<Item>, Error> {
    let mut items = Vec::new();
    for row in radar::list(tx, user_id).await? {
        if held.contains(&row.symbol) {
            continue;
        }
        let Some(profile) = app.profiles.of(tx, &row.symbol, market_version, today, fx).await? else { continue };
        items.extend(ledger::upcoming::payments(&profile.metrics, today, days).into_iter().map(|payment| Item {
            symbol: row.symbol.clone(),
            name: profile.stock.name.clone(),
            ex_date: payment.ex_date,
            pay_date: payment.pay_date,
            per_share: Money::new(payment.per_share, profile.stock.currency),
            declared: payment.declared,
            owned: None,
        }));
    }
    Ok(items)
}
