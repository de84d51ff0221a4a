//! Opening positions whose shares an import brings, or that undoing an import makes necessary again.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Currency, Decimal, Kind, Split};
use store::entries::{self, Entry};
use store::{Tx, imports, splits, stocks};
use uuid::Uuid;

use super::{ESTIMATE_DECIMALS, MissingShares, price_of};
use crate::book::lots::{self, OPENING_ESTIMATED, is_opening, lot_of};
use crate::import::check::Conflict;
use crate::{App, Error};

/// An opening position that changes.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::import) struct Reopened {
    pub before: Entry,
    /// `None` if it is no longer needed.
    pub after: Option<Entry>,
}

/// The same for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningChange {
    pub symbol: String,
    pub before: Decimal,
    /// Zero if it is no longer needed.
    pub after: Decimal,
}

impl From<&Reopened> for OpeningChange {
    fn from(one: &Reopened) -> OpeningChange {
        let shares = |entry: &Entry| entry.shares.unwrap_or_default();
        OpeningChange {
            symbol: one.before.symbol.clone(),
            before: shares(&one.before),
            after: one.after.as_ref().map(shares).unwrap_or_default(),
        }
    }
}

/// The opening positions among `old` that `new` entries make smaller. What the user stated beyond the shares that were missing
/// shrinks by the shares that the new entries add before it.
pub(in crate::import) async fn shrunk(app: &App, tx: &mut Tx, old: &[Entry], new: &[Entry]) -> Result<Vec<Reopened>, Error> {
    let touched: BTreeSet<(Uuid, &str)> = new.iter().map(lot_of).collect();
    let mut openings: HashMap<(Uuid, &str), Vec<&Entry>> = HashMap::new();
    for entry in old.iter().filter(|entry| is_opening(entry) && touched.contains(&lot_of(entry))) {
        openings.entry(lot_of(entry)).or_default().push(entry);
    }
    let mut changed = Vec::new();
    for lot in touched.into_iter().filter(|lot| openings.contains_key(lot)) {
        let (rest, added) = (of_lot(old, lot).filter(|entry| !is_opening(entry)), of_lot(new, lot));
        let without: Vec<&Entry> = rest.collect();
        let with: Vec<&Entry> = without.iter().copied().chain(added).collect();
        changed.extend(shrink(app, tx, &openings[&lot], &without, &with).await?);
    }
    Ok(changed)
}

fn of_lot<'e>(entries: &'e [Entry], lot: (Uuid, &str)) -> impl Iterator<Item = &'e Entry> {
    entries.iter().filter(move |entry| lot_of(entry) == lot)
}

async fn shrink(
    app: &App,
    tx: &mut Tx,
    openings: &[&Entry],
    without: &[&Entry],
    with: &[&Entry],
) -> Result<Vec<Reopened>, Error> {
    let Some(opening) = openings.first() else { return Ok(Vec::new()) };
    let lot = Replayed::of(app, tx, with.iter().copied()).await?;
    let before = lots::gather(without.iter().copied())?.pop().map(|lot| lot.entries).unwrap_or_default();
    let total: Decimal = openings.iter().filter_map(|entry| entry.shares).sum();
    let missing = |entries: &[ledger::Entry]| ledger::shares_missing(entries, &lot.splits);
    let (Ok(needed), Ok(needs)) = (missing(&before), missing(&lot.entries)) else { return Ok(Vec::new()) };
    let needed = needed.map_or(Decimal::ZERO, |one| one.shares);
    let Some(eve) = lot.eve() else { return Ok(Vec::new()) };
    let in_today = |shares: Decimal| ledger::shares_grown(shares, &lot.entries, &lot.splits, eve, opening.date);
    let Ok(still) = in_today(needs.map_or(Decimal::ZERO, |one| one.shares)) else { return Ok(Vec::new()) };
    let next = opening.date.saturating_add(1.day());
    let brought = ledger::shares_before(&lot.entries, &lot.splits, next) - ledger::shares_before(&before, &lot.splits, next);
    let stated = (total - needed).max(Decimal::ZERO);
    let beyond = (brought - (needed - still).max(Decimal::ZERO)).max(Decimal::ZERO);
    let stated = (stated - beyond).max(Decimal::ZERO);
    let left = still + stated;
    if left >= total {
        return Ok(Vec::new());
    }
    let after = match (needs, stated.is_zero()) {
        (None, true) => None,
        (Some(needs), true) => Some(resized(opening, total, needs.shares, eve, lot.price(&needs))),
        (_, false) => Some(resized(opening, total, left, opening.date, None)),
    };
    let first = Reopened { before: (*opening).clone(), after };
    let others = openings.iter().skip(1).map(|one| Reopened { before: (*one).clone(), after: None });
    Ok(std::iter::once(first).chain(others).collect())
}

/// With another number of shares: at the price of the sale if the cost is an estimate and the price is known, else at the same
/// average cost.
fn resized(opening: &Entry, total: Decimal, shares: Decimal, date: Date, price: Option<Decimal>) -> Entry {
    let estimate = price.filter(|_| opening.source == OPENING_ESTIMATED).and_then(|price| price.checked_mul(shares));
    let scaled = || opening.amount.and_then(|amount| amount.checked_mul(shares)?.checked_div(total));
    let amount = estimate.or_else(scaled).map(|amount| amount.round_dp(ESTIMATE_DECIMALS).normalize());
    Entry { date, shares: Some(shares.normalize()), amount, ..opening.clone() }
}

/// Everything a replay of one lot needs.
struct Replayed {
    entries: Vec<ledger::Entry>,
    splits: Vec<Split>,
    currency: Currency,
    fx: Arc<ledger::Fx>,
}

impl Replayed {
    async fn of<'e>(app: &App, tx: &mut Tx, entries: impl Iterator<Item = &'e Entry>) -> Result<Replayed, Error> {
        let Some(lot) = lots::gather(entries)?.pop() else {
            return Ok(Replayed { entries: Vec::new(), splits: Vec::new(), currency: Currency::EUR, fx: Arc::default() });
        };
        let stock = stocks::by_symbol(tx, &lot.symbol).await?.filter(|stock| !stock.placeholder);
        let first = lot.entries.first().map_or(Currency::EUR, |entry| entry.currency);
        let splits = splits::of_symbol(tx, &lot.symbol).await?;
        let currency = stock.map_or(first, |stock| stock.currency);
        Ok(Replayed { entries: lot.entries, splits, currency, fx: app.rates.now(tx).await? })
    }

    /// The day before the first entry.
    fn eve(&self) -> Option<Date> {
        self.entries.iter().map(|entry| entry.date).min()?.checked_sub(1.day()).ok()
    }

    fn price(&self, missing: &ledger::SharesMissing) -> Option<Decimal> {
        price_of(&self.entries, missing, self.currency, &self.fx)
    }
}

/// The changed opening positions as they were, for undoing the import: a line for each, with tabs between its values.
pub(in crate::import) fn written(changed: &[Reopened]) -> String {
    let line = |Reopened { before, after }: &Reopened| {
        let after = after.as_ref().and_then(|entry| entry.shares).unwrap_or_default();
        let import_id = before.import_id.map(|id| id.to_string()).unwrap_or_default();
        let plain = |text: &Option<String>| text.as_deref().unwrap_or_default().replace(char::is_control, " ");
        let figures = [before.shares, before.amount].map(|figure| figure.unwrap_or_default().to_string());
        let texts = [before.symbol.clone(), before.source.clone(), before.identity.clone(), plain(&before.isin)];
        let [shares, amount] = figures;
        let [symbol, source, identity, isin] = texts;
        let (sequence, portfolio_id, date, currency) = (before.sequence, before.portfolio_id, before.date, before.currency);
        let name = plain(&before.name);
        format!(
            "{after}\t{sequence}\t{portfolio_id}\t{date}\t{shares}\t{amount}\t{currency}\t{symbol}\t{source}\t{identity}\t{import_id}\t{isin}\t{name}\n"
        )
    };
    changed.iter().map(line).collect()
}

/// An opening position as it was, and how many shares the import left of it.
fn parse(line: &str) -> Option<(Entry, Decimal)> {
    let mut values = line.split('\t');
    let mut next = || values.next();
    let after = next()?.parse().ok()?;
    let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let entry = Entry {
        sequence: next()?.parse().ok()?,
        portfolio_id: next()?.parse().ok()?,
        date: next()?.parse().ok()?,
        kind: Kind::TransferIn,
        shares: next()?.parse().ok(),
        price: None,
        amount: next()?.parse().ok(),
        fees: None,
        tax: None,
        net: None,
        currency: Currency::parse(next()?).ok()?,
        fx_rate: None,
        ratio: None,
        ex_date: None,
        symbol: next()?.to_owned(),
        source: next()?.to_owned(),
        source_id: None,
        note: None,
        identity: next()?.to_owned(),
        import_id: next()?.parse().ok(),
        isin: filled(next()?),
        name: filled(next()?),
        gross_known: true,
        reinvests: None,
    };
    Some((entry, after))
}

/// What undoing an import does to opening positions.
#[derive(Default)]
pub(in crate::import) struct Grown {
    changed: Vec<Entry>,
    again: Vec<Entry>,
}

impl Grown {
    pub fn count(&self) -> u64 {
        (self.changed.len() + self.again.len()) as u64
    }

    /// The opening positions that the import changed, as they were before, unless something else has changed them since.
    pub async fn restored(tx: &mut Tx, user_id: Uuid, written: &str, left: &[&Entry]) -> Result<Grown, Error> {
        let mut grown = Grown::default();
        for (before, after) in written.lines().filter_map(parse) {
            let current = left.iter().find(|entry| entry.sequence == before.sequence);
            let orphaned = match before.import_id {
                Some(id) => imports::one(tx, user_id, id).await?.is_none(),
                None => false,
            };
            match current {
                Some(entry) if is_opening(entry) && entry.shares == Some(after) => {
                    let restored = Entry { date: before.date, shares: before.shares, amount: before.amount, ..(*entry).clone() };
                    grown.changed.push(restored);
                }
                None if after.is_zero() && !orphaned => grown.again.push(before),
                _ => {}
            }
        }
        Ok(grown)
    }

    /// The entries that are left, with the opening positions.
    pub fn with<'e>(&'e self, left: &[&'e Entry]) -> Vec<&'e Entry> {
        let changed = |entry: &&&Entry| self.changed.iter().any(|one| one.sequence == entry.sequence);
        let same = left.iter().filter(|entry| !changed(entry)).copied();
        same.chain(&self.changed).chain(&self.again).collect()
    }

    /// Adds what entries recorded before the import still lack: the ledger was consistent then. Returns the other conflicts.
    pub fn fill(&mut self, conflicts: Vec<Conflict>, left: &[&Entry], gone: &[&Entry], mut sequence: i64) -> Vec<Conflict> {
        let mut remaining = Vec::new();
        for conflict in conflicts {
            let key = (conflict.lot.portfolio_id, conflict.lot.symbol.as_str());
            let first_gone = gone.iter().filter(|entry| lot_of(entry) == key).map(|entry| entry.sequence).min();
            let needed_by = left.iter().find(|entry| Some(entry.sequence) == conflict.sequence);
            let needed_by = needed_by.filter(|entry| Some(entry.sequence) < first_gone);
            match MissingShares::of(&conflict, None).zip(needed_by) {
                Some((missing, needed_by)) => {
                    let identity = format!("opening:{}:{sequence}", needed_by.symbol);
                    self.again.push(Entry { sequence, ..missing.opening().entry(needed_by, identity) });
                    sequence += 1;
                }
                None => remaining.push(conflict),
            }
        }
        remaining
    }

    /// After the entries of the import are deleted.
    pub async fn store(&self, tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
        for entry in &self.changed {
            entries::update(tx, user_id, entry).await?;
        }
        Ok(entries::add(tx, user_id, &self.again).await?)
    }
}

/// Stores changed opening positions.
pub(in crate::import) async fn store(tx: &mut Tx, user_id: Uuid, changed: &[Reopened]) -> Result<(), Error> {
    for one in changed {
        match &one.after {
            Some(after) => entries::update(tx, user_id, after).await?,
            None => entries::delete(tx, user_id, one.before.sequence).await?,
        };
    }
    Ok(())
}
