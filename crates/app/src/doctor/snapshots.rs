//! Whether what is kept of every user's entries is what they come to.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::shares_text;
use store::{Tx, entries, positions, users, versions};
use uuid::Uuid;

use super::{Check, Verdict, check};
use crate::position_snapshot::Market;
use crate::position_snapshot::{Basis, Dividends, PositionSnapshot, seen_since};
use crate::{App, Error, lots};

/// So many of them are told one by one.
const TOLD_MAX: usize = 10;

pub(super) async fn compared(app: &App) -> Result<Vec<Check>, Error> {
    let (mut count, mut different) = (0, Vec::new());
    for user in users::list(&mut app.store.read().await?).await? {
        let mut tx = app.store.read().await?;
        let of_user = of_user(app, &mut tx, user.id).await;
        let (compared, found) = match of_user {
            Err(Error::Ledger { symbol, cause }) => (0, vec![(symbol, cause.to_string())]),
            other => other?,
        };
        count += compared;
        different.extend(found.into_iter().map(|(symbol, how)| format!("{symbol} of user {}: {how}", user.id)));
    }
    if different.is_empty() {
        return Ok(vec![check("positions", Verdict::Well, format!("{count} are as their entries make them"))]);
    }
    let summary = format!(
        "{} of {count} are not as their entries make them; look who else writes to the database, stop dripline, run UPDATE positions \
         SET fold = NULL on it, and start dripline again: they are worked out anew",
        different.len()
    );
    let told = different.into_iter().take(TOLD_MAX);
    Ok([summary].into_iter().chain(told).map(|finding| check("positions", Verdict::Ill, finding)).collect())
}

/// How many were compared, and which are not as they should be. What does not hold any more is not used, and not compared.
async fn of_user(app: &App, tx: &mut Tx, user_id: Uuid) -> Result<(usize, Vec<(String, String)>), Error> {
    let (today, market) = (app.clock.today(), Market::of(tx, user_id).await?);
    let rates_version = versions::get(tx).await?.rates;
    let fx = app.rates.at(tx, rates_version).await?;
    let kept = positions::of_user(tx, user_id).await?.into_iter().map(|row| ((row.portfolio_id, row.symbol), row.fold));
    let mut kept: HashMap<(Uuid, String), Option<Vec<u8>>> = kept.collect();
    let (mut count, mut different) = (0, Vec::new());
    for lot in lots::gather(&entries::of_user(tx, user_id).await?)? {
        tokio::task::yield_now().await;
        let Some(row) = kept.remove(&(lot.portfolio_id, lot.symbol.clone())) else {
            different.push((lot.symbol, "entries that answers do not count".to_owned()));
            continue;
        };
        let traded = market.traded(&lot.symbol);
        let holds = |fold: &PositionSnapshot| fold.basis.holds_on(today) && fold.basis.holds_for(traded, &fx);
        let Some(fold) = row.as_deref().and_then(PositionSnapshot::read).filter(holds) else { continue };
        count += 1;
        let replayed = PositionSnapshot::of(&lot, traded, market.is_held(&lot, today), &fx, today);
        let fold = as_of(fold, today);
        if replayed.as_ref().map(PositionSnapshot::written) != Some(fold.written()) {
            different
                .push((lot.symbol, format!("kept {}, its entries make {}", summary(Some(&fold)), summary(replayed.as_ref()))));
        }
    }
    let without_entries = kept.into_iter().filter(|(_, fold)| fold.is_some());
    different.extend(without_entries.map(|((_, symbol), _)| (symbol, "kept without any entry".to_owned())));
    Ok((count, different))
}

/// As it would be, were it folded on the day.
fn as_of(fold: PositionSnapshot, day: Date) -> PositionSnapshot {
    let dividends = match fold.dividends.sum_since(seen_since(day)) {
        Some(_) => fold.dividends,
        None => Dividends::of(fold.dividends.each().into_iter().filter(|paid| paid.date >= seen_since(day))),
    };
    PositionSnapshot { dividends, basis: Basis { day, ..fold.basis }, ..fold }
}

fn summary(fold: Option<&PositionSnapshot>) -> String {
    let Some(fold) = fold else { return "nothing that can be worked out".to_owned() };
    let dividends = fold.dividends.each().len();
    match &fold.position {
        None => format!("no shares, {dividends} dividend(s)"),
        Some(position) => {
            let (shares, currency) = (shares_text(position.shares), position.currency);
            format!("{shares} shares for {} {currency} since {}, {dividends} dividend(s)", position.cost, position.opened)
        }
    }
}
