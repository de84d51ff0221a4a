//! Moving entries to another portfolio.

use std::collections::HashSet;

use store::entries::{self, Entry};
use store::payment_decisions::{self, Decision};
use store::{Tx, portfolios};
use uuid::Uuid;

use super::selection::Selection;
use crate::automatic::{Key, decision};
use crate::book::lots::{is_automatic, lot_of};
use crate::book::refresh::LoadedEntries;
use crate::entries::change::{Change, Changed};
use crate::entries::reference::reference;
use crate::entries::{Doubt, Problem, Reason, by_hand, finish};
use crate::{App, Error};

/// What moves, and how.
#[derive(Default)]
struct Plan {
    change: Change,
    /// What the user decided about payments of lots that move as a whole.
    decisions: Vec<Decision>,
    /// Automatic entries whose shares stay behind: as after a change of their portfolio, they are recorded by hand.
    by_hand: Vec<Entry>,
    /// Automatic entries that follow from what moves.
    recomputed: Vec<Entry>,
}

/// Dividends move with the purchases that reinvest them. Refused if a portfolio would be inconsistent; asks first if it looks like a mistake that was not confirmed in `meant`.
pub async fn move_all(
    app: &App,
    user_id: Uuid,
    selection: &Selection,
    portfolio: &str,
    meant: impl Fn(&[Doubt]) -> bool,
) -> Result<Changed, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let unknown = || Reason::PortfolioUnknown { name: portfolio.trim().to_owned() };
    let target = portfolios::find(&mut tx, user_id, portfolio.trim()).await?.ok_or_else(|| refused(vec![unknown()]))?.id;
    let selected = selection.load(&mut tx, user_id).await?;
    let plan = Plan::of(&mut tx, user_id, selected, target).await?;
    let mut reasons = plan.duplicates(&mut tx, user_id, target).await?;
    let moved: HashSet<i64> = plan.change.after.iter().map(|entry| entry.sequence).collect();
    for conflict in plan.change.conflicts(app, &mut tx).await? {
        let (symbol, cause) = (conflict.lot.symbol, conflict.cause);
        reasons.push(match conflict.sequence {
            Some(sequence) if moved.contains(&sequence) => Reason::Inconsistent { symbol, cause },
            _ => Reason::BreaksOther { symbol, cause },
        });
    }
    if !reasons.is_empty() {
        return Err(refused(reasons));
    }
    let doubts = plan.change.doubts(app, &mut tx).await?;
    if !meant(&doubts) {
        return Ok(Changed::Doubted(doubts));
    }
    let count = plan.change.before.len();
    plan.store(&mut tx, user_id, target).await?;
    finish(app, tx, user_id, LoadedEntries::default()).await?;
    Ok(Changed::Done(count))
}

fn refused(reasons: Vec<Reason>) -> Error {
    Error::Entry(reasons.into_iter().map(|reason| Problem { field: "portfolio", reason }).collect())
}

impl Plan {
    async fn of(tx: &mut Tx, user_id: Uuid, selected: Vec<Entry>, target: Uuid) -> Result<Plan, Error> {
        let before: Vec<Entry> = selected.into_iter().filter(|entry| entry.portfolio_id != target).collect();
        let at_target = |entry: &Entry| Entry { portfolio_id: target, ..entry.clone() };
        let lots = Change::load(tx, user_id, before, Vec::new()).await?;
        let staying: HashSet<(Uuid, &str)> = lots.others.iter().filter(|entry| !is_automatic(entry)).map(lot_of).collect();
        let leaving = lots.before.iter().filter(|entry| !is_automatic(entry) && !staying.contains(&lot_of(entry)));
        let whole: HashSet<(Uuid, String)> = leaving.map(|entry| (entry.portfolio_id, entry.symbol.clone())).collect();
        let is_whole = |(portfolio_id, symbol): (Uuid, &str)| whole.contains(&(portfolio_id, symbol.to_owned()));
        let mut plan = Plan::default();
        let (mut after, mut references) = (Vec::new(), Vec::new());
        let next = entries::next_sequence(tx, user_id).await?;
        for entry in &lots.before {
            match (is_automatic(entry), is_whole(lot_of(entry))) {
                (false, _) => after.push(at_target(entry)),
                (true, true) if entry.import_id.is_some() => after.push(at_target(entry)),
                (true, true) => plan.recomputed.push(entry.clone()),
                (true, false) => {
                    let sequence = next + plan.by_hand.len() as i64;
                    let recorded = by_hand::by_hand(Entry { sequence, ..at_target(entry) });
                    references.push((entry.symbol.clone(), reference(entry), reference(&recorded)));
                    after.push(recorded);
                    plan.by_hand.push(entry.clone());
                }
            }
        }
        for purchase in &mut after {
            let is_own = |symbol: &String, from: &String| *symbol == purchase.symbol && purchase.reinvests.as_ref() == Some(from);
            if let Some((.., to)) = references.iter().find(|(symbol, from, _)| is_own(symbol, from)) {
                purchase.reinvests = Some(to.clone());
            }
        }
        let decisions = payment_decisions::of_user(tx, user_id).await?;
        plan.decisions = decisions.into_iter().filter(|one| is_whole((one.portfolio_id, &one.symbol))).collect();
        plan.change = Change::load(tx, user_id, lots.before, after).await?;
        // They follow as well.
        plan.change.others.retain(|one| !is_automatic(one) || one.import_id.is_some() || !is_whole(lot_of(one)));
        Ok(plan)
    }

    /// What the portfolio already has.
    async fn duplicates(&self, tx: &mut Tx, user_id: Uuid, target: Uuid) -> Result<Vec<Reason>, Error> {
        let identities: Vec<(Uuid, String)> = self.change.after.iter().map(|one| (target, one.identity.clone())).collect();
        let is_doubled = identities.iter().collect::<HashSet<_>>().len() < identities.len();
        let is_stored = entries::have_identities(tx, user_id, &identities).await?.contains(&true);
        let decided = payment_decisions::of_user(tx, user_id).await?;
        let mut recorded = self.decisions.iter().filter(|one| decision::is_recorded(one));
        let is_decided = recorded.any(|one| decided.iter().any(|other| Key::of(other) == key_at(one, target)));
        Ok(if is_doubled || is_stored || is_decided { vec![Reason::Duplicate] } else { Vec::new() })
    }

    async fn store(self, tx: &mut Tx, user_id: Uuid, target: Uuid) -> Result<(), Error> {
        for entry in &self.recomputed {
            entries::delete(tx, user_id, entry.sequence).await?;
        }
        for entry in &self.by_hand {
            self.change.decide_alone(tx, user_id, entry).await?;
            decision::change(tx, user_id, entry, None).await?;
        }
        let known = payment_decisions::of_user(tx, user_id).await?;
        for one in &self.decisions {
            payment_decisions::remove(tx, user_id, one).await?;
            if known.iter().all(|other| Key::of(other) != key_at(one, target)) {
                payment_decisions::put(tx, user_id, &Decision { portfolio_id: target, ..one.clone() }).await?;
            }
        }
        let before: HashSet<i64> = self.change.before.iter().map(|entry| entry.sequence).collect();
        let (moved, new): (Vec<Entry>, Vec<Entry>) =
            self.change.after.into_iter().partition(|one| before.contains(&one.sequence));
        let sequences: Vec<i64> = moved.iter().map(|entry| entry.sequence).collect();
        entries::set_portfolio(tx, user_id, &sequences, target).await?;
        for purchase in moved.iter().filter(|entry| entry.reinvests.is_some()) {
            entries::update(tx, user_id, purchase).await?;
        }
        Ok(entries::add(tx, user_id, &new).await?)
    }
}

fn key_at(decision: &Decision, portfolio_id: Uuid) -> Key {
    Key { portfolio_id, ..Key::of(decision) }
}
