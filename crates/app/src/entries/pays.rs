//! What recording a draft changes about the income of its position.

use ledger::{Currency, Decimal, Money};
use uuid::Uuid;

use super::change::Change;
use super::check::Pays;
use crate::book::{Book, OpenPosition};
use crate::{App, Error, income};

/// Without the change and with it: today, or on its day if that is later. `trades_in` is the currency of a stock without market
/// data. `None` if nothing is known about what the stock pays, or if it is split until then.
pub(super) async fn change(
    app: &App,
    user_id: Uuid,
    change: Change,
    trades_in: Option<Currency>,
) -> Result<Option<[Pays; 2]>, Error> {
    let mut book = Book::open(app, user_id, None).await?;
    let entry = change.entry();
    book.day = entry.date.max(book.today);
    let (portfolio_id, symbol) = (entry.portfolio_id, entry.symbol.clone());
    let before = book.open_position(portfolio_id, &symbol).await?;
    book.suppose(&change.before, change.after, trades_in).await?;
    let after = book.open_position(portfolio_id, &symbol).await?;
    let known: Vec<&OpenPosition> = [&before, &after].into_iter().flatten().filter(|held| held.has_data()).collect();
    // What a share pays is known per share of today.
    let is_split = known.iter().any(|held| held.splits_after(book.today, book.day));
    (!known.is_empty() && !is_split).then(|| Ok([of(&book, before)?, of(&book, after)?])).transpose()
}

fn of(book: &Book<'_>, held: Option<OpenPosition>) -> Result<Pays, Error> {
    let preferred = book.account.user.preferred_currency;
    let Some(held) = held else {
        return Ok(Pays { income: Some(Money::new(Decimal::ZERO, preferred)), yield_on_cost_pct: None });
    };
    let income = income::compute(book, std::slice::from_ref(&held), 0, false)?;
    let annual = Some(Money::new(income.annual, preferred)).filter(|_| income.unconverted.is_empty());
    Ok(Pays { income: annual, yield_on_cost_pct: held.yield_on_cost_pct() })
}
