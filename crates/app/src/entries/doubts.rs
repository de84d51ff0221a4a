//! Entries that are valid but look like a mistake: they must be confirmed first.

use std::collections::HashMap;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Decimal, Kind, Money, SharesHeld, Split};
use store::entries::{self, Entry};
use store::{Tx, splits};
use uuid::Uuid;

use super::reference;
use crate::book::lots::{self, same_lot};
use crate::import::check as ledger_check;
use crate::{App, Error};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// The portfolio has an entry with the same day, symbol, type and size.
    Duplicate {
        sequence: i64,
    },
    TaxAboveGross {
        tax: Money,
        gross: Money,
    },
    /// A dividend without shares: none were held on its ex-date or, without an ex-date, on any of the `DAYS_UNPAID_MAX` days
    /// before it.
    NothingHeld {
        date: Date,
        ex_date: Option<Date>,
        first_bought: Option<Date>,
    },
    /// Recorded dividends that would be left without shares.
    Orphaned {
        count: usize,
        first: Date,
    },
    /// By a year at most.
    Future {
        date: Date,
    },
    /// Neither stored nor listed, and no market-data provider knows it.
    SymbolUnknown {
        symbol: String,
    },
}

/// The longest time between an ex-date and its payment.
const DAYS_UNPAID_MAX: i64 = 90;

impl Doubt {
    /// The same for the same doubt, so that a form can confirm it.
    pub fn key(&self) -> String {
        match self {
            Doubt::Duplicate { sequence } => format!("duplicate-{sequence}"),
            Doubt::TaxAboveGross { tax, gross } => format!("tax-{}-{}", tax.amount.normalize(), gross.amount.normalize()),
            Doubt::NothingHeld { date, ex_date, .. } => format!("nothing-held-{}", ex_date.unwrap_or(*date)),
            Doubt::Orphaned { count, first } => format!("orphaned-{count}-{first}"),
            Doubt::Future { date } => format!("future-{date}"),
            Doubt::SymbolUnknown { symbol } => format!("unknown-{}", symbol.replace(char::is_whitespace, "-")),
        }
    }
}

/// What deleting the entry would leave behind; empty if deleting is refused anyway.
pub async fn of_removal(app: &App, user_id: Uuid, sequence: i64) -> Result<Vec<Doubt>, Error> {
    let mut tx = app.store.read().await?;
    let gone = super::find_entry(&mut tx, user_id, sequence).await?;
    let mut others = entries::of_symbols(&mut tx, user_id, &[&gone.symbol]).await?;
    others.retain(|entry| entry.sequence != sequence && same_lot(entry, &gone));
    let mut all_gone = reference::take(&mut others, &gone);
    all_gone.push(gone);
    let stored = others.iter().chain(&all_gone);
    match ledger_check::conflicts(app, &mut tx, stored, &others, &Default::default(), None).await?.is_empty() {
        true => of_change(&mut tx, &others, &all_gone, &[], app.clock.today()).await,
        false => Ok(Vec::new()),
    }
}

/// `others` are the other entries of the affected lots. Doubts that existed before the change are not reported.
pub(super) async fn of_change(
    tx: &mut Tx,
    others: &[Entry],
    before: &[Entry],
    after: &[Entry],
    today: Date,
) -> Result<Vec<Doubt>, Error> {
    let mut market = HashMap::new();
    for entry in before.iter().chain(after) {
        if !market.contains_key(&entry.symbol) {
            market.insert(entry.symbol.clone(), splits::of_symbol(tx, &entry.symbol).await?);
        }
    }
    let earlier = Ledgers::gather(others.iter().chain(before), &market)?;
    let later = Ledgers::gather(others.iter().chain(after), &market)?;
    let mut known: Vec<Doubt> = before.iter().flat_map(|before| earlier.doubts(before)).collect();
    let mut doubts: Vec<Doubt> = after.iter().flat_map(|after| later.doubts(after)).collect();
    let future = |entries: &[Entry]| {
        let dates = entries.iter().flat_map(|entry| [Some(entry.date), entry.ex_date]);
        dates.flatten().max().filter(|date| *date > today).map(|date| Doubt::Future { date })
    };
    doubts.extend(future(after));
    known.extend(future(before));
    doubts.retain(|doubt| !known.contains(doubt));
    doubts.extend(orphaned(others, &earlier, &later));
    Ok(doubts)
}

fn orphaned(others: &[Entry], earlier: &Ledgers<'_>, later: &Ledgers<'_>) -> Option<Doubt> {
    let paid = others.iter().filter(|entry| entry.kind == Kind::Dividend);
    let lost = paid.filter(|paid| earlier.is_held(paid) && !later.is_held(paid));
    let days: Vec<Date> = lost.map(|paid| paid.date).collect();
    days.iter().min().map(|first| Doubt::Orphaned { count: days.len(), first: *first })
}

/// The affected lots at one time.
struct Ledgers<'a> {
    by_lot: HashMap<(Uuid, &'a str), LotHistory<'a>>,
}

/// One of them.
struct LotHistory<'a> {
    entries: Vec<&'a Entry>,
    shares: SharesHeld,
    /// Days on which shares were added, ascending.
    came_in: Vec<Date>,
}

impl<'a> Ledgers<'a> {
    fn gather(entries: impl Iterator<Item = &'a Entry>, splits: &HashMap<String, Vec<Split>>) -> Result<Ledgers<'a>, Error> {
        let mut by_lot: HashMap<(Uuid, &str), Vec<&Entry>> = HashMap::new();
        for entry in entries {
            by_lot.entry((entry.portfolio_id, &entry.symbol)).or_default().push(entry);
        }
        let held = |(lot, entries): ((Uuid, &'a str), Vec<&'a Entry>)| {
            let splits = splits.get(lot.1).map_or(&[][..], Vec::as_slice);
            Ok((lot, LotHistory::replay(entries, splits)?))
        };
        Ok(Ledgers { by_lot: by_lot.into_iter().map(held).collect::<Result<_, Error>>()? })
    }

    fn lot_of<'s>(&'s self, entry: &'s Entry) -> Option<&'s LotHistory<'s>> {
        self.by_lot.get(&(entry.portfolio_id, entry.symbol.as_str()))
    }

    fn doubts(&self, entry: &Entry) -> Vec<Doubt> {
        let lot = self.lot_of(entry);
        let mut others = lot.into_iter().flat_map(|lot| &lot.entries);
        let twin = others.find(|one| one.sequence != entry.sequence && alike(one, entry));
        let tax = entry.tax.zip(gross(entry)).filter(|(tax, gross)| tax.abs() > gross.abs());
        let money = |amount| Money::new(amount, entry.currency);
        let mut doubts: Vec<Doubt> = twin.map(|twin| Doubt::Duplicate { sequence: twin.sequence }).into_iter().collect();
        doubts.extend(tax.map(|(tax, gross)| Doubt::TaxAboveGross { tax: money(tax), gross: money(gross) }));
        if entry.kind == Kind::Dividend && !self.is_held(entry) {
            let first_bought = lot.and_then(|lot| lot.came_in.first().copied());
            doubts.push(Doubt::NothingHeld { date: entry.date, ex_date: entry.ex_date, first_bought });
        }
        doubts
    }

    fn is_held(&self, paid: &Entry) -> bool {
        self.lot_of(paid).is_some_and(|lot| lot.is_held(paid))
    }
}

impl<'a> LotHistory<'a> {
    fn replay(entries: Vec<&'a Entry>, splits: &[Split]) -> Result<LotHistory<'a>, Error> {
        // Only dividends depend on what was held.
        let asked = entries.iter().any(|entry| entry.kind == Kind::Dividend);
        let rows = entries.iter().filter(|_| asked).map(|entry| lots::entry(entry)).collect::<Result<Vec<_>, _>>()?;
        let mut came_in: Vec<Date> = entries.iter().filter(|one| comes_in(one.kind)).map(|one| one.date).collect();
        came_in.sort();
        let shares = SharesHeld::of(&rows, &ledger::possible_splits(&rows, splits));
        Ok(LotHistory { entries, shares, came_in })
    }

    /// Whether shares were held for which a dividend was paid.
    fn is_held(&self, paid: &Entry) -> bool {
        let held = |day: Date| !self.shares.before(day).is_zero();
        let Some(ex_date) = paid.ex_date else {
            let since = paid.date.saturating_sub(DAYS_UNPAID_MAX.days());
            let next = self.came_in.partition_point(|day| *day < since);
            return held(since) || self.came_in.get(next).is_some_and(|day| *day < paid.date);
        };
        held(ex_date)
    }
}

fn alike(one: &Entry, other: &Entry) -> bool {
    let size = |entry: &Entry| match entry.kind {
        Kind::Buy | Kind::Sell | Kind::TransferIn | Kind::TransferOut => entry.shares.map(|shares| (shares, None)),
        Kind::Split => entry.ratio.and_then(|ratio| ratio.new.checked_div(ratio.old)).map(|times| (times, None)),
        Kind::Dividend | Kind::ReturnOfCapital => gross(entry).map(|amount| (amount, Some(entry.currency))),
    };
    one.kind == other.kind && one.date == other.date && size(one).is_some() && size(one) == size(other)
}

/// The net where only that is known.
fn gross(entry: &Entry) -> Option<Decimal> {
    lots::gross(entry).ok().flatten()
}

fn comes_in(kind: Kind) -> bool {
    matches!(kind, Kind::Buy | Kind::TransferIn)
}
