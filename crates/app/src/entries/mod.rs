//! Entries by hand: list, add, edit and delete. The rules are the same as for an imported row.

mod by_hand;
mod change;
mod check;
mod defaults;
mod doubts;
mod examine;
pub mod export;
mod filter;
pub mod list_file;
pub mod part;
mod pays;
pub(crate) mod problem;
pub(crate) mod reference;
mod reinvested;
mod reinvesting;
mod row;
mod several;
mod symbol;

use importers::Record;
use jiff::civil::Date;
use ledger::{Currency, Decimal, Ratio};
pub use store::entries::{Entry, Kind};
use store::{Tx, entries, users};
use uuid::Uuid;

pub(crate) use change::Change;
pub use change::Changed;
pub(crate) use check::fields_of;
pub use check::{Checked, Pays, Standing};
pub use defaults::{Asked, Defaults, defaults};
pub use doubts::Doubt;
pub use filter::{Filter, PER_PAGE, Page, Source, list};
pub use problem::{Problem, Reason};
pub use reinvested::{dividend_of, purchases, with_purchases};
pub use row::{Row, one};
pub(crate) use several::expire;
pub use several::{SELECTED_MAX, Selection, last_deletion, move_all, of_removal, remove, remove_all, undo_deletion};
pub use store::entries::listing::{Order, Sort};

use crate::automatic::decision;
use crate::book::lots::{is_automatic, same_lot};
use crate::book::refresh::{self, LoadedEntries};
use crate::import::portfolio_resolver::FIRST_PORTFOLIO;
use crate::stocks::listed;
use crate::{App, Error, portfolios, refusal};
use examine::Examined;

/// The source of what users type.
const BY_HAND: &str = "manual";

/// An entry as somebody types it. Which figures it needs depends on its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// By name; blank means the default portfolio.
    pub portfolio: String,
    pub date: Date,
    pub kind: Kind,
    /// A transfer in of what was held before the history begins.
    pub opening: bool,
    pub symbol: String,
    pub shares: Option<Decimal>,
    /// Per share.
    pub price: Option<Decimal>,
    /// Gross, before fees and tax.
    pub amount: Option<Decimal>,
    pub fees: Option<Decimal>,
    pub tax: Option<Decimal>,
    pub net: Option<Decimal>,
    /// Default: the currency that the stock trades in.
    pub currency: Option<Currency>,
    /// Units of the stock's trading currency for one unit of `currency`.
    pub fx_rate: Option<Decimal>,
    pub ratio: Option<Ratio>,
    pub ex_date: Option<Date>,
    /// For a dividend.
    pub reinvested: Reinvested,
    pub note: Option<String>,
}

/// Whether a dividend was reinvested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reinvested {
    /// An edited dividend keeps its purchases, which move with it to another portfolio or symbol.
    #[default]
    AsBefore,
    No,
    /// One of both can follow from the net amount.
    Yes {
        shares: Option<Decimal>,
        price: Option<Decimal>,
    },
}

/// A purchase that could be recorded.
pub(crate) struct Purchase<'a> {
    pub portfolio_id: Uuid,
    pub symbol: &'a str,
    pub shares: Decimal,
    /// Per share.
    pub price: Option<Decimal>,
    pub currency: Currency,
}

impl Purchase<'_> {
    /// As it would be recorded by hand.
    pub fn entry(self, sequence: i64, today: Date) -> Entry {
        let record = Record { shares: Some(self.shares), price: self.price, ..Record::new(0, today, Kind::Buy) };
        by_hand::fresh(sequence, self.portfolio_id, record, self.symbol.to_owned(), self.currency)
    }
}

/// Whether it can be a symbol.
pub fn is_symbol(text: &str) -> bool {
    importers::fields::symbol("symbol", text).is_ok()
}

/// What recording the draft would do; `editing` is the sequence of the entry that it would replace.
pub async fn check(app: &App, user_id: Uuid, editing: Option<i64>, draft: &Draft) -> Result<Checked, Error> {
    let known = symbol::ask(app, user_id, &draft.symbol).await?;
    let mut tx = app.store.read().await?;
    let Examined { mut checked, change, unseen } = examine::examine(app, &mut tx, user_id, editing, draft, &known).await?;
    drop(tx);
    // A split divides the dividend, which only market data can tell.
    if let Some(change) = change.filter(|change| checked.problems.is_empty() && change.entry().kind != Kind::Split) {
        let trades_in = unseen.get(&change.entry().symbol).copied();
        checked.pays = pays::change(app, user_id, change, trades_in).await?;
    }
    Ok(checked)
}

/// What recording the draft would change, and the currency of its stock if it has no market data; `None` if the draft cannot be
/// recorded.
pub(crate) async fn supposed(
    app: &App,
    user_id: Uuid,
    editing: Option<i64>,
    draft: &Draft,
) -> Result<Option<(Change, Option<Currency>)>, Error> {
    let known = symbol::ask(app, user_id, &draft.symbol).await?;
    let mut tx = app.store.read().await?;
    let Examined { checked, change, unseen } = examine::examine(app, &mut tx, user_id, editing, draft, &known).await?;
    let change = change.filter(|_| checked.problems.is_empty());
    Ok(change.map(|change| {
        let trades_in = unseen.get(&change.entry().symbol).copied();
        (change, trades_in)
    }))
}

/// Returns the sequence of the new entry.
pub async fn add(app: &App, user_id: Uuid, draft: &Draft) -> Result<i64, Error> {
    record(app, user_id, None, draft).await
}

/// The origin of the entry stays, so that importing its file again still recognises it.
pub async fn edit(app: &App, user_id: Uuid, sequence: i64, draft: &Draft) -> Result<(), Error> {
    record(app, user_id, Some(sequence), draft).await.map(drop)
}

async fn record(app: &App, user_id: Uuid, editing: Option<i64>, draft: &Draft) -> Result<i64, Error> {
    match put(app, user_id, editing, draft, |_| true).await? {
        Put::Recorded(sequence) => Ok(sequence),
        Put::Doubted(_) => Err(refusal::Entry::Doubtful.into()),
    }
}

/// What happened to a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Put {
    /// With this sequence.
    Recorded(i64),
    /// Nothing was stored.
    Doubted(Vec<Doubt>),
}

/// Records an entry, replacing the one with sequence `editing`, unless it looks like a mistake that was not confirmed in `meant`.
pub async fn put(
    app: &App,
    user_id: Uuid,
    editing: Option<i64>,
    draft: &Draft,
    meant: impl Fn(&[Doubt]) -> bool,
) -> Result<Put, Error> {
    let known = symbol::ask(app, user_id, &draft.symbol).await?;
    if let Some(doubt) = known.doubt(&draft.symbol)
        && !meant(std::slice::from_ref(&doubt))
    {
        return Ok(Put::Doubted(vec![doubt]));
    }
    if known.is_new() {
        // A likely mistake must not add a stock.
        let mut tx = app.store.read().await?;
        let doubts = examine::examine(app, &mut tx, user_id, editing, draft, &known).await?.checked.doubts;
        if !meant(&doubts) {
            return Ok(Put::Doubted(doubts));
        }
        drop(tx);
        known.ensure_known(app, user_id, &draft.symbol).await?;
    }
    let mut tx = app.store.write_for(user_id).await?;
    let Examined { checked, change, unseen } = examine::examine(app, &mut tx, user_id, editing, draft, &known).await?;
    let Some(mut change) = change.filter(|_| checked.problems.is_empty()) else { return Err(Error::Entry(checked.problems)) };
    if !meant(&checked.doubts) {
        return Ok(Put::Doubted(checked.doubts));
    }
    listed::add(app, &mut tx, &unseen).await?;
    if change.entry().portfolio_id.is_nil() {
        let first = portfolios::create(&mut tx, user_id, FIRST_PORTFOLIO, app.clock.now_micros(), None).await?;
        change.after.iter_mut().for_each(|entry| entry.portfolio_id = first);
    }
    if change.before.first().is_some_and(is_automatic) {
        return confirm(app, tx, user_id, change).await;
    }
    change.link();
    change.store(app, &mut tx, user_id).await?;
    let (sequence, Change { before, after, mut others }) = (change.entry().sequence, change);
    others.extend(after);
    finish(app, tx, user_id, LoadedEntries::of(others, &before)).await?;
    Ok(Put::Recorded(sequence))
}

/// A changed automatic dividend is confirmed. If it is no longer that payment, it is recorded by hand, and the payment is not. A
/// changed automatic purchase is recorded by hand.
async fn confirm(app: &App, mut tx: Tx, user_id: Uuid, mut change: Change) -> Result<Put, Error> {
    let (before, mut entry) = (change.before.remove(0), change.after.remove(0));
    let same = entry.kind == before.kind && same_lot(&entry, &before);
    let is_purchase = before.kind == Kind::Buy;
    if is_purchase && !same {
        decision::reinvest(&mut tx, user_id, &before, false).await?;
    }
    let mut bought = None;
    for purchase in change.before.extract_if(.., |one| is_automatic(one)) {
        entries::delete(&mut tx, user_id, purchase.sequence).await?;
        bought = change.after.extract_if(.., |one| one.sequence == purchase.sequence).next();
    }
    let is_kept = same && !is_purchase;
    decision::change(&mut tx, user_id, &before, is_kept.then_some((&entry, bought.as_ref()))).await?;
    if !is_kept {
        entry = by_hand::by_hand(entry);
        entries::add(&mut tx, user_id, std::slice::from_ref(&entry)).await?;
        change.after.extend(bought.map(by_hand::by_hand));
    }
    change.link_to(if is_kept { &before } else { &entry });
    change.store(app, &mut tx, user_id).await?;
    refresh::written(app, &mut tx, user_id, LoadedEntries::default()).await?;
    let identity = if is_kept { decision::confirmed_identity(&before) } else { Some(entry.identity) };
    let recorded = match identity {
        Some(identity) => entries::by_identity(&mut tx, user_id, entry.portfolio_id, &identity).await?,
        None => None,
    };
    users::bump_version(&mut tx, user_id).await?;
    tx.commit().await?;
    Ok(Put::Recorded(recorded.unwrap_or(before.sequence)))
}

/// Another user's entry is not found.
async fn find_entry(tx: &mut Tx, user_id: Uuid, sequence: i64) -> Result<Entry, Error> {
    entries::one(tx, user_id, sequence).await?.ok_or_else(|| refusal::Entry::Unknown { sequence }.into())
}

async fn finish(app: &App, mut tx: Tx, user_id: Uuid, loaded: LoadedEntries) -> Result<(), Error> {
    refresh::written(app, &mut tx, user_id, loaded).await?;
    users::bump_version(&mut tx, user_id).await?;
    Ok(tx.commit().await?)
}
