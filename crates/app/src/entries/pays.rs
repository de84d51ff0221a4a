//! What recording a draft changes about the income of its position.

use std::sync::Arc;

use jiff::civil::Date;
use ledger::{Decimal, Money};
use store::entries::Entry;
use uuid::Uuid;

use super::change::Change;
use super::check::Pays;
use crate::book::lots::{self, Lot};
use crate::book::{Book, OpenPosition};
use crate::{App, Error, income};

/// Without the entries and with them: today, or on their day if that is later. `stored` are all entries of the symbol. `None` if
/// nothing is known about what the stock pays.
pub(super) async fn change(app: &App, user_id: Uuid, change: &Change, stored: &[Entry]) -> Result<Option<[Pays; 2]>, Error> {
    let mut book = Book::open(app, user_id, None).await?;
    let entry = change.entry();
    let day = entry.date.max(book.today);
    let gone: Vec<i64> = change.before.iter().map(|one| one.sequence).collect();
    let others = stored.iter().filter(|one| !gone.contains(&one.sequence));
    let before = position(&mut book, stored, entry.portfolio_id, day).await?;
    let after = position(&mut book, others.chain(&change.after), entry.portfolio_id, day).await?;
    let is_known = [&before, &after].into_iter().flatten().any(OpenPosition::has_data);
    is_known.then(|| Ok([of(&book, before)?, of(&book, after)?])).transpose()
}

async fn position<'e>(
    book: &mut Book<'_>,
    entries: impl IntoIterator<Item = &'e Entry>,
    portfolio_id: Uuid,
    day: Date,
) -> Result<Option<OpenPosition>, Error> {
    let lots: Vec<Arc<Lot>> = lots::gather(entries)?.into_iter().map(Arc::new).collect();
    book.supposed(&lots, portfolio_id, day).await
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
