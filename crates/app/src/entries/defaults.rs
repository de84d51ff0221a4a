//! What an entry probably has in the fields that are left blank.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::{Currency, Decimal, Kind, Money, Split};
use store::stocks::Stock;
use store::{Tx, entries, portfolios, prices, splits, versions};
use uuid::Uuid;

use super::check::{gross, record};
use super::{Draft, Reinvested};
use crate::book::{Book, lots};
use crate::market::day_price::{oldest_of, per_share};
use crate::stocks::stock_visibility;
use crate::{App, Error};

/// The fields that it depends on, as far as they are known.
#[derive(Debug, Clone)]
pub struct Asked {
    pub kind: Kind,
    pub symbol: String,
    pub portfolio: String,
    pub date: Date,
    pub ex_date: Option<Date>,
    pub currency: Option<Currency>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Defaults {
    pub name: Option<String>,
    pub currency: Option<Currency>,
    /// The price of the day, as it was before later splits.
    pub price: Option<(Decimal, Date)>,
    /// The same, for shares bought with a dividend.
    pub reinvested_price: Option<(Decimal, Date)>,
    /// The official rate: units of the stock's currency for one of the entry's, which comes first.
    pub fx_rate: Option<(Decimal, [Currency; 2])>,
    /// Held when a dividend was due.
    pub shares: Option<Decimal>,
    /// The estimated withholding tax of a dividend, as a fraction.
    pub withheld: Option<Decimal>,
}

/// Empty if the stock is unknown.
pub async fn defaults(app: &App, user_id: Uuid, asked: &Asked) -> Result<Defaults, Error> {
    let symbol = asked.symbol.trim().to_uppercase();
    let mut tx = app.store.read().await?;
    let Some(stock) = stock_visibility::stock(&mut tx, &symbol, Some(user_id)).await? else { return Ok(Defaults::default()) };
    let mut found = Defaults { name: stock.name.clone(), currency: Some(stock.currency), ..Defaults::default() };
    match asked.currency.filter(|currency| *currency != stock.currency) {
        Some(currency) => {
            let rates = versions::get(&mut tx).await?.rates;
            let rate = app.rates.at(&mut tx, rates).await?.convert(Decimal::ONE, currency, stock.currency, asked.date);
            found.fx_rate = rate.map(|rate| (rate.round_sf(6).unwrap_or(rate).normalize(), [currency, stock.currency]));
        }
        None if matches!(asked.kind, Kind::Buy | Kind::Sell | Kind::Dividend) => {
            let splits = splits::of_symbol(&mut tx, &symbol).await?;
            let price = price(&mut tx, &stock, &splits, asked.date, app.clock.today()).await?;
            *(if asked.kind == Kind::Dividend { &mut found.reinvested_price } else { &mut found.price }) = price;
        }
        None => {}
    }
    if asked.kind == Kind::Dividend {
        let held = held(&mut tx, user_id, &symbol, asked).await?;
        found.shares = Some(held.normalize()).filter(|held| !held.is_zero());
        drop(tx);
        let withheld = Book::open(app, user_id, None).await?.withholding_of_symbol(&symbol).await?;
        found.withheld = Some(withheld.normalize()).filter(|rate| !rate.is_zero());
    }
    Ok(found)
}

/// The last one known, per share as of the day. Closes are adjusted for all splits until today, a quote for those until its day.
async fn price(tx: &mut Tx, stock: &Stock, splits: &[Split], day: Date, today: Date) -> Result<Option<(Decimal, Date)>, Error> {
    let since = oldest_of(day);
    let closes = prices::of_symbol(tx, &stock.symbol, since).await?.into_iter().map(|(date, close)| (close, date, today));
    let quoted = stock.price.zip(stock.price_time().map(|at| at.to_zoned(TimeZone::UTC).date()));
    let known = closes.chain(quoted.map(|(price, date)| (price, date, date)));
    let last = known.filter(|(_, date, _)| (since..=day).contains(date)).max_by_key(|(_, date, _)| *date);
    Ok(last.and_then(|(price, date, adjusted)| Some((per_share(price, adjusted, day, splits)?.normalize(), date))))
}

async fn held(tx: &mut Tx, user_id: Uuid, symbol: &str, asked: &Asked) -> Result<Decimal, Error> {
    let wanted = asked.portfolio.trim();
    let portfolio = match wanted.is_empty() {
        true => portfolios::list(tx, user_id).await?.into_iter().find(|one| one.is_default),
        false => portfolios::find(tx, user_id, wanted).await?,
    };
    let Some(portfolio) = portfolio else { return Ok(Decimal::ZERO) };
    let mut entries = entries::of_symbols(tx, user_id, &[symbol]).await?;
    entries.retain(|entry| entry.portfolio_id == portfolio.id);
    let rows = entries.iter().map(lots::entry).collect::<Result<Vec<_>, _>>()?;
    let splits = splits::of_symbol(tx, symbol).await?;
    Ok(match asked.ex_date {
        Some(ex_date) => ledger::shares_paid(&rows, &splits, ex_date),
        None => ledger::shares_before(&rows, &splits, asked.date),
    })
}

impl Defaults {
    /// Fills in what the draft leaves blank.
    pub fn fill(&self, draft: &mut Draft) {
        let currency = draft.currency.or(self.currency);
        match draft.kind {
            Kind::Buy | Kind::Sell if draft.price.is_none() && draft.amount.is_none() && currency == self.currency => {
                draft.price = self.price.map(|(price, _)| price);
            }
            Kind::Dividend => {
                if draft.amount.is_none() && draft.price.is_some() {
                    draft.shares = draft.shares.or(self.shares);
                }
                if draft.tax.is_none() && draft.net.is_none() {
                    draft.tax = self.tax(draft, currency);
                }
                if draft.reinvested == (Reinvested::Yes { shares: None, price: None }) && currency == self.currency {
                    let price = self.reinvested_price.map(|(price, _)| price);
                    draft.reinvested = Reinvested::Yes { shares: None, price };
                }
            }
            _ => {}
        }
    }

    fn tax(&self, draft: &Draft, currency: Option<Currency>) -> Option<Decimal> {
        let gross = Money::new(gross(&record(draft))?, currency?);
        ledger::expected::estimated(gross, self.withheld?).ok().map(|figures| figures.tax)
    }
}
