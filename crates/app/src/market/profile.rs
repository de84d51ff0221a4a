//! A stock with everything derived from it, cached until the stock or the day changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::withholding::Source;
use ledger::{Decimal, Facts, Fx, MarketDividend, Metrics, OwnPart, QuoteUnit, Split};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use store::stocks::{self, Stock};
use store::{Tx, Versions, dividends, prices, splits};

use crate::Error;
use crate::book::lots::Lot;
use crate::market::traded::{self, Traded};

pub struct Profile {
    pub stock: Stock,
    pub splits: Vec<Split>,
    pub(crate) splits_mark: u64,
    pub metrics: Metrics,
    /// Where its dividends come from, by market data.
    source: Source,
    key: Key,
    /// The market version up to which the stock is known to be unchanged.
    checked: AtomicI64,
}

/// What the figures depend on besides the stock's own version.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    stock: i64,
    listings: i64,
    rates: i64,
    day: Date,
}

impl Profile {
    /// Where its dividends come from. The ISIN of market data takes precedence over the ledger's.
    pub(crate) fn source(&self, ledger_isin: Option<&str>) -> Source {
        match (&self.stock.isin, ledger_isin) {
            (None, Some(isin)) => source(&self.stock, Some(isin)),
            _ => self.source,
        }
    }
}

impl<'a> From<Option<&'a Profile>> for Traded<'a> {
    fn from(profile: Option<&'a Profile>) -> Traded<'a> {
        let Some(profile) = profile else { return Traded::default() };
        let currency = Some(profile.stock.currency).filter(|_| !profile.stock.placeholder);
        Traded { currency, splits: &profile.splits, mark: profile.splits_mark }
    }
}

fn source(stock: &Stock, isin: Option<&str>) -> Source {
    let (country, exchange) = (stock.country.as_deref(), stock.exchange.as_deref());
    let country = ledger::withholding::source_country(isin, country, exchange, is_receipt(stock));
    Source { country, fund: is_fund(stock) }
}

pub(crate) struct Profiles {
    cache: Cache<String, Arc<Profile>, ByPayments>,
}

/// Weighs a profile by its payments, which are nearly all of its size.
#[derive(Clone)]
struct ByPayments;

impl Weighter<String, Arc<Profile>> for ByPayments {
    fn weight(&self, _: &String, profile: &Arc<Profile>) -> u64 {
        10 + profile.metrics.history.payments.len() as u64
    }
}

/// About 100 bytes each: some 20 MB.
const PAYMENTS_MAX: u64 = 200_000;

impl Default for Profiles {
    fn default() -> Profiles {
        Profiles { cache: Cache::with_weighter(2_000, PAYMENTS_MAX, ByPayments) }
    }
}

impl Profiles {
    /// The stock as of these versions and this day; `None` if there is no market data for it.
    pub async fn get(
        &self,
        tx: &mut Tx,
        symbol: &str,
        versions: Versions,
        today: Date,
        fx: &Fx,
    ) -> Result<Option<Arc<Profile>>, Error> {
        let held = self.cache.get(symbol);
        let same = |key: Key| (key.listings, key.rates, key.day) == (versions.listings, versions.rates, today);
        let held = held.filter(|profile| same(profile.key));
        if let Some(profile) = held.as_ref().filter(|profile| profile.checked.load(Ordering::Relaxed) == versions.market) {
            return Ok(Some(profile.clone()));
        }
        let Some(stock_version) = stocks::version(tx, symbol).await? else { return Ok(None) };
        if let Some(profile) = held.filter(|profile| profile.key.stock == stock_version) {
            profile.checked.store(versions.market, Ordering::Relaxed);
            return Ok(Some(profile));
        }
        let Some(stock) = stocks::by_symbol(tx, symbol).await? else { return Ok(None) };
        let key = Key { stock: stock_version, listings: versions.listings, rates: versions.rates, day: today };
        let Derived { stock, splits, metrics } = derive(tx, stock, today, fx).await?;
        let (splits_mark, checked) = (traded::fingerprint(&splits), AtomicI64::new(versions.market));
        let source = source(&stock, stock.isin.as_deref());
        let profile = Arc::new(Profile { stock, splits, splits_mark, metrics, source, key, checked });
        self.cache.insert(symbol.to_owned(), profile.clone());
        Ok(Some(profile))
    }
}

pub(crate) struct Derived {
    pub stock: Stock,
    pub splits: Vec<Split>,
    pub metrics: Metrics,
}

/// Everything derived from this stock and its stored data.
pub(crate) async fn derive(tx: &mut Tx, stock: Stock, today: Date, fx: &Fx) -> Result<Derived, Error> {
    let splits = splits::of_symbol(tx, &stock.symbol).await?;
    let (facts, _) = market_facts(tx, &stock, splits.clone(), today).await?;
    let metrics = ledger::metrics(&facts, fx, today);
    Ok(Derived { stock, splits, metrics })
}

/// What the figures of a stock are computed from, and the rows of its dividends.
pub(crate) async fn market_facts(
    tx: &mut Tx,
    stock: &Stock,
    splits: Vec<Split>,
    today: Date,
) -> Result<(Facts, Vec<dividends::Dividend>), Error> {
    let rows = dividends::of_symbol(tx, &stock.symbol).await?;
    // Sixty month-ends, plus the current month.
    let closes = prices::month_ends(tx, &stock.symbol, today.saturating_sub(62.months())).await?;
    Ok((facts(stock, rows.iter().map(market_dividend).collect(), splits, closes), rows))
}

/// The same from the dividends that a user recorded; `None` with fewer than two.
pub(crate) fn of_ledger(lots: &[Arc<Lot>], profile: Option<&Profile>, fx: &Fx, today: Date) -> Result<Option<Metrics>, Error> {
    let Some(facts) = ledger_facts(lots, profile, today, |_| ())? else { return Ok(None) };
    let mut metrics = ledger::metrics(&facts, fx, today);
    // What is recorded was paid; only estimates are still to come.
    metrics.to_come.retain(|item| !item.declared);
    Ok(Some(metrics))
}

/// What these figures are computed from; shows what each payment consists of.
pub(crate) fn ledger_facts(
    lots: &[Arc<Lot>],
    profile: Option<&Profile>,
    today: Date,
    observe: impl FnMut(OwnPart),
) -> Result<Option<Facts>, Error> {
    let Some(first) = lots.first().and_then(|lot| Some((&lot.symbol, lot.entries.first()?.currency))) else { return Ok(None) };
    let unknown = || Stock::new(first.0, QuoteUnit::from(first.1));
    let stock = profile.map_or_else(unknown, |profile| profile.stock.clone());
    let splits = profile.map(|profile| &*profile.splits).unwrap_or_default();
    let entries: Vec<&[ledger::Entry]> = lots.iter().map(|lot| &*lot.entries).collect();
    let dividends = ledger::own_dividends(&entries, splits, is_fund(&stock), today, observe)?;
    if dividends.len() < 2 {
        return Ok(None);
    }
    Ok(Some(facts(&stock, dividends, Vec::new(), Vec::new())))
}

fn facts(stock: &Stock, dividends: Vec<MarketDividend>, splits: Vec<Split>, closes: Vec<(Date, Decimal)>) -> Facts {
    Facts {
        currency: stock.currency,
        dividends,
        splits,
        closes,
        price: stock.price,
        forward_rate: stock.forward_rate,
        payout_ratio: stock.payout_ratio,
        fcf_cover: stock.fcf_cover,
        pe: stock.pe,
        ma50: stock.ma50,
        ma200: stock.ma200,
        low52: stock.low52,
        high52: stock.high52,
        yield_avg_5y_pct: stock.yield_avg_5y_pct,
        fund: is_fund(stock),
        lenient_payout: is_reit(stock) || is_utility(stock),
    }
}

pub(crate) fn market_dividend(row: &dividends::Dividend) -> MarketDividend {
    MarketDividend {
        ex_date: row.ex_date,
        pay_date: row.pay_date,
        amount: row.amount,
        currency: row.currency,
        special: row.kind.is_special(),
    }
}

pub(crate) fn is_fund(stock: &Stock) -> bool {
    is_any(stock, &["ETF", "FUND", "MUTUALFUND"])
}

/// Stands for a share of a company elsewhere, where its dividends are taxed.
fn is_receipt(stock: &Stock) -> bool {
    is_any(stock, &["ADR", "GDR", "DR", "DEPOSITARY_RECEIPT"])
}

fn is_any(stock: &Stock, words: &[&str]) -> bool {
    let kinds = [&stock.kind, &stock.instrument_type];
    kinds.into_iter().flatten().any(|kind| words.iter().any(|word| kind.eq_ignore_ascii_case(word)))
}

/// By its industry; by its sector only if the industry is unknown, because not all real estate is a REIT.
fn is_reit(stock: &Stock) -> bool {
    match &stock.industry {
        Some(industry) => industry.to_uppercase().contains("REIT"),
        None => stock.sector.as_deref() == Some("Real Estate"),
    }
}

fn is_utility(stock: &Stock) -> bool {
    stock.sector.as_deref() == Some("Utilities")
}
