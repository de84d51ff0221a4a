//! A stock with everything derived of it, kept in memory until market data or the day changes.

use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Facts, Fx, MarketDividend, Metrics, Split};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use store::stocks::{self, Stock};
use store::{Tx, dividends, prices, splits};

use crate::Error;

pub struct Profile {
    pub stock: Stock,
    pub splits: Vec<Split>,
    pub metrics: Metrics,
    market_version: i64,
    day: Date,
}

impl Profile {
    /// Where its dividends are taxed first. The ISIN of market data counts before the ledger's.
    pub(crate) fn source_country(&self, ledger_isin: Option<&str>) -> Option<&'static str> {
        let isin = self.stock.isin.as_deref().or(ledger_isin);
        ledger::withholding::source_country(isin, self.stock.country.as_deref(), self.stock.exchange.as_deref())
    }
}

pub(crate) struct Profiles {
    cache: Cache<String, Arc<Profile>, ByPayments>,
}

/// Weighs a profile by its payments, which are nearly all of it.
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
    /// The stock as of this market version and day; `None` when market data does not know it.
    pub async fn of(
        &self,
        tx: &mut Tx,
        symbol: &str,
        market_version: i64,
        today: Date,
        fx: &Fx,
    ) -> Result<Option<Arc<Profile>>, Error> {
        if let Some(profile) = self.cache.get(symbol)
            && profile.market_version == market_version
            && profile.day == today
        {
            return Ok(Some(profile));
        }
        let Some(stock) = stocks::by_symbol(tx, symbol).await? else { return Ok(None) };
        let profile = Arc::new(derive(tx, stock, market_version, today, fx).await?);
        self.cache.insert(symbol.to_owned(), profile.clone());
        Ok(Some(profile))
    }
}

async fn derive(tx: &mut Tx, stock: Stock, market_version: i64, today: Date, fx: &Fx) -> Result<Profile, Error> {
    let dividends = dividends::of_symbol(tx, &stock.symbol).await?;
    let splits = splits::of_symbol(tx, &stock.symbol).await?;
    // Sixty month-ends, and a month for the one that is running.
    let closes = prices::month_ends(tx, &stock.symbol, today.saturating_sub(62.months())).await?;
    let facts = Facts {
        currency: stock.currency,
        dividends: dividends.into_iter().map(market_dividend).collect(),
        splits: splits.clone(),
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
        fund: is_fund(&stock),
        lenient_payout: is_reit(&stock) || is_utility(&stock),
    };
    let metrics = ledger::metrics(&facts, fx, today);
    Ok(Profile { stock, splits, metrics, market_version, day: today })
}

fn market_dividend(row: dividends::Dividend) -> MarketDividend {
    MarketDividend {
        ex_date: row.ex_date,
        pay_date: row.pay_date,
        amount: row.amount,
        currency: row.currency,
        special: row.special,
    }
}

fn is_fund(stock: &Stock) -> bool {
    let words = ["ETF", "FUND", "MUTUALFUND"];
    [&stock.kind, &stock.instrument_type]
        .into_iter()
        .flatten()
        .any(|kind| words.iter().any(|word| kind.eq_ignore_ascii_case(word)))
}

/// By its industry; by its sector only where the industry is not known, because not all real estate is a trust.
fn is_reit(stock: &Stock) -> bool {
    match &stock.industry {
        Some(industry) => industry.to_uppercase().contains("REIT"),
        None => stock.sector.as_deref() == Some("Real Estate"),
    }
}

fn is_utility(stock: &Stock) -> bool {
    stock.sector.as_deref() == Some("Utilities")
}
