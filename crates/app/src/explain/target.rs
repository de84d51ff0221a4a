//! How far a stock is from the user's targets.

use ledger::explain::{self, Node, Source, Unit};
use ledger::{Overflow, Target};

use super::question::{Figure, Question};
use crate::Error;
use crate::book::Book;

/// `None` without such a target, or if it is reached.
pub(super) async fn distance(book: &mut Book<'_>, question: &Question, rates: &Source) -> Result<Option<Node>, Error> {
    let Some(symbol) = question.symbol.as_deref() else { return Ok(None) };
    let Some(watched) = book.watched(symbol).await? else { return Ok(None) };
    let Some(profile) = book.profile(symbol).await? else { return Ok(None) };
    let (today, fx, data) = (book.today, book.fx.clone(), book.market_data(&profile).await?);
    let stock = data.explained(&fx, today, rates);
    let name = question.figure.as_str();
    let found = match question.figure {
        Figure::ToTargetYield => watched.target_yield_pct.and_then(|target| {
            let reached =
                Target::of_yield(stock.yield_pct().decimal()?, stock.exact_yield_pct()?.decimal()?, target)?.is_reached();
            let target = Node::number("target_yield", target, Unit::Percent);
            Some((stock.exact_yield_pct()?.named("yield_pct"), target, reached))
        }),
        _ => watched.target_price.zip(stock.price()).and_then(|(target, price)| {
            let reached = Target::of_price(price.decimal()?, target)?.is_reached();
            Some((Node::number("target_price", target, price.unit), price, reached))
        }),
    };
    let Some((remains, whole, false)) = found else { return Ok(None) };
    Ok(Some(explain::to_target(name, remains, whole).ok_or(Overflow)?))
}
