//! Forward income: what the open positions will pay, after tax, in the user's currency.

use ledger::{Currency, Holding, Income};
use uuid::Uuid;

use crate::book::Book;
use crate::withholding::Withholding;
use crate::{App, Error};

pub struct Outlook {
    pub income: Income,
    pub preferred: Currency,
    /// Whether sources name their portfolio.
    pub named: bool,
}

pub async fn outlook(app: &App, user_id: Uuid, portfolio: Option<&str>, years: u32, drip: bool) -> Result<Outlook, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let withholding = Withholding::of(&book);
    let mut holdings = Vec::new();
    for lot in std::mem::take(&mut book.lots) {
        if !book.account.includes(lot.portfolio_id) {
            continue;
        }
        let profile = book.profile(&lot.symbol).await?;
        let Some(position) = lot.position(profile.as_deref(), &book.fx, book.today)? else { continue };
        let metrics = profile.as_ref().map(|profile| &profile.metrics);
        holdings.push(Holding {
            withholding: withholding.rate(&lot, profile.as_deref()),
            portfolio: book.account.name_of(lot.portfolio_id).to_owned(),
            currency: position.currency,
            shares: position.shares,
            price: profile.as_ref().and_then(|profile| profile.stock.price),
            forward_rate: metrics.map(|metrics| metrics.forward_rate).unwrap_or_default(),
            growth: metrics.and_then(|metrics| metrics.growth),
            cagr_5y: metrics.and_then(|metrics| metrics.cagr_5y),
            streak_years: metrics.and_then(|metrics| metrics.streak_years),
            yield_fraction: metrics.and_then(|metrics| metrics.yield_fraction),
            payment_months: metrics.map(|metrics| metrics.payment_months.clone()).unwrap_or_default(),
            symbol: lot.symbol,
        });
    }
    let preferred = book.account.user.preferred_currency;
    let income = ledger::income(&holdings, preferred, &book.fx, book.today, years, drip)?;
    Ok(Outlook { income, preferred, named: book.account.names_portfolios() })
}
