//! What a user holds, and everything needed to value it, as seen by one transaction. All figures start from the [`Book`] in this
//! file. It reads stored snapshots ([`snapshot`]), and entries ([`lots`]) only where these are not sufficient. Writers of entries
//! update the snapshots ([`refresh`]).

pub(crate) mod evidence;
pub mod lots;
pub(crate) mod refresh;
pub mod snapshot;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::civil::Date;
use ledger::withholding::{Estimate, Seen, Source};
use ledger::{Currency, Decimal, Fx, Metrics, Money, Position};
use store::accruals::{self, Accrual, Statement};
use store::entries::{self, Entry};
use store::payment_decisions::{self, Decision};
use store::stocks::Stock;
use store::{Tx, Versions, positions, versions};
use uuid::Uuid;

use crate::book::lots::{Lot, Lots};
use crate::book::snapshot::{
    Basis, Dividends, Paid, PositionSnapshot, Sum, dividend_count, dividends_paid, seen_since, showing_tax,
};
use crate::error::Unreplayable;
use crate::market::profile::{self, Profile};
use crate::market::rates;
use crate::market::traded::Traded;
use crate::portfolios::account::Account;
use crate::stocks::stock_visibility;
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
    /// By symbol: what [`Book::own_metrics`] found.
    own: HashMap<String, Option<Arc<Metrics>>>,
    pub fx: Arc<Fx>,
    pub today: Date,
    /// Positions are as of the end of this day: today, unless somebody asks about another one.
    pub day: Date,
    /// Of a supposed entry: its symbol, and the currency that it trades in if it has no market data.
    supposed: Option<(String, Currency)>,
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
    /// How many dividends were recorded ever.
    dividend_count: u32,
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
    /// From the user's own dividends, if market data knows none.
    pub own: Option<Arc<Metrics>>,
    /// Estimated, as a fraction.
    pub withholding: Decimal,
}

impl OpenPosition {
    /// Everything derived from the dividends of its stock.
    pub fn metrics(&self) -> Option<&Metrics> {
        self.own.as_deref().or(self.profile.as_ref().map(|profile| &profile.metrics))
    }

    pub fn kind(&self) -> ledger::PayerKind {
        self.metrics().map_or(ledger::PayerKind::VaryingCompany, |metrics| metrics.kind)
    }

    pub fn payment_months(&self) -> &[i8] {
        self.metrics().map_or(&[], |metrics| &metrics.payment_months)
    }

    pub fn basis(&self) -> ledger::Basis {
        if self.own.is_some() { ledger::Basis::Ledger } else { ledger::Basis::Market }
    }

    /// Whether anything is known about what it pays, even if that is nothing.
    pub fn has_data(&self) -> bool {
        let market = |profile: &Arc<Profile>| {
            let known = !profile.metrics.history.payments.is_empty() || !profile.metrics.forward_rate.is_zero();
            known || profile.stock.price.is_some()
        };
        self.own.is_some() || self.profile.as_ref().is_some_and(market)
    }

    /// Whether its shares are split after the first day and up to the second one.
    pub fn splits_after(&self, first: Date, last: Date) -> bool {
        let mut splits = self.profile.iter().flat_map(|profile| &profile.splits);
        splits.any(|split| first < split.date && split.date <= last)
    }

    /// In percent, two decimals. `None` if the cost is unknown.
    pub fn yield_on_cost_pct(&self) -> Option<Decimal> {
        let average_cost = Some(self.position.average_cost()).filter(|_| self.position.cost_known)?;
        ledger::yield_on_cost_pct(self.metrics()?, average_cost)
    }
}

impl<'a> Book<'a> {
    pub async fn open(app: &'a App, user_id: Uuid, portfolio: Option<&str>) -> Result<Book<'a>, Error> {
        let mut tx = app.store.read().await?;
        let account = Account::load(&mut tx, user_id, portfolio).await?;
        let versions = versions::get(&mut tx).await?;
        let fx = app.rates.at(&mut tx, versions.rates).await?;
        let (today, mut lots) = (app.clock.today(), Lots::default());
        let holdings = holdings(&mut tx, user_id, today, &mut lots).await?;
        Ok(Book {
            app,
            tx,
            versions,
            account,
            by_symbol: by_symbol(&holdings),
            holdings,
            lots,
            own: HashMap::new(),
            fx,
            today,
            day: today,
            supposed: None,
            seen_since: seen_since(today),
        })
    }

    /// Of an entry that is added.
    pub async fn next_sequence(&mut self) -> Result<i64, Error> {
        Ok(entries::next_sequence(&mut self.tx, self.account.user.id).await?)
    }

    /// From now on, the book is as if `after` was recorded in place of `before`. Nothing is stored. `trades_in` is the currency of
    /// a stock without market data.
    pub async fn suppose(&mut self, before: &[Entry], after: Vec<Entry>, trades_in: Option<Currency>) -> Result<(), Error> {
        let user_id = self.account.user.id;
        let changed = before.iter().chain(&after).map(|one| (one.portfolio_id, one.symbol.clone()));
        let changed: BTreeSet<(Uuid, String)> = changed.collect();
        self.supposed = trades_in.zip(after.first()).map(|(currency, entry)| (entry.symbol.clone(), currency));
        self.lots = Lots::supposing(before.iter().map(|entry| entry.sequence).collect(), after);
        self.own.clear();
        self.lots.read(&mut self.tx, user_id, changed.iter().map(|(_, symbol)| symbol.as_str())).await?;
        self.holdings.retain(|holding| !changed.contains(&(holding.portfolio_id, holding.symbol.clone())));
        let lots = changed.iter().filter_map(|(portfolio_id, symbol)| self.lots.get(*portfolio_id, symbol));
        self.holdings.extend(lots.filter_map(|lot| Holding::from_lot(&lot, self.today)).map(Arc::new));
        self.holdings.sort_by_key(|holding| holding.first);
        self.by_symbol = by_symbol(&self.holdings);
        Ok(())
    }

    /// The open positions of the selected portfolio or all, in the order of their earliest entry.
    pub async fn open_positions(&mut self) -> Result<Vec<OpenPosition>, Error> {
        let mut selected = Vec::with_capacity(self.holdings.len());
        for holding in self.holdings.clone() {
            if self.account.includes(holding.portfolio_id) {
                let profile = self.profile(&holding.symbol).await?;
                let stored = self.stored_position(&holding, profile.as_deref());
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
            open.push(self.opened(holding, position, profile).await?);
        }
        Ok(open)
    }

    /// That of one symbol in one portfolio.
    pub async fn open_position(&mut self, portfolio_id: Uuid, symbol: &str) -> Result<Option<OpenPosition>, Error> {
        let is_asked = |holding: &&Arc<Holding>| (holding.portfolio_id, &*holding.symbol) == (portfolio_id, symbol);
        let Some(holding) = self.holdings.iter().find(is_asked).cloned() else { return Ok(None) };
        let profile = self.profile(symbol).await?;
        match self.position(&holding, profile.as_deref()).await? {
            Some(position) => self.opened(holding, position, profile).await.map(Some),
            None => Ok(None),
        }
    }

    async fn opened(
        &mut self,
        holding: Arc<Holding>,
        position: Position,
        profile: Option<Arc<Profile>>,
    ) -> Result<OpenPosition, Error> {
        let withholding = self.withholding(&holding, profile.as_deref());
        let own = self.own_metrics(&holding, profile.as_deref()).await?;
        Ok(OpenPosition { holding, position, profile, own, withholding })
    }

    /// The open position at the end of the book's day.
    pub async fn position(&mut self, holding: &Holding, profile: Option<&Profile>) -> Result<Option<Position>, Error> {
        if let Some(position) = self.stored_position(holding, profile) {
            return Ok(position);
        }
        let of_supposed = self.supposed.as_ref().filter(|(symbol, _)| *symbol == holding.symbol).map(|(_, currency)| *currency);
        let traded = Traded::from(profile);
        let traded = Traded { currency: traded.currency.or(of_supposed), ..traded };
        self.lot(holding).await?.position(traded, &self.fx, self.day)
    }

    /// The position of the snapshot; `None` if only the entries can tell.
    fn stored_position(&self, holding: &Holding, profile: Option<&Profile>) -> Option<Option<Position>> {
        holding.stored_position(profile.into(), &self.fx).filter(|_| self.day == self.today)
    }

    /// The stock with this symbol, if there is market data for it.
    pub async fn profile(&mut self, symbol: &str) -> Result<Option<Arc<Profile>>, Error> {
        self.app.profiles.get(&mut self.tx, symbol, self.versions, self.today, &self.fx).await
    }

    /// The same if the user may see it, with the currency that it has for this user.
    pub async fn stock(&mut self, symbol: &str) -> Result<Option<Stock>, Error> {
        stock_visibility::stock(&mut self.tx, symbol, Some(self.account.user.id)).await
    }

    /// Figures from the dividends that the user recorded, if market data knows none of this stock.
    pub async fn own_metrics(&mut self, holding: &Holding, profile: Option<&Profile>) -> Result<Option<Arc<Metrics>>, Error> {
        let symbol = &*holding.symbol;
        if profile.is_some_and(|profile| !profile.metrics.history.payments.is_empty()) {
            return Ok(None);
        }
        let recorded: u32 = self.of_symbol(symbol).map(|holding| holding.dividend_count).fold(0, u32::saturating_add);
        if recorded < 2 {
            return Ok(None);
        }
        if let Some(known) = self.own.get(symbol) {
            return Ok(known.clone());
        }
        self.read(&[holding]).await?;
        let lots = self.lots.of_symbol(symbol);
        let own = profile::of_ledger(&lots, profile, &self.fx, self.today)?.map(Arc::new);
        self.own.insert(symbol.to_owned(), own.clone());
        Ok(own)
    }

    /// Whether [`Book::position`] has to read entries.
    pub fn is_unread(&self, holding: &Holding, profile: Option<&Profile>) -> bool {
        self.stored_position(holding, profile).is_none()
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

    /// The day of the oldest exchange rate that the income of these positions uses, if it is an old one.
    pub fn outdated_rates(&self, held: &[OpenPosition]) -> Option<Date> {
        let currencies = held.iter().flat_map(|held| [Some(held.position.currency), held.metrics().map(|it| it.rate_currency)]);
        let amounts = currencies.flatten().map(|currency| (currency, self.today));
        rates::outdated(&self.fx, self.account.user.preferred_currency, amounts)
    }

    /// The estimated foreign withholding tax, as a fraction: from the user's own dividends first, then from the tables.
    pub fn withholding(&self, holding: &Holding, profile: Option<&Profile>) -> Decimal {
        self.withholding_from(tax_source(holding.isin.as_deref(), profile), &holding.symbol).rate
    }

    /// The same for a stock, held or not.
    pub async fn withholding_of_symbol(&mut self, symbol: &str) -> Result<Decimal, Error> {
        let profile = self.profile(symbol).await?;
        let isin = self.of_symbol(symbol).find_map(|holding| holding.isin.clone());
        Ok(self.withholding_from(tax_source(isin.as_deref(), profile.as_deref()), symbol).rate)
    }

    fn withholding_from(&self, source: Source, symbol: &str) -> Estimate {
        ledger::withholding::estimate(source, self.account.user.residence.as_deref(), self.seen(symbol))
    }

    /// The same for all that is recorded of a stock in one portfolio.
    pub fn withholding_of(&self, lot: &Lot, profile: &Profile) -> Decimal {
        let holding = self.of_symbol(&lot.symbol).find(|holding| holding.portfolio_id == lot.portfolio_id);
        holding.map(|holding| self.withholding(holding, Some(profile))).unwrap_or_default()
    }

    /// The sum of amounts in the preferred currency, at today's exchange rates. Currencies without a rate are left out.
    pub fn sum(&self, amounts: impl IntoIterator<Item = Money>) -> Result<Money, Error> {
        let preferred = self.account.user.preferred_currency;
        let by_currency = ledger::money::by_currency(amounts)?;
        let converted = by_currency.iter().filter_map(|sum| self.fx.convert(sum.amount, sum.currency, preferred, self.today));
        Ok(Money::new(converted.into_iter().try_fold(Decimal::ZERO, ledger::money::add)?, preferred))
    }

    /// The holdings of a symbol, in all portfolios.
    fn of_symbol(&self, symbol: &str) -> impl Iterator<Item = &Holding> + Clone {
        let first = self.by_symbol.partition_point(|holding| *holding.symbol < *symbol);
        self.by_symbol[first..].iter().map(|holding| &**holding).take_while(move |holding| holding.symbol == symbol)
    }

    /// What was withheld from the user's dividends of the last 24 months, in all portfolios; if they are in several currencies, from
    /// those in the latest one.
    fn seen(&self, symbol: &str) -> Option<Seen> {
        let mut paying =
            self.of_symbol(symbol).map(|holding| &holding.dividends).filter(|dividends| !dividends.is_empty()).peekable();
        paying.peek()?;
        let sum = paying.clone().map(|dividends| dividends.sum_since(self.seen_since)).reduce(|a, b| a?.and(b?)).flatten();
        sum.or_else(|| {
            let each = paying.flat_map(Dividends::each);
            sum_of(each.filter(|paid| paid.date >= self.seen_since && paid.date <= self.today).collect())
        })
        .map(seen)
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

    /// What the user decided about payments that are not recorded by hand or imported.
    pub async fn payment_decisions(&mut self) -> Result<Vec<Decision>, Error> {
        Ok(payment_decisions::of_user(&mut self.tx, self.account.user.id).await?)
    }

    /// A stock on the user's watchlist.
    pub async fn watched(&mut self, symbol: &str) -> Result<Option<store::radar::Watched>, Error> {
        let rows = store::radar::list(&mut self.tx, self.account.user.id).await?;
        Ok(rows.into_iter().find(|row| row.symbol == symbol))
    }

    /// The symbols on the user's watchlist.
    pub async fn radar(&mut self) -> Result<Vec<String>, Error> {
        let rows = store::radar::list(&mut self.tx, self.account.user.id).await?;
        Ok(rows.into_iter().map(|row| row.symbol).collect())
    }
}

impl Holding {
    fn from_snapshot(portfolio_id: Uuid, symbol: String, snapshot: PositionSnapshot) -> Holding {
        let PositionSnapshot { first, isin, name, position, dividends, dividend_count, basis, .. } = snapshot;
        Holding { portfolio_id, symbol, isin, name, dividends, dividend_count, first, stored: Some((position, basis)) }
    }

    /// `None` without entries.
    fn from_lot(lot: &Lot, today: Date) -> Option<Holding> {
        Some(Holding {
            portfolio_id: lot.portfolio_id,
            symbol: lot.symbol.clone(),
            isin: lot.isin.clone(),
            name: lot.name.clone(),
            dividends: dividends_paid(&lot.entries, today),
            dividend_count: dividend_count(&lot.entries, today),
            first: lot.first()?,
            stored: None,
        })
    }

    /// The position from the snapshot; `None` if only the entries can tell.
    fn stored_position(&self, traded: Traded<'_>, fx: &Fx) -> Option<Option<Position>> {
        self.stored.as_ref().filter(|(_, basis)| basis.is_valid_for(traded, fx)).map(|(position, _)| *position)
    }
}

fn by_symbol(holdings: &[Arc<Holding>]) -> Vec<Arc<Holding>> {
    let mut by_symbol = holdings.to_vec();
    by_symbol.sort_by(|a, b| a.symbol.cmp(&b.symbol));
    by_symbol
}

/// In the order of their earliest entry. Lots are only read for holdings without a valid snapshot.
async fn holdings(tx: &mut Tx, user_id: Uuid, today: Date, lots: &mut Lots) -> Result<Vec<Arc<Holding>>, Error> {
    let rows = positions::of_user(tx, user_id).await?;
    let (mut holdings, mut unknown) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
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

/// `isin` is the ledger's.
pub(crate) fn tax_source(isin: Option<&str>, profile: Option<&Profile>) -> Source {
    let unknown = || Source { country: ledger::withholding::source_country(isin, None, None, false), fund: false };
    profile.map_or_else(unknown, |profile| profile.source(isin))
}

/// What was withheld from the dividends of the last 24 months in these lots of a stock.
pub(crate) fn seen_in<'a>(lots: impl Iterator<Item = &'a [ledger::Entry]>, today: Date) -> Option<Seen> {
    sum_of(lots.flat_map(|entries| showing_tax(entries, today).map(|(_, paid)| paid)).collect()).map(seen)
}

/// Of those in the latest one's currency.
fn sum_of(each: Vec<Paid>) -> Option<Sum> {
    let latest = Paid::currency_of_latest(each.iter())?;
    let counted = each.iter().filter(|paid| paid.currency == latest).map(Sum::of);
    counted.map(Some).reduce(|a, b| a?.and(b?)).flatten()
}

fn seen(sum: Sum) -> Seen {
    let half_a_unit = Decimal::new(5, sum.currency.minor_units() + 1);
    Seen { gross: sum.gross, withheld: sum.withheld, rounding: half_a_unit.saturating_mul(Decimal::from(sum.count)) }
}
