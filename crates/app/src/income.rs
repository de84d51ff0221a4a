//! Forward income: what the open positions will pay, after tax, in the user's currency.

use ledger::{Currency, Holding, Income};
use store::{entries, versions};
use uuid::Uuid;

use crate::account::Account;
use crate::withholding::Withholding;
use crate::{App, Error, lots};

pub struct Outlook {
    pub income: Income,
    pub preferred: Currency,
    /// Whether sources name their portfolio.
    pub named: bool,
}

pub async fn outlook(app: &App, user_id: Uuid, portfolio: Option<&str>, years: u32, drip: bool) -> Result<Outlook, Error> {
    let today = app.clock.today();
    let mut tx = app.store.read().await?;
    let account = Account::load(&mut tx, user_id, portfolio).await?;
    let market_version = versions::get(&mut tx).await?.market;
    let fx = app.rates.at(&mut tx, market_version).await?;
    let lots = lots::gather(&entries::of_user(&mut tx, user_id).await?)?;
    let withholding = Withholding::new(account.user.residence.as_deref(), &lots, &fx, today);
    let mut holdings = Vec::new();
    for lot in lots.iter().filter(|lot| account.includes(lot.portfolio_id)) {
        let profile = app.profiles.of(&mut tx, &lot.symbol, market_version, today, &fx).await?;
        let Some(position) = lot.position(profile.as_deref(), &fx, today)? else { continue };
        let metrics = profile.as_ref().map(|profile| &profile.metrics);
        holdings.push(Holding {
            symbol: lot.symbol.clone(),
            portfolio: account.name_of(lot.portfolio_id).to_owned(),
            currency: position.currency,
            shares: position.shares,
            price: profile.as_ref().and_then(|profile| profile.stock.price),
            forward_rate: metrics.map(|metrics| metrics.forward_rate).unwrap_or_default(),
            growth: metrics.and_then(|metrics| metrics.growth),
            cagr_5y: metrics.and_then(|metrics| metrics.cagr_5y),
            streak_years: metrics.and_then(|metrics| metrics.streak_years),
            yield_fraction: metrics.and_then(|metrics| metrics.yield_fraction),
            payment_months: metrics.map(|metrics| metrics.payment_months.clone()).unwrap_or_default(),
            withholding: withholding.rate(lot, profile.as_deref()),
        });
    }
    let preferred = account.user.preferred_currency;
    let income = ledger::income(&holdings, preferred, &fx, today, years, drip)?;
    Ok(Outlook { income, preferred, named: account.names_portfolios() })
}
