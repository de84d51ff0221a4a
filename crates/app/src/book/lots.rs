//! Lots: all entries of one symbol in one portfolio, converted for the ledger's calculations.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use jiff::civil::Date;
use ledger::{Decimal, Event, Fx, Kind, Overflow, Oversell, Position, Trade};
use store::Tx;
use store::entries::{self, Entry};
use uuid::Uuid;

use crate::Error;
use crate::error::Unreplayable;
use crate::market::traded::Traded;

/// The source of an opening position whose cost the user gave, and of one whose cost is an estimate.
pub(crate) const OPENING: &str = "opening";
pub(crate) const OPENING_ESTIMATED: &str = "opening:estimated";

/// Whether the entry stands for what was held before the history begins.
pub fn is_opening(entry: &Entry) -> bool {
    [OPENING, OPENING_ESTIMATED].contains(&entry.source.as_str())
}

/// Whether it is one whose cost is not known.
pub fn is_cost_estimated(entry: &Entry) -> bool {
    entry.source == OPENING_ESTIMATED
}

/// The source of a dividend taken from market data: confirmed by the user, or not.
pub(crate) const AUTOMATIC: &str = "automatic";
pub(crate) const AUTOMATIC_ESTIMATED: &str = "automatic:estimated";

/// Whether it is a dividend from market data that nobody confirmed.
pub fn is_estimated(entry: &Entry) -> bool {
    entry.source == AUTOMATIC_ESTIMATED
}

/// Whether it was an estimate in the file that it was imported from.
pub(crate) fn is_imported_estimate(entry: &Entry) -> bool {
    is_estimated(entry) && entry.import_id.is_some()
}

/// Where it comes from, as users read it.
pub fn shown_source(entry: &Entry) -> &str {
    if is_estimated(entry) { AUTOMATIC } else { &entry.source }
}

/// Whether it goes as soon as a real entry for its payment is recorded.
pub fn is_automatic(entry: &Entry) -> bool {
    is_estimated(entry) || (entry.source == AUTOMATIC && entry.import_id.is_none())
}

/// Everything recorded for one symbol in one portfolio.
#[derive(Clone)]
pub struct Lot {
    pub portfolio_id: Uuid,
    pub symbol: String,
    pub isin: Option<String>,
    pub name: Option<String>,
    pub entries: Vec<ledger::Entry>,
}

impl Lot {
    /// The open position at the end of `today`, in the currency the instrument trades in.
    pub fn position(&self, traded: Traded<'_>, fx: &Fx, today: Date) -> Result<Option<Position>, Error> {
        let Some(first) = self.entries.first().map(|entry| entry.currency) else { return Ok(None) };
        let currency = traded.currency.unwrap_or(first);
        let replay = |currency| ledger::replay(&self.entries, currency, traded.splits, fx, today, Oversell::Close);
        // A rate that existed when the entry was checked may be gone; the currency of the first entry still gives an exact
        // result.
        let position = replay(currency).or_else(|error| if currency == first { Err(error) } else { replay(first) });
        position.map_err(|error| Error::Ledger { symbol: self.symbol.clone(), cause: error.into() })
    }

    /// Date and sequence of the earliest entry; `None` without entries.
    pub fn first(&self) -> Option<(Date, i64)> {
        self.entries.first().map(|entry| (entry.date, entry.sequence))
    }

    pub fn shares_before(&self, traded: Traded<'_>, day: Date) -> Decimal {
        ledger::shares_before(&self.entries, traded.splits, day)
    }

    /// The shares that a payment with this ex-date is for.
    pub fn shares_paid(&self, traded: Traded<'_>, ex_date: Date) -> Decimal {
        ledger::shares_paid(&self.entries, traded.splits, ex_date)
    }
}

/// The lots that a request has read.
#[derive(Default)]
pub(crate) struct Lots {
    by_key: HashMap<(Uuid, String), Arc<Lot>>,
    /// Symbols whose lots were all read.
    symbols: HashSet<String>,
    all: Option<Vec<Arc<Lot>>>,
    /// Read as if these were recorded, in place of those with the sequences.
    supposed: (HashSet<i64>, Vec<Entry>),
}

impl Lots {
    pub fn supposing(gone: HashSet<i64>, entries: Vec<Entry>) -> Lots {
        Lots { supposed: (gone, entries), ..Lots::default() }
    }

    pub async fn read(&mut self, tx: &mut Tx, user_id: Uuid, symbols: impl Iterator<Item = &str>) -> Result<(), Error> {
        let missing: BTreeSet<&str> = symbols.filter(|symbol| !self.symbols.contains(*symbol)).collect();
        if self.all.is_none() && !missing.is_empty() {
            let missing: Vec<&str> = missing.into_iter().collect();
            let mut rows = entries::of_symbols(tx, user_id, &missing).await?;
            self.suppose(&mut rows, |entry| missing.contains(&entry.symbol.as_str()));
            self.keep(&rows)?;
            self.symbols.extend(missing.into_iter().map(str::to_owned));
        }
        Ok(())
    }

    /// All lots, in the order of their earliest entry.
    pub async fn all(&mut self, tx: &mut Tx, user_id: Uuid) -> Result<Vec<Arc<Lot>>, Error> {
        if self.all.is_none() {
            let mut rows = entries::of_user(tx, user_id).await?;
            self.suppose(&mut rows, |_| true);
            self.all = Some(self.keep(&rows)?);
        }
        Ok(self.all.clone().unwrap_or_default())
    }

    fn suppose(&self, rows: &mut Vec<Entry>, is_read: impl Fn(&Entry) -> bool) {
        let (gone, entries) = &self.supposed;
        rows.retain(|row| !gone.contains(&row.sequence));
        rows.extend(entries.iter().filter(|entry| is_read(entry)).cloned());
    }

    /// The lots of a symbol that was read, in all portfolios.
    pub fn of_symbol(&self, symbol: &str) -> Vec<Arc<Lot>> {
        let mut lots: Vec<Arc<Lot>> = self.by_key.values().filter(|lot| lot.symbol == symbol).cloned().collect();
        lots.sort_by_key(|lot| lot.first());
        lots
    }

    /// A lot that was read.
    pub fn get(&self, portfolio_id: Uuid, symbol: &str) -> Option<Arc<Lot>> {
        self.by_key.get(&(portfolio_id, symbol.to_owned())).cloned()
    }

    fn keep(&mut self, rows: &[Entry]) -> Result<Vec<Arc<Lot>>, Error> {
        let found: Vec<Arc<Lot>> = gather(rows)?.into_iter().map(Arc::new).collect();
        self.by_key.extend(found.iter().map(|lot| ((lot.portfolio_id, lot.symbol.clone()), lot.clone())));
        Ok(found)
    }
}

/// Lots in the order of their earliest entry. Name and ISIN are those of the latest row that has them.
pub(crate) fn gather<'a>(rows: impl IntoIterator<Item = &'a Entry>) -> Result<Vec<Lot>, Error> {
    let mut places: HashMap<(Uuid, &str), usize> = HashMap::new();
    let mut lots: Vec<Lot> = Vec::new();
    // By date, because the order of recording only matters within a day.
    let mut by_date: Vec<&Entry> = rows.into_iter().collect();
    by_date.sort_by_key(|row| (row.date, row.sequence));
    for row in by_date {
        let place = *places.entry((row.portfolio_id, &row.symbol)).or_insert_with(|| {
            lots.push(Lot {
                portfolio_id: row.portfolio_id,
                symbol: row.symbol.clone(),
                isin: None,
                name: None,
                entries: Vec::new(),
            });
            lots.len() - 1
        });
        let lot = &mut lots[place];
        for (known, newer) in [(&mut lot.isin, &row.isin), (&mut lot.name, &row.name)] {
            if newer.is_some() && known != newer {
                known.clone_from(newer);
            }
        }
        lot.entries.push(entry(row)?);
    }
    Ok(lots)
}

/// Its portfolio and symbol.
pub(crate) fn lot_of(entry: &Entry) -> (Uuid, &str) {
    (entry.portfolio_id, &entry.symbol)
}

/// Whether both are recorded for the same symbol in the same portfolio.
pub(crate) fn same_lot(one: &Entry, other: &Entry) -> bool {
    lot_of(one) == lot_of(other)
}

/// As recorded, else shares × price.
fn amount(row: &Entry) -> Result<Option<Decimal>, Overflow> {
    match (row.amount, row.shares, row.price) {
        (Some(amount), _, _) => Ok(Some(amount)),
        (None, Some(shares), Some(price)) => ledger::money::mul(shares, price).map(Some),
        _ => Ok(None),
    }
}

/// The gross of a dividend: as recorded, else the net with what was taken from it; the net alone if the withholding is unknown.
pub(crate) fn gross(row: &Entry) -> Result<Option<Decimal>, Overflow> {
    let amount = amount(row)?;
    match (row.gross_known, row.net, row.tax) {
        (true, ..) => Ok(amount),
        (false, Some(net), Some(tax)) => {
            let taken = ledger::money::add(tax, row.fees.unwrap_or_default())?;
            Ok(Some(ledger::money::add(net, taken)?))
        }
        (false, net, _) => Ok(net),
    }
}

/// What arrived of a dividend.
pub(crate) fn net(row: &Entry) -> Option<Decimal> {
    match entry(row).ok()?.event {
        Event::Dividend(paid) => Some(paid.net()),
        _ => None,
    }
}

/// The gross to show: as recorded, and without the trailing zeros that a multiplication leaves.
pub(crate) fn shown_gross(row: &Entry) -> Result<Option<Decimal>, Overflow> {
    let gross = gross(row)?;
    Ok(if row.amount.is_none() { gross.map(|gross| gross.normalize()) } else { gross })
}

/// Converts a stored row to an event of the ledger.
pub(crate) fn entry(row: &Entry) -> Result<ledger::Entry, Error> {
    let broken =
        |field| Error::Ledger { symbol: row.symbol.clone(), cause: Unreplayable::Incomplete { sequence: row.sequence, field } };
    let amount = amount(row)?;
    let trade = || -> Result<Trade, Error> {
        let shares = row.shares.ok_or_else(|| broken("shares"))?;
        let cost_known = row.kind != Kind::TransferIn || (amount.is_some() && row.source != OPENING_ESTIMATED);
        Ok(Trade { shares, amount: amount.unwrap_or_default(), fees: row.fees.unwrap_or_default(), cost_known })
    };
    let event = match row.kind {
        Kind::Buy => Event::Buy(trade()?),
        Kind::Sell => Event::Sell(trade()?),
        Kind::TransferIn => Event::TransferIn(trade()?),
        Kind::TransferOut => Event::TransferOut(trade()?),
        Kind::Split => Event::Split(row.ratio.ok_or_else(|| broken("ratio"))?),
        Kind::ReturnOfCapital => Event::ReturnOfCapital { amount: amount.ok_or_else(|| broken("amount"))? },
        Kind::Dividend => Event::Dividend(ledger::Dividend {
            gross: gross(row)?.ok_or_else(|| broken("amount"))?,
            gross_known: row.gross_known || row.tax.is_some(),
            tax: row.tax,
            fees: row.fees,
            ex_date: row.ex_date,
            net: row.net,
            shares: row.shares,
            per_share: row.price,
            estimated: is_estimated(row),
        }),
    };
    Ok(ledger::Entry { date: row.date, sequence: row.sequence, currency: row.currency, fx_rate: row.fx_rate, event })
}
