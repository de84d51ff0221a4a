//! Dividends received, in the user's currency: by month, year, stock and portfolio.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::received::{PartTotals, Receipt, Sum, YearTotals};
use ledger::{Currency, Decimal, Event};
use uuid::Uuid;

use crate::book::Book;
use crate::book::lots::Lot;
use crate::market::rates;
use crate::{App, Error};

#[derive(Clone, Debug)]
pub struct Received {
    pub currency: Currency,
    /// From the first year with a dividend to this year, oldest first.
    pub years: Vec<YearTotals>,
    /// The largest net amount first.
    pub by_stock: Vec<StockTotal>,
    /// The largest net amount first; by portfolio name, even if there is only one.
    pub by_portfolio: Vec<PartTotals>,
    /// All dividends up to today.
    pub all_time: Sum,
    pub last_12_months: Sum,
    pub before_12: Sum,
    /// Fraction.
    pub growth: Option<Decimal>,
    pub unconverted: Vec<(String, Currency)>,
    /// How many dividends count their net amount as gross, because only that was recorded.
    pub net_only: usize,
    /// The day of the oldest exchange rate that was used, if it is old for its payment.
    pub outdated_rates: Option<Date>,
}

#[derive(Clone, Debug)]
pub struct StockTotal {
    pub symbol: String,
    pub name: Option<String>,
    pub total: Sum,
    /// Years with a dividend, oldest first.
    pub years: Vec<(i16, Sum)>,
}

pub async fn received(app: &App, user_id: Uuid, portfolio: Option<&str>, today: Date) -> Result<Received, Error> {
    of_book(&mut Book::open(app, user_id, portfolio).await?, Date::MIN, today).await
}

/// Of the selected portfolio or all, from a day on.
pub(crate) async fn of_book(book: &mut Book<'_>, from: Date, today: Date) -> Result<Received, Error> {
    let lots = book.lots().await?;
    let selected = || lots.iter().filter(|lot| book.account.includes(lot.portfolio_id));
    let receipts = selected().flat_map(|lot| receipts(book, lot)).filter(|receipt| receipt.date >= from);
    let receipts: Vec<Receipt> = receipts.collect();
    let preferred = book.account.user.preferred_currency;
    let all = ledger::received::received(&receipts, preferred, &book.fx, today)?;
    let outdated_rates = rates::outdated(&book.fx, preferred, receipts.iter().map(|receipt| (receipt.currency, receipt.date)));
    let typed: HashMap<&str, Option<&str>> = selected().map(|lot| (lot.symbol.as_str(), lot.name.as_deref())).collect();
    let mut by_stock = Vec::with_capacity(all.by_stock.len());
    for PartTotals { key, total, years } in all.by_stock {
        let known = book.profile(&key).await?.and_then(|profile| profile.stock.name.clone());
        let name = known.or_else(|| typed.get(key.as_str()).copied().flatten().map(str::to_owned));
        by_stock.push(StockTotal { symbol: key, name, total, years });
    }
    Ok(Received {
        currency: all.currency,
        years: all.years,
        by_stock,
        by_portfolio: all.by_portfolio,
        all_time: all.all_time,
        last_12_months: all.last_12_months,
        before_12: all.before_12,
        growth: all.growth,
        unconverted: all.unconverted,
        net_only: all.net_only,
        outdated_rates,
    })
}

fn receipts<'a>(book: &'a Book<'_>, lot: &'a Lot) -> impl Iterator<Item = Receipt> + 'a {
    lot.entries.iter().filter_map(|entry| {
        let Event::Dividend(paid) = &entry.event else { return None };
        Some(Receipt {
            symbol: lot.symbol.clone(),
            portfolio: book.account.name_of(lot.portfolio_id).to_owned(),
            date: entry.date,
            currency: entry.currency,
            gross: paid.gross,
            net: paid.net(),
            gross_known: paid.gross_known,
        })
    })
}
