//! What may be recorded and still looks like a mistake: told first, and done when it is meant.

use std::collections::HashMap;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Decimal, Event, Kind, Money, Split};
use store::entries::{self, Entry};
use store::{Tx, splits};
use uuid::Uuid;

use super::examine::same_lot;
use crate::import::check as whole;
use crate::{App, Error, lots};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// The portfolio has an entry of the same day, symbol, kind and size.
    Duplicate {
        sequence: i64,
    },
    TaxAboveGross {
        tax: Money,
        gross: Money,
    },
    /// A dividend on nothing: on its ex-date no share was held, or without one on no day of the `DAYS_UNPAID_MAX` before it.
    NothingHeld {
        date: Date,
        ex_date: Option<Date>,
        first_bought: Option<Date>,
    },
    /// Dividends recorded already that would be on nothing.
    Orphaned {
        count: usize,
        first: Date,
    },
}

/// Between an ex-date and its payment.
const DAYS_UNPAID_MAX: i64 = 90;

impl Doubt {
    /// The same for the same doubt, so that a form can say which of them are known.
    pub fn key(&self) -> String {
        match self {
            Doubt::Duplicate { sequence } => format!("duplicate-{sequence}"),
            Doubt::TaxAboveGross { tax, gross } => format!("tax-{}-{}", tax.amount.normalize(), gross.amount.normalize()),
            Doubt::NothingHeld { date, ex_date, .. } => format!("nothing-held-{}", ex_date.unwrap_or(*date)),
            Doubt::Orphaned { count, first } => format!("orphaned-{count}-{first}"),
        }
    }
}

/// What taking the entry out would leave behind; nothing where it is refused in any case.
pub async fn of_removal(app: &App, user_id: Uuid, sequence: i64) -> Result<Vec<Doubt>, Error> {
    let mut tx = app.store.read().await?;
    let gone = super::known(&mut tx, user_id, sequence).await?;
    let mut others = entries::of_symbols(&mut tx, user_id, &[&gone.symbol]).await?;
    others.retain(|entry| entry.sequence != sequence && same_lot(entry, &gone));
    match whole::misfits(app, &mut tx, &others, &Default::default(), None).await?.is_empty() {
        true => of_change(&mut tx, &others, Some(&gone), None).await,
        false => Ok(Vec::new()),
    }
}

/// `others` is what the touched ledgers have besides. What is as doubtful before as after is not told.
pub(super) async fn of_change(
    tx: &mut Tx,
    others: &[Entry],
    before: Option<&Entry>,
    after: Option<&Entry>,
) -> Result<Vec<Doubt>, Error> {
    let with = |entry: Option<&Entry>| others.iter().chain(entry).cloned().collect::<Vec<Entry>>();
    let mut market = HashMap::new();
    for entry in before.into_iter().chain(after) {
        market.insert(entry.symbol.clone(), splits::of_symbol(tx, &entry.symbol).await?);
    }
    let (earlier, later) = (Rows { all: with(before), splits: &market }, Rows { all: with(after), splits: &market });
    let known = before.map_or(Ok(Vec::new()), |before| earlier.doubts(before))?;
    let mut doubts = after.map_or(Ok(Vec::new()), |after| later.doubts(after))?;
    doubts.retain(|doubt| !known.contains(doubt));
    doubts.extend(orphaned(others, &earlier, &later)?);
    Ok(doubts)
}

fn orphaned(others: &[Entry], earlier: &Rows<'_>, later: &Rows<'_>) -> Result<Option<Doubt>, Error> {
    let mut days = Vec::new();
    for paid in others.iter().filter(|entry| entry.kind == Kind::Dividend) {
        if earlier.is_held(paid)? && !later.is_held(paid)? {
            days.push(paid.date);
        }
    }
    Ok(days.iter().min().map(|first| Doubt::Orphaned { count: days.len(), first: *first }))
}

/// The ledgers that a change touches, as they are at one time.
struct Rows<'a> {
    all: Vec<Entry>,
    splits: &'a HashMap<String, Vec<Split>>,
}

impl Rows<'_> {
    fn doubts(&self, entry: &Entry) -> Result<Vec<Doubt>, Error> {
        let twin = self.all.iter().find(|one| one.sequence != entry.sequence && same_lot(one, entry) && alike(one, entry));
        let tax = entry.tax.zip(gross(entry)).filter(|(tax, gross)| tax.abs() > gross.abs());
        let money = |amount| Money::new(amount, entry.currency);
        let mut doubts: Vec<Doubt> = twin.map(|twin| Doubt::Duplicate { sequence: twin.sequence }).into_iter().collect();
        doubts.extend(tax.map(|(tax, gross)| Doubt::TaxAboveGross { tax: money(tax), gross: money(gross) }));
        if entry.kind == Kind::Dividend && !self.is_held(entry)? {
            let bought = self.all.iter().filter(|one| same_lot(one, entry) && comes_in(one.kind)).map(|one| one.date).min();
            doubts.push(Doubt::NothingHeld { date: entry.date, ex_date: entry.ex_date, first_bought: bought });
        }
        Ok(doubts)
    }

    /// Whether there were shares that a dividend was paid on.
    fn is_held(&self, paid: &Entry) -> Result<bool, Error> {
        let rows = self.all.iter().filter(|one| same_lot(one, paid));
        let rows: Vec<ledger::Entry> = rows.map(lots::entry).collect::<Result<_, _>>()?;
        let splits = self.splits.get(&paid.symbol).map_or(&[][..], Vec::as_slice);
        let held = |day: Date| !ledger::shares_before(&rows, splits, day).is_zero();
        Ok(match paid.ex_date {
            Some(ex_date) => held(ex_date),
            None => {
                let since = paid.date.saturating_sub(DAYS_UNPAID_MAX.days());
                let comes_in = |event: &Event| matches!(event, Event::Buy(_) | Event::TransferIn(_));
                held(since) || rows.iter().any(|one| comes_in(&one.event) && one.date >= since && one.date < paid.date)
            }
        })
    }
}

fn alike(one: &Entry, other: &Entry) -> bool {
    let size = |entry: &Entry| match entry.kind {
        Kind::Buy | Kind::Sell | Kind::TransferIn | Kind::TransferOut => entry.shares.map(|shares| (shares, None)),
        Kind::Split => entry.ratio.and_then(|ratio| ratio.new.checked_div(ratio.old)).map(|times| (times, None)),
        Kind::Dividend | Kind::ReturnOfCapital => gross(entry).or(entry.net).map(|amount| (amount, Some(entry.currency))),
    };
    one.kind == other.kind && one.date == other.date && size(one).is_some() && size(one) == size(other)
}

fn gross(entry: &Entry) -> Option<Decimal> {
    let product = || entry.shares?.checked_mul(entry.price?);
    entry.amount.or_else(product).filter(|_| entry.gross_known)
}

fn comes_in(kind: Kind) -> bool {
    matches!(kind, Kind::Buy | Kind::TransferIn)
}
