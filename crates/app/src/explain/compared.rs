//! Payments compared with what was recorded for them, and those that nobody recorded.

use std::sync::Arc;

use jiff::civil::Date;
use ledger::expected::{Booked, Entitlement, matched};
use ledger::explain::{self, Node, Source};
use ledger::{Money, Overflow};

use super::positions::{broken, lot};
use super::question::{Figure, Question};
use crate::Error;
use crate::automatic::{Suggestion, Suggestions};
use crate::book::lots::Lot;
use crate::book::{Book, Holding};
use crate::income::expected::{due, first_day, matched_since, traced};
use crate::market::profile::Profile;

/// What is expected and recorded for a payment of the last 24 months, and the difference.
pub(super) async fn compared(book: &mut Book<'_>, question: &Question, rates: &Source) -> Result<Option<Node>, Error> {
    let Some((lot, profile)) = lot_of(book, question).await? else { return Ok(None) };
    let since = matched_since(&(first_day(book.today)..=Date::MAX));
    let due = due(&lot, &profile, since, book.today)?;
    let recorded = traced(&lot, since, book.today, explain::booked);
    let entitlements: Vec<Entitlement> = due.iter().map(|due| due.entitlement).collect();
    let found = matched(&entitlements, &recorded)?;
    let Some(ex_date) = question.ex_date else {
        let is_asked = |booked: &Booked<Node>| {
            let Money { amount, currency } = booked.gross;
            (Some(booked.date), Some(amount), Some(currency)) == (question.to, question.per_share, question.currency)
        };
        return Ok(found.extra.into_iter().find(is_asked).map(shown));
    };
    let is_asked = |payment: &ledger::Payment| {
        payment.ex_date == ex_date && question.per_share.is_none_or(|amount| amount == payment.paid_amount)
    };
    let Some((due, booked)) = due.iter().zip(found.booked).find(|(due, _)| is_asked(due.payment)) else { return Ok(None) };
    let mut expected = async || expected(book, &lot, &profile, due.payment, rates).await;
    let units = due.entitlement.amount.currency.minor_units();
    match question.figure {
        Figure::Recorded => Ok(booked.map(shown)),
        Figure::Difference => {
            let Some((booked, expected)) = booked.zip(expected().await?) else { return Ok(None) };
            let difference = explain::difference(booked.trace.named("recorded"), expected).ok_or(Overflow)?;
            Ok(Some(difference.rounded(units)))
        }
        _ => Ok(expected().await?.map(|node| node.rounded(units))),
    }
}

fn shown(booked: Booked<Node>) -> Node {
    booked.trace.named("recorded").rounded(booked.gross.currency.minor_units())
}

async fn lot_of(book: &mut Book<'_>, question: &Question) -> Result<Option<(Arc<Lot>, Arc<Profile>)>, Error> {
    let lots = book.lots().await?;
    let account = &book.account;
    let is_asked = |lot: &&Arc<Lot>| {
        account.includes(lot.portfolio_id)
            && question.symbol.as_ref() == Some(&lot.symbol)
            && question.position.as_ref().is_none_or(|name| name == account.name_of(lot.portfolio_id))
    };
    let Some(lot) = lots.iter().find(is_asked).cloned() else { return Ok(None) };
    Ok(book.profile(&lot.symbol).await?.map(|profile| (lot, profile)))
}

/// Shares × the amount per share, not rounded.
async fn expected(
    book: &mut Book<'_>,
    recorded: &Lot,
    profile: &Profile,
    payment: &ledger::Payment,
    rates: &Source,
) -> Result<Option<Node>, Error> {
    let (today, fx, data) = (book.today, book.fx.clone(), book.market_data(profile).await?);
    let shares = lot(recorded, Some(profile), &fx, rates, Some(&data)).shares_paid(payment.ex_date);
    let shares = shares.map_err(|error| broken(&recorded.symbol, error))?;
    let per_share = data.explained(&fx, today, rates).paid_then(payment.ex_date, payment.currency, payment.special);
    Ok(per_share.and_then(|per_share| explain::value(shares, per_share, None)).map(|node| node.named("due_payment")))
}

/// What all payments that nobody recorded come to, after estimated tax.
pub(super) async fn missing(book: &mut Book<'_>, found: &Suggestions, rates: &Source) -> Result<Node, Error> {
    let preferred = book.account.user.preferred_currency;
    let mut nets = Vec::new();
    for one in found.open.iter().filter(|one| one.beside.is_none()) {
        let Some(exchange) = explain::exchange(&book.fx, one.net.currency, preferred, one.pay_date, rates) else { continue };
        let name = match &one.portfolio {
            Some(portfolio) => format!("{} in {portfolio}", one.key.symbol),
            None => one.key.symbol.clone(),
        };
        let net = net_of(book, one, rates).await?;
        nets.push(explain::converted(net, exchange).ok_or(Overflow)?.named(name).as_of(one.pay_date));
    }
    Ok(explain::total("missing_net", preferred, nets).ok_or(Overflow)?)
}

/// The same for one payment, ignored or not.
pub(super) async fn suggested(
    book: &mut Book<'_>,
    question: &Question,
    found: &Suggestions,
    rates: &Source,
) -> Result<Option<Node>, Error> {
    let is_asked = |one: &&Suggestion| {
        Some(&one.key.symbol) == question.symbol.as_ref()
            && Some(one.key.ex_date) == question.ex_date
            && Some(one.per_share)
                == question.per_share.zip(question.currency).map(|(amount, currency)| Money::new(amount, currency))
            && one.portfolio == question.position
    };
    let Some(one) = found.open.iter().chain(&found.ignored).find(is_asked) else { return Ok(None) };
    let node = net_of(book, one, rates).await?;
    Ok(Some(node.named(question.figure.as_str()).rounded(one.net.currency.minor_units())))
}

async fn net_of(book: &mut Book<'_>, one: &Suggestion, rates: &Source) -> Result<Node, Error> {
    let stored = || Node::money("net", one.net).with_source(Source::Estimate);
    let lots = book.lots().await?;
    let Some(lot) = lots.iter().find(|lot| (lot.portfolio_id, &lot.symbol) == (one.key.portfolio_id, &one.key.symbol)) else {
        return Ok(stored());
    };
    let Some(profile) = book.profile(&lot.symbol).await? else { return Ok(stored()) };
    let currency = one.gross.currency;
    let same = |payment: &&ledger::Payment| {
        (payment.ex_date, payment.currency, payment.special) == (one.key.ex_date, currency, one.key.special)
    };
    let Some(payment) = profile.metrics.history.payments.iter().find(same) else { return Ok(stored()) };
    let Some(gross) = expected(book, lot, &profile, payment, rates).await? else { return Ok(stored()) };
    let is_of_lot = |holding: &&Arc<Holding>| (holding.portfolio_id, &holding.symbol) == (lot.portfolio_id, &lot.symbol);
    let Some(holding) = book.holdings.iter().find(is_of_lot).cloned() else { return Ok(stored()) };
    let withheld = book.explained_withholding(&holding, Some(&profile)).await?.ok_or(Overflow)?;
    let [_, _, net] = explain::estimated(gross, withheld, currency).ok_or(Overflow)?;
    Ok(if net.decimal() == Some(one.net.amount) { net } else { stored() })
}
