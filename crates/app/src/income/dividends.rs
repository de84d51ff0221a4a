//! Dividends received, as they were recorded.

use jiff::civil::Date;
use ledger::{Decimal, Event, Money};
use store::{entries, stocks};
use uuid::Uuid;

use crate::book::lots;
use crate::portfolios::account::Account;
use crate::{App, Error};

#[derive(Debug, Default)]
pub struct Filter {
    /// Upper case.
    pub symbol: Option<String>,
    pub from: Option<Date>,
    pub to: Option<Date>,
    pub portfolio: Option<String>,
}

pub struct Dividend {
    pub symbol: String,
    pub date: Date,
    pub amount: Money,
    pub gross_known: bool,
    pub net: Money,
    pub per_share: Option<Money>,
    pub withholding_tax: Option<Money>,
    pub shares: Option<Decimal>,
    pub isin: Option<String>,
    pub name: Option<String>,
    pub source: String,
    /// Taken from market data, and not confirmed by the user.
    pub estimated: bool,
    pub portfolio: Option<String>,
}

/// Newest first: by payment date, then the last recorded.
pub async fn list(app: &App, user_id: Uuid, filter: &Filter) -> Result<Vec<Dividend>, Error> {
    let today = app.clock.today();
    let mut tx = app.store.read().await?;
    let account = Account::load(&mut tx, user_id, filter.portfolio.as_deref()).await?;
    let mut rows = entries::dividends_of_user(&mut tx, user_id).await?;
    rows.retain(|row| {
        // One of a later day is not paid yet.
        row.date <= today
            && account.includes(row.portfolio_id)
            && filter.symbol.as_ref().is_none_or(|symbol| *symbol == row.symbol)
            && filter.from.is_none_or(|from| row.date >= from)
            && filter.to.is_none_or(|to| row.date <= to)
    });
    let mut known = std::collections::HashMap::new();
    for row in &rows {
        if !known.contains_key(&row.symbol) {
            known.insert(row.symbol.clone(), stocks::by_symbol(&mut tx, &row.symbol).await?);
        }
    }
    let mut dividends = Vec::with_capacity(rows.len());
    for row in rows {
        let Event::Dividend(paid) = lots::entry(&row)?.event else { continue };
        let money = |amount| Money::new(amount, row.currency);
        let stock = known.get(&row.symbol).and_then(Option::as_ref);
        dividends.push(Dividend {
            source: lots::shown_source(&row).to_owned(),
            estimated: paid.estimated,
            date: row.date,
            amount: money(lots::shown_gross(&row)?.unwrap_or(paid.gross)),
            gross_known: paid.gross_known,
            net: money(paid.net()),
            per_share: paid.per_share.map(money),
            withholding_tax: paid.tax.map(money),
            shares: paid.shares,
            isin: stock.and_then(|stock| stock.isin.clone()).or(row.isin),
            name: stock.and_then(|stock| stock.name.clone()).or(row.name),
            portfolio: account.label(row.portfolio_id),
            symbol: row.symbol,
        });
    }
    Ok(dividends)
}
