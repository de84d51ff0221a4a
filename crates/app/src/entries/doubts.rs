//! Entries that are valid but look like a mistake: they must be confirmed first.

use std::collections::{BTreeSet, HashMap, HashSet};

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Decimal, Kind, Money, SharesHeld, Split};
use store::entries::Entry;
use store::{Tx, splits};
use uuid::Uuid;

use crate::Error;
use crate::book::lots;

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
        symbol: String,
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
            Doubt::NothingHeld { symbol, date, ex_date, .. } => {
                format!("nothing-held-{}-{}", word(symbol), ex_date.unwrap_or(*date))
            }
            Doubt::Orphaned { count, first } => format!("orphaned-{count}-{first}"),
            Doubt::Future { date } => format!("future-{date}"),
            Doubt::SymbolUnknown { symbol } => format!("unknown-{}", word(symbol)),
        }
    }
}

/// Keys are separated by spaces.
fn word(symbol: &str) -> String {
    symbol.replace(char::is_whitespace, "-")
}

/// `others` are the other entries of the affected lots. Doubts that existed before the change are not reported.
pub(super) async fn of_change(
    tx: &mut Tx,
    others: &[Entry],
    before: &[Entry],
    after: &[Entry],
    today: Date,
) -> Result<Vec<Doubt>, Error> {
    let symbols: BTreeSet<&str> = before.iter().chain(after).map(|entry| entry.symbol.as_str()).collect();
    let symbols = Vec::from_iter(symbols);
    let splits = splits::of_symbols(tx, &symbols).await?;
    let market = symbols.into_iter().map(str::to_owned).zip(splits).collect();
    let earlier = Ledgers::gather(others.iter().chain(before), &market)?;
    let later = Ledgers::gather(others.iter().chain(after), &market)?;
    let known: HashSet<String> = earlier.all_doubts(before, today).iter().map(Doubt::key).collect();
    let mut doubts = later.all_doubts(after, today);
    doubts.retain(|doubt| !known.contains(&doubt.key()));
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
    /// By date.
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

    /// Each once.
    fn all_doubts(&self, entries: &[Entry], today: Date) -> Vec<Doubt> {
        let future = |entry: &Entry| [Some(entry.date), entry.ex_date].into_iter().flatten().max().filter(|date| *date > today);
        let own = entries.iter().flat_map(|entry| self.doubts(entry));
        let mut doubts: Vec<Doubt> = own.chain(entries.iter().filter_map(future).map(|date| Doubt::Future { date })).collect();
        let mut seen = HashSet::new();
        doubts.retain(|doubt| seen.insert(doubt.key()));
        doubts
    }

    fn doubts(&self, entry: &Entry) -> Vec<Doubt> {
        let lot = self.lot_of(entry);
        let mut others = lot.into_iter().flat_map(|lot| lot.on(entry.date));
        let twin = others.find(|one| one.sequence != entry.sequence && alike(one, entry));
        let tax = entry.tax.zip(gross(entry)).filter(|(tax, gross)| tax.abs() > gross.abs());
        let money = |amount| Money::new(amount, entry.currency);
        let mut doubts: Vec<Doubt> = twin.map(|twin| Doubt::Duplicate { sequence: twin.sequence }).into_iter().collect();
        doubts.extend(tax.map(|(tax, gross)| Doubt::TaxAboveGross { tax: money(tax), gross: money(gross) }));
        if entry.kind == Kind::Dividend && !self.is_held(entry) {
            let first_bought = lot.and_then(|lot| lot.came_in.first().copied());
            let symbol = entry.symbol.clone();
            doubts.push(Doubt::NothingHeld { symbol, date: entry.date, ex_date: entry.ex_date, first_bought });
        }
        doubts
    }

    fn is_held(&self, paid: &Entry) -> bool {
        self.lot_of(paid).is_some_and(|lot| lot.is_held(paid))
    }
}

impl<'a> LotHistory<'a> {
    fn replay(mut entries: Vec<&'a Entry>, splits: &[Split]) -> Result<LotHistory<'a>, Error> {
        entries.sort_by_key(|entry| (entry.date, entry.sequence));
        // Only dividends depend on what was held.
        let asked = entries.iter().any(|entry| entry.kind == Kind::Dividend);
        let rows = entries.iter().filter(|_| asked).map(|entry| lots::entry(entry)).collect::<Result<Vec<_>, _>>()?;
        let mut came_in: Vec<Date> = entries.iter().filter(|one| comes_in(one.kind)).map(|one| one.date).collect();
        came_in.sort();
        let shares = SharesHeld::of(&rows, splits);
        Ok(LotHistory { entries, shares, came_in })
    }

    /// The entries of a day.
    fn on(&self, day: Date) -> &[&'a Entry] {
        let first = self.entries.partition_point(|entry| entry.date < day);
        let count = self.entries[first..].partition_point(|entry| entry.date == day);
        &self.entries[first..first + count]
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
