//! What a user holds, and everything needed to value it, as seen by one transaction. All figures start from the [`Book`] in this
//! file. It reads stored snapshots ([`snapshot`]), and entries ([`lots`]) only where these are not sufficient. Writers of entries
//! update the snapshots ([`refresh`]).

pub mod lots;
pub(crate) mod refresh;
pub mod snapshot;

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;
use ledger::withholding::Seen;
use ledger::{Currency, Decimal, Fx, Position};
use store::accruals::{self, Accrual, Statement};
use store::{Tx, Versions, positions, versions};
use uuid::Uuid;

use crate::book::lots::{Lot, Lots};
use crate::book::snapshot::{Basis, Dividends, Paid, PositionSnapshot, Sum, dividends_paid, seen_since};
use crate::error::Unreplayable;
use crate::market::profile::Profile;
use crate::market::traded::Traded;
use crate::portfolios::account::Account;
use crate::{App, Error};

pub(crate) struct Book<'a> {
    app: &'a App,
    tx: Tx,
    versions: Versions,
    pub account: Account,
    /// In all portfolios, whichever is selected, in the order of their earliest entry.
    pub holdings: Vec<Arc<Holding>>,
    /// The same by symbol.
    by_symbol: Vec<Arc<Holding>>,
    lots: Lots,
    pub fx: Arc<Fx>,
    pub today: Date,
    /// The first day whose dividends count for the withholding tax.
    seen_since: Date,
}

/// Everything recorded for one symbol in one portfolio.
pub(crate) struct Holding {
    pub portfolio_id: Uuid,
    pub symbol: String,
    pub isin: Option<String>,
    pub name: Option<String>,
    /// Those of the last 24 months and a few days before.
    dividends: Dividends,
    /// Date and sequence of the earliest entry.
    first: (Date, i64),
    /// The position of the snapshot, and what it was computed from. `None` without a valid snapshot.
    stored: Option<(Option<Position>, Basis)>,
}

/// An open position with its stock and withholding tax.
pub(crate) struct OpenPosition {
    pub holding: Arc<Holding>,
    pub position: Position,
    /// `None` if there is no market data for the symbol.
    pub profile: Option<Arc<Profile>>,
    /// Estimated, as a fraction.
    pub withholding: Decimal,
}

impl<'a> Book<'a> {
    pub async fn open(app: &'a App, user_id: Uuid, portfolio: Option<&str>) -> Result<Book<'a>, Error> {
        let mut tx = app.store.read().await?;
        let account = Account::load(&mut tx, user_id, portfolio).await?;
        let versions = versions::get(&mut tx).await?;
        let fx = app.rates.at(&mut tx, versions.rates).await?;
        let (today, mut lots) = (app.clock.today(), Lots::default());
        let holdings = holdings(&mut tx, user_id, today, &mut lots).await?;
        let mut by_symbol = holdings.clone();
        by_symbol.sort_by(|a, b| a.symbol.cmp(&b.symbol));
        Ok(Book { app, tx, versions, account, holdings, by_symbol, lots, fx, today, seen_since: seen_since(today) })
    }

    /// The open positions of the selected portfolio or all, in the order of their earliest entry.
    pub async fn open_positions(&mut self) -> Result<Vec<OpenPosition>, Error> {
        let mut selected = Vec::with_capacity(self.holdings.len());
        for holding in self.holdings.clone() {
            if self.account.includes(holding.portfolio_id) {
                let profile = self.profile(&holding.symbol).await?;
                let stored = holding.stored_position(profile.as_deref().into(), &self.fx);
                selected.push((holding, profile, stored));
            }
        }
        let unread = selected.iter().filter(|(_, _, stored)| stored.is_none());
        self.read(&unread.map(|(holding, ..)| &**holding).collect::<Vec<_>>()).await?;
        let mut open = Vec::with_capacity(selected.len());
        for (holding, profile, stored) in selected {
            let position = match stored {
                Some(position) => position,
                None => self.position(&holding, profile.as_deref()).await?,
            };
            let Some(position) = position else { continue };
            let withholding = self.withholding(&holding, profile.as_deref());
            open.push(OpenPosition { holding, position, profile, withholding });
        }
        Ok(open)
    }

    /// The open position at the end of today.
    pub async fn position(&mut self, holding: &Holding, profile: Option<&Profile>) -> Result<Option<Position>, Error> {
        match holding.stored_position(profile.into(), &self.fx) {
            Some(position) => Ok(position),
            None => self.lot(holding).await?.position(profile.into(), &self.fx, self.today),
        }
    }

    /// The stock with this symbol, if there is market data for it.
    pub async fn profile(&mut self, symbol: &str) -> Result<Option<Arc<Profile>>, Error> {
        self.app.profiles.get(&mut self.tx, symbol, self.versions, self.today, &self.fx).await
    }

    /// Whether [`Book::position`] has to read entries.
    pub fn is_unread(&self, holding: &Holding, profile: Option<&Profile>) -> bool {
        holding.stored_position(profile.into(), &self.fx).is_none()
    }

    /// Reads the lots of several holdings at once, for [`Book::lot`].
    pub async fn read(&mut self, holdings: &[&Holding]) -> Result<(), Error> {
        let symbols = holdings.iter().map(|holding| holding.symbol.as_str());
        self.lots.read(&mut self.tx, self.account.user.id, symbols).await
    }

    pub async fn lot(&mut self, holding: &Holding) -> Result<Arc<Lot>, Error> {
        self.read(&[holding]).await?;
        let lot = self.lots.get(holding.portfolio_id, &holding.symbol);
        lot.ok_or_else(|| Error::Ledger { symbol: holding.symbol.clone(), cause: Unreplayable::NoEntries })
    }

    /// All lots, in the order of the holdings.
    pub async fn lots(&mut self) -> Result<Vec<Arc<Lot>>, Error> {
        self.lots.all(&mut self.tx, self.account.user.id).await
    }

    /// The estimated foreign withholding tax, as a fraction: from the user's own dividends first, then from the tables.
    pub fn withholding(&self, holding: &Holding, profile: Option<&Profile>) -> Decimal {
        let source = match profile {
            Some(profile) => profile.source_country(holding.isin.as_deref()),
            None => ledger::withholding::source_country(holding.isin.as_deref(), None, None),
        };
        ledger::withholding::estimate(source, self.account.user.residence.as_deref(), self.seen(&holding.symbol))
    }

    /// What was withheld from the user's dividends of the last 24 months, in all portfolios.
    fn seen(&self, symbol: &str) -> Option<Seen> {
        let first = self.by_symbol.partition_point(|holding| *holding.symbol < *symbol);
        let same = self.by_symbol[first..].iter().take_while(|holding| holding.symbol == symbol);
        let mut paying = same.map(|holding| &holding.dividends).filter(|dividends| !dividends.is_empty()).peekable();
        paying.peek()?;
        match paying.clone().map(|dividends| dividends.sum_since(self.seen_since)).reduce(|a, b| a?.and(b?)).flatten() {
            Some(Sum { gross, withheld, recorded, .. }) => recorded.then_some(Seen { gross, withheld }),
            None => {
                let mut each: Vec<Paid> = paying.flat_map(Dividends::each).collect();
                each.retain(|paid| paid.date >= self.seen_since && paid.date <= self.today);
                seen(&each, &self.fx)
            }
        }
    }

    /// The user's stocks that are public.
    pub async fn public_symbols(&mut self) -> Result<BTreeSet<String>, Error> {
        Ok(store::tracking::public_of_user(&mut self.tx, self.account.user.id, self.app.public_holders.min()).await?)
    }

    /// Brokers' statements of announced payments, the latest first.
    pub async fn broker_statements(&mut self) -> Result<Vec<Statement>, Error> {
        Ok(accruals::statements(&mut self.tx, self.account.user.id).await?)
    }

    /// The payments of one statement.
    pub async fn accruals(&mut self, import_id: Uuid) -> Result<Vec<Accrual>, Error> {
        Ok(accruals::of_statement(&mut self.tx, self.account.user.id, import_id).await?)
    }

    /// The symbols on the user's watchlist.
    pub async fn radar(&mut self) -> Result<Vec<String>, Error> {
        let rows = store::radar::list(&mut self.tx, self.account.user.id).await?;
        Ok(rows.into_iter().map(|row| row.symbol).collect())
    }
}

impl Holding {
    fn from_snapshot(portfolio_id: Uuid, symbol: String, snapshot: PositionSnapshot) -> Holding {
        let PositionSnapshot { first, isin, name, position, dividends, basis, .. } = snapshot;
        Holding { portfolio_id, symbol, isin, name, dividends, first, stored: Some((position, basis)) }
    }

    /// `None` without entries.
    fn from_lot(lot: &Lot, today: Date) -> Option<Holding> {
        Some(Holding {
            portfolio_id: lot.portfolio_id,
            symbol: lot.symbol.clone(),
            isin: lot.isin.clone(),
            name: lot.name.clone(),
            dividends: dividends_paid(&lot.entries, today),
            first: lot.first()?,
            stored: None,
        })
    }

    /// The position from the snapshot; `None` if only the entries can tell.
    fn stored_position(&self, traded: Traded<'_>, fx: &Fx) -> Option<Option<Position>> {
        self.stored.as_ref().filter(|(_, basis)| basis.is_valid_for(traded, fx)).map(|(position, _)| *position)
    }
}

/// In the order of their earliest entry. Lots are only read for holdings without a valid snapshot.
async fn holdings(tx: &mut Tx, user_id: Uuid, today: Date, lots: &mut Lots) -> Result<Vec<Arc<Holding>>, Error> {
    let (mut holdings, mut unknown) = (Vec::new(), Vec::new());
    for row in positions::of_user(tx, user_id).await? {
        match row.snapshot.as_deref().and_then(PositionSnapshot::decode).filter(|snapshot| snapshot.basis.is_valid_on(today)) {
            Some(snapshot) => holdings.push(Arc::new(Holding::from_snapshot(row.portfolio_id, row.symbol, snapshot))),
            None => unknown.push((row.portfolio_id, row.symbol)),
        }
    }
    match unknown.len() > holdings.len() {
        true => drop(lots.all(tx, user_id).await?),
        false => lots.read(tx, user_id, unknown.iter().map(|(_, symbol)| symbol.as_str())).await?,
    }
    let read = unknown.iter().filter_map(|(portfolio_id, symbol)| lots.get(*portfolio_id, symbol));
    holdings.extend(read.filter_map(|lot| Holding::from_lot(&lot, today)).map(Arc::new));
    holdings.sort_by_key(|holding| holding.first);
    Ok(holdings)
}

/// Sums over the payments, if a withholding was recorded on any of them, even zero.
fn seen(dividends: &[Paid], fx: &Fx) -> Option<Seen> {
    if dividends.iter().all(|paid| paid.tax.is_none()) {
        return None;
    }
    // Payments in one currency are summed directly; if there are several, all are converted to euros.
    let first = dividends.first()?.currency;
    let common = if dividends.iter().all(|paid| paid.currency == first) { first } else { Currency::EUR };
    let mut seen = Seen { gross: Decimal::ZERO, withheld: Decimal::ZERO };
    for paid in dividends {
        let into = |amount| fx.convert(amount, paid.currency, common, paid.date);
        if let (Some(gross), Some(withheld)) = (into(paid.gross), into(paid.tax.unwrap_or_default())) {
            seen.gross = seen.gross.saturating_add(gross);
            seen.withheld = seen.withheld.saturating_add(withheld);
        }
    }
    Some(seen)
}
