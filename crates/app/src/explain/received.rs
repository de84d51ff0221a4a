//! Dividends received.

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::explain::{self, Node, Source, Unit};
use ledger::{Decimal, Event, Overflow};

use super::question::{Figure, Question};
use crate::Error;
use crate::book::Book;

/// Of the selected portfolio or all, in a period, of one symbol or all; `None` if the symbol never paid.
pub(super) async fn received(book: &mut Book<'_>, question: &Question, rates: &Source) -> Result<Option<Node>, Error> {
    let (from, to) = (question.from.unwrap_or(Date::MIN), question.to.unwrap_or(book.today).min(book.today));
    let receipts = receipts(book, question, rates, from, to).await?;
    if receipts.is_empty() && question.symbol.is_some() {
        return Ok(None);
    }
    let preferred = book.account.user.preferred_currency;
    Ok(Some(explain::total(question.figure.as_str(), preferred, receipts).ok_or(Overflow)?))
}

pub(super) async fn growth(book: &mut Book<'_>, rates: &Source) -> Result<Node, Error> {
    let (today, currency) = (book.today, book.account.user.preferred_currency);
    let [year_ago, before] = [1, 2].map(|years| today.saturating_sub(years.years()));
    let question = Question::of(Figure::Received);
    let mut of_year = async |name, after: Date, to| -> Result<Node, Error> {
        let receipts = receipts(book, &question, rates, after.saturating_add(1.day()), to).await?;
        Ok(explain::sum(name, Unit::Money(currency), receipts).ok_or(Overflow)?)
    };
    let last = of_year("last_12_months", year_ago, today).await?;
    let before = of_year("before_12_months", before, year_ago).await?;
    if before.decimal() <= Some(Decimal::ZERO) {
        return Ok(Node::unknown("received_growth", Unit::Fraction, "nothing_before"));
    }
    Ok(explain::received_growth(last, before).ok_or(Overflow)?)
}

/// In the user's currency, newest first; those without an exchange rate do not count.
async fn receipts(book: &mut Book<'_>, question: &Question, rates: &Source, from: Date, to: Date) -> Result<Vec<Node>, Error> {
    let lots = book.lots().await?;
    let preferred = book.account.user.preferred_currency;
    let mut receipts = Vec::new();
    for lot in lots.iter().filter(|lot| book.account.includes(lot.portfolio_id)) {
        let is_other = question.symbol.as_ref().is_some_and(|symbol| *symbol != lot.symbol);
        if is_other || question.position.as_ref().is_some_and(|name| name != book.account.name_of(lot.portfolio_id)) {
            continue;
        }
        let name = match book.account.label(lot.portfolio_id) {
            Some(portfolio) => format!("{} in {portfolio}", lot.symbol),
            None => lot.symbol.clone(),
        };
        for entry in lot.entries.iter().filter(|entry| from <= entry.date && entry.date <= to) {
            let Event::Dividend(paid) = &entry.event else { continue };
            let Some(exchange) = explain::exchange(&book.fx, entry.currency, preferred, entry.date, rates) else { continue };
            let node = match question.figure {
                Figure::ReceivedGross => explain::gross_receipt(entry, paid, exchange),
                _ => explain::net_receipt(entry, paid, exchange),
            };
            receipts.push((entry.date, node.ok_or(Overflow)?.named(name.clone()).as_of(entry.date)));
        }
    }
    receipts.sort_by_key(|(date, _)| std::cmp::Reverse(*date));
    Ok(receipts.into_iter().map(|(_, node)| node).collect())
}
