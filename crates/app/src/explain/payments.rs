//! Upcoming payments.

use std::sync::Arc;

use jiff::ToSpan;
use ledger::Overflow;
use ledger::explain::{self, Node, Source, Unit};

use super::positions::{Explained, broken, lot};
use super::question::{Figure, Question};
use crate::Error;
use crate::book::{Book, Holding};
use crate::income::upcoming::{self, Item};

/// How far ahead a payment is looked for: further than any regular payer's gap.
const DAYS_AHEAD: i32 = 400;

/// The next payment of the symbol, in all portfolios that it is paid to.
pub(super) async fn expected(book: &mut Book<'_>, symbol: &str, explained: &Explained) -> Result<Option<Node>, Error> {
    let upcoming = upcoming::of_book(book, DAYS_AHEAD).await?;
    let mut items = upcoming.items.into_iter().filter(|item| item.symbol == symbol && item.owned.is_some()).peekable();
    let Some((ex_date, currency)) = items.peek().map(|item| (item.ex_date, item.per_share.currency)) else {
        let unit = Unit::Money(explained.currency().unwrap_or(book.account.user.preferred_currency));
        return Ok((!explained.is_empty()).then(|| Node::unknown("expected", unit, "none_expected")));
    };
    let mut payments = Vec::new();
    for item in items.filter(|item| (item.ex_date, item.per_share.currency) == (ex_date, currency)) {
        payments.push(gross(book, &item, &explained.rates).await?.ok_or(Overflow)?);
    }
    Ok(Some(explain::total("expected", currency, payments).ok_or(Overflow)?))
}

/// A payment as it is listed, before or after tax.
pub(super) async fn payment(book: &mut Book<'_>, question: &Question, rates: &Source) -> Result<Option<Node>, Error> {
    let upcoming = upcoming::of_book(book, DAYS_AHEAD).await?;
    let is_asked = |item: &&Item| {
        Some(&item.symbol) == question.symbol.as_ref()
            && Some(item.ex_date) == question.ex_date
            && question.per_share.is_none_or(|amount| amount == item.per_share.amount)
            && item.owned.as_ref().is_some_and(|owned| question.position.is_none() || owned.portfolio == question.position)
    };
    let Some(item) = upcoming.items.iter().find(is_asked) else { return Ok(None) };
    let node = match question.figure {
        Figure::NetPayment => net(book, item, rates).await?,
        _ => gross(book, item, rates).await?,
    };
    let currency = item.per_share.currency;
    Ok(node.map(|node| node.named(question.figure.as_str()).rounded(currency.minor_units())))
}

/// What all payments of a currency bring within some days, after tax.
pub(super) async fn upcoming(book: &mut Book<'_>, question: &Question, rates: &Source) -> Result<Node, Error> {
    let days = question.days.unwrap_or(DAYS_AHEAD);
    let seen = upcoming::of_book(book, days).await?;
    let last = seen.from.saturating_add(days.days());
    let currency = question.currency.unwrap_or(book.account.user.preferred_currency);
    let counts = |item: &&Item| item.pay_date <= last && item.per_share.currency == currency && item.owned.is_some();
    let mut payments = Vec::new();
    for item in seen.items.iter().filter(counts) {
        let node = net(book, item, rates).await?.ok_or(Overflow)?;
        payments.push(node.named(name(item)).as_of(item.ex_date));
    }
    Ok(explain::total("upcoming", currency, payments).ok_or(Overflow)?)
}

async fn gross(book: &mut Book<'_>, item: &Item, rates: &Source) -> Result<Option<Node>, Error> {
    let Some(owned) = &item.owned else { return Ok(None) };
    if item.announced_by_broker {
        return Ok(Some(Node::money(name(item), owned.expected).with_source(Source::Ledger).as_of(item.ex_date)));
    }
    let same = |holding: &&Arc<_>| -> bool {
        let holding: &Holding = holding;
        holding.portfolio_id == owned.portfolio_id && holding.symbol == item.symbol
    };
    let Some(holding) = book.holdings.iter().find(same).cloned() else { return Ok(None) };
    let profile = book.profile(&holding.symbol).await?;
    let Some(data) = book.stock_data(&holding, profile.as_deref()).await? else { return Ok(None) };
    let (recorded, today, fx) = (book.lot(&holding).await?, book.today, book.fx.clone());
    let lot = lot(&recorded, profile.as_deref(), &fx, rates, Some(&data));
    let shares = if item.ex_date <= today {
        lot.shares_paid(item.ex_date)
    } else {
        let Some(position) = book.position(&holding, profile.as_deref()).await? else { return Ok(None) };
        lot.shares(&position, today, false)
    };
    let shares = shares.map_err(|error| broken(&item.symbol, error))?;
    let Some(shares) = explain::announced_shares(shares, &lot, today, item.ex_date) else { return Ok(None) };
    let per_share = data.explained(&fx, today, rates).per_share(item.ex_date, item.per_share);
    Ok(per_share.and_then(|per_share| explain::value(shares, per_share, None)).map(|node| node.named(name(item))))
}

async fn net(book: &mut Book<'_>, item: &Item, rates: &Source) -> Result<Option<Node>, Error> {
    let Some(owned) = &item.owned else { return Ok(None) };
    if item.announced_by_broker {
        return Ok(Some(Node::money(name(item), owned.expected_net).with_source(Source::Ledger).as_of(item.ex_date)));
    }
    let Some(gross) = gross(book, item, rates).await? else { return Ok(None) };
    let same = |holding: &&Arc<Holding>| holding.portfolio_id == owned.portfolio_id && holding.symbol == item.symbol;
    let Some(holding) = book.holdings.iter().find(same).cloned() else { return Ok(None) };
    let profile = book.profile(&holding.symbol).await?;
    let Some(withholding) = book.explained_withholding(&holding, profile.as_deref()).await? else { return Ok(None) };
    Ok(explain::net_payment(gross.named("gross"), withholding))
}

/// Its symbol, and its portfolio if there are several.
fn name(item: &Item) -> String {
    match item.owned.as_ref().and_then(|owned| owned.portfolio.as_ref()) {
        Some(portfolio) => format!("{} in {portfolio}", item.symbol),
        None => item.symbol.clone(),
    }
}
