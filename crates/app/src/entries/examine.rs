//! Checks a draft against the ledger it is meant for.

use std::collections::BTreeMap;

use importers::Record;
use jiff::civil::Date;
use ledger::{Currency, Money, ReplayError};
use store::entries::{self, Entry, Kind};
use store::{Tx, portfolios};
use uuid::Uuid;

use super::by_hand::{fresh, with_new_id};
use super::change::Change;
use super::check::{Checked, Standing, fields_of, gross, net, record};
use super::symbol::Known;
use super::{Draft, Problem, Reason, reference, reinvesting};
use crate::book::lots::{self, OPENING, OPENING_ESTIMATED, is_opening, same_lot};
use crate::import::check::{self as ledger_check, Conflict};
use crate::stocks::stock_visibility;
use crate::{App, Error};

pub(super) struct Examined {
    pub checked: Checked,
    /// Set if its fields are valid. Its portfolio id is nil if the first portfolio is still to be created.
    pub change: Option<Change>,
    /// Symbols without market data.
    pub unseen: BTreeMap<String, Currency>,
}

pub(super) async fn examine(
    app: &App,
    tx: &mut Tx,
    user_id: Uuid,
    editing: Option<i64>,
    draft: &Draft,
    known: &Known,
) -> Result<Examined, Error> {
    let before = match editing {
        Some(sequence) => Some(super::find_entry(tx, user_id, sequence).await?),
        None => None,
    };
    let record = record(draft);
    let symbol = record.symbol.clone().unwrap_or_default();
    let stock = stock_visibility::stock(tx, &symbol, Some(user_id)).await?;
    let trades_in = stock.as_ref().map(|stock| stock.currency).or(known.currency());
    let mut checked = Checked {
        problems: fields_of(&record, app.clock.today()),
        currency: draft.currency.or(trades_in),
        symbol_name: stock.as_ref().and_then(|stock| stock.name.clone()).or_else(|| known.name()),
        ..Checked::default()
    };
    if draft.opening && gross(&record).is_none() && checked.problems.is_empty() {
        let reason = Reason::Rule(importers::Reason::NeedsPrice { kind: Kind::TransferIn });
        checked.problems.push(Problem { field: "price", reason });
    }
    checked.doubts.extend(known.doubt(&symbol));
    let portfolio_id = chosen_portfolio(tx, user_id, &draft.portfolio, &mut checked.problems).await?;
    let Some(currency) = checked.currency else {
        checked.problems.push(Problem { field: "currency", reason: Reason::CurrencyMissing { symbol } });
        return Ok(Examined { checked, change: None, unseen: BTreeMap::new() });
    };
    checked.amount = gross(&record).map(|amount| Money::new(amount, currency));
    checked.net = net(&record).map(|amount| Money::new(amount, currency));
    let Some(portfolio_id) = portfolio_id.filter(|_| checked.problems.is_empty()) else {
        return Ok(Examined { checked, change: None, unseen: BTreeMap::new() });
    };
    let next = entries::next_sequence(tx, user_id).await?;
    let mut entry = match &before {
        Some(before) => edited(before, portfolio_id, record, symbol, currency),
        None => fresh(next, portfolio_id, record, symbol, currency),
    };
    if draft.opening && before.is_none() {
        entry = with_new_id(entry, OPENING);
    }
    if is_opening(&entry) {
        // Imports that bring some of its shares divide the amount.
        (entry.amount, entry.price) = (lots::gross(&entry)?, None);
    }
    let unseen: BTreeMap<String, Currency> = match stock {
        Some(_) => BTreeMap::new(),
        None => BTreeMap::from([(entry.symbol.clone(), trades_in.unwrap_or(currency))]),
    };
    let mut others = others(tx, user_id, before.as_ref(), &entry).await?;
    let bought = before.as_ref().map(|before| reference::take(&mut others, before)).unwrap_or_default();
    let net = checked.net.map(|net| net.amount);
    let today = app.clock.today();
    let (purchases, problems) = reinvesting::purchases(draft, &entry, net, (before.as_ref(), &bought), next + 1, today)?;
    checked.purchase = purchases.first().cloned();
    if !problems.is_empty() {
        checked.problems.extend(problems);
        return Ok(Examined { checked, change: None, unseen });
    }
    let before = before.into_iter().chain(bought).collect();
    let change = Change { before, after: [vec![entry], purchases].concat(), others };
    hold_together(app, tx, user_id, &change, &unseen, &mut checked).await?;
    Ok(Examined { checked, change: Some(change), unseen })
}

/// The intended portfolio; nil if the user has none yet and names none.
async fn chosen_portfolio(tx: &mut Tx, user_id: Uuid, wanted: &str, problems: &mut Vec<Problem>) -> Result<Option<Uuid>, Error> {
    let wanted = wanted.trim();
    if wanted.is_empty() {
        let all = portfolios::list(tx, user_id).await?;
        return Ok(Some(all.iter().find(|one| one.is_default).map_or(Uuid::nil(), |one| one.id)));
    }
    let found = portfolios::find(tx, user_id, wanted).await?.map(|one| one.id);
    if found.is_none() {
        problems.push(Problem { field: "portfolio", reason: Reason::PortfolioUnknown { name: wanted.to_owned() } });
    }
    Ok(found)
}

/// The other entries of the affected lots.
async fn others(tx: &mut Tx, user_id: Uuid, before: Option<&Entry>, entry: &Entry) -> Result<Vec<Entry>, Error> {
    let symbols: Vec<&str> = before.into_iter().chain([entry]).map(|one| one.symbol.as_str()).collect();
    let mut others = entries::of_symbols(tx, user_id, &symbols).await?;
    others.retain(|one| one.sequence != entry.sequence);
    others.retain(|one| same_lot(one, entry) || before.is_some_and(|before| same_lot(one, before)));
    Ok(others)
}

/// Whether the affected lots are consistent with the change, and what is held then.
async fn hold_together(
    app: &App,
    tx: &mut Tx,
    user_id: Uuid,
    change: &Change,
    unseen: &BTreeMap<String, Currency>,
    checked: &mut Checked,
) -> Result<(), Error> {
    let (entry, others) = (change.entry(), &change.others);
    let same = entries::by_identity(tx, user_id, entry.portfolio_id, &entry.identity).await?;
    if same.is_some_and(|sequence| sequence != entry.sequence) {
        checked.problems.push(Problem { field: "portfolio", reason: Reason::Duplicate });
    }
    let (stored, after) = (others.iter().chain(&change.before), others.iter().chain(&change.after));
    for conflict in ledger_check::conflicts(app, tx, stored, after, unseen, None).await? {
        checked.problems.push(problem(conflict, &change.after));
    }
    if checked.problems.is_empty() {
        checked.doubts.extend(change.doubts(app, tx).await?);
        let lot: Vec<&Entry> = others.iter().chain(&change.after).filter(|one| same_lot(one, entry)).collect();
        let (after, today) = (standing(app, tx, &lot, unseen, entry.date).await?, app.clock.today());
        if today > entry.date {
            let now = standing(app, tx, &lot, unseen, today).await?;
            checked.today = Some(now).filter(|now| (now.shares, now.average_cost) != (after.shares, after.average_cost));
        }
        let earlier: Vec<&Entry> = others.iter().chain(&change.before).filter(|one| same_lot(one, entry)).collect();
        checked.before = Some(standing(app, tx, &earlier, unseen, entry.date.max(today)).await?);
        checked.after = Some(after);
    }
    Ok(())
}

async fn standing(
    app: &App,
    tx: &mut Tx,
    lot: &[&Entry],
    unseen: &BTreeMap<String, Currency>,
    day: Date,
) -> Result<Standing, Error> {
    let position = ledger_check::position(app, tx, lot.iter().copied(), unseen, day).await?;
    let shares = position.map(|position| position.shares).unwrap_or_default();
    Ok(Standing {
        day,
        shares,
        average_cost: position.filter(|position| position.cost_known).map(|position| position.average_cost()),
    })
}

fn problem(conflict: Conflict, own: &[Entry]) -> Problem {
    let field = match (matches!(conflict.cause, ReplayError::Oversold { .. }), conflict.sequence) {
        (true, _) => "shares",
        (false, Some(_)) => "fx_rate",
        (false, None) => "amount",
    };
    let (symbol, cause) = (conflict.lot.symbol, conflict.cause);
    let reason = match conflict.sequence {
        Some(sequence) if own.iter().all(|entry| entry.sequence != sequence) => Reason::BreaksOther { symbol, cause },
        _ => Reason::Inconsistent { symbol, cause },
    };
    Problem { field, reason }
}

fn edited(before: &Entry, portfolio_id: Uuid, record: Record, symbol: String, currency: Currency) -> Entry {
    // Name and ISIN belong to the previous instrument.
    let same = before.symbol == symbol;
    let is_reinvestment = record.kind == Kind::Buy && same && before.portfolio_id == portfolio_id;
    // Whoever changes an estimated cost knows it.
    let cost_entered = before.source == OPENING_ESTIMATED && gross(&record) != lots::gross(before).ok().flatten();
    Entry {
        isin: before.isin.clone().filter(|_| same),
        name: before.name.clone().filter(|_| same),
        source: if cost_entered { OPENING.to_owned() } else { before.source.clone() },
        source_id: before.source_id.clone(),
        identity: before.identity.clone(),
        import_id: before.import_id,
        reinvests: before.reinvests.clone().filter(|_| is_reinvestment),
        ..fresh(before.sequence, portfolio_id, record, symbol, currency)
    }
}
