//! Open positions with their income: a holding, its share of the income, and the figures of its stock.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::upcoming::Item;
use ledger::{Basis, Check, Currency, Decimal, Frequency, Money, Safety, Source};
use uuid::Uuid;

use crate::book::lots::Lot;
use crate::book::{Book, Holding, OpenPosition};
use crate::portfolios::holdings::{self, HoldingSummary};
use crate::{App, Error, income};

#[derive(Clone, Debug)]
pub struct Positions {
    pub currency: Currency,
    /// In the order of the holdings.
    pub rows: Vec<Position>,
    pub annual: Money,
    pub net_annual: Money,
    /// Income ÷ market value of the positions with a price; two decimals.
    pub yield_pct: Option<Decimal>,
    /// Positions without income figures because a currency has no rate; by symbol, each once.
    pub unconverted: Vec<(String, Currency)>,
    /// Symbols about whose dividends nothing is known, each once.
    pub without_data: Vec<String>,
    /// The day of the oldest exchange rate that the income uses, if it is an old one.
    pub outdated_rates: Option<Date>,
}

#[derive(Clone, Debug)]
pub struct Position {
    pub holding: HoldingSummary,
    /// In the currency the stock trades in.
    pub price: Option<Money>,
    /// The time of the price.
    pub price_as_of: Option<Timestamp>,
    /// Of all shares.
    pub cost: Money,
    /// Of the company, from market data.
    pub country: Option<String>,
    /// Per year, before tax, in the preferred currency; `None` if it cannot be converted.
    pub income: Option<Money>,
    pub net_income: Option<Money>,
    /// Fraction of the gross income of all rows, exact.
    pub share_of_income: Option<Decimal>,
    /// The same in percent, two decimals.
    pub share_pct: Option<Decimal>,
    /// What its income is estimated from.
    pub basis: Basis,
    /// Rank among the sources of income, the largest first; `None` if it pays nothing.
    pub source: Option<usize>,
    pub yield_pct: Option<Decimal>,
    /// Forward rate ÷ average cost; two decimals. `None` if the cost is unknown.
    pub yield_on_cost_pct: Option<Decimal>,
    pub safety: Safety,
    pub safety_reasons: Vec<Check>,
    pub streak_years: Option<u32>,
    pub streak_at_least: bool,
    pub frequency: Option<Frequency>,
    /// The payment with the next ex-date, declared or estimated.
    pub next_ex: Option<Item>,
    /// The payment with the next payment date to which these shares are entitled.
    pub next_pay: Option<Item>,
}

pub async fn list(app: &App, user_id: Uuid, portfolio: Option<&str>) -> Result<Positions, Error> {
    of_book(&mut Book::open(app, user_id, portfolio).await?).await
}

/// Of the selected portfolio or all.
pub(crate) async fn of_book(book: &mut Book<'_>) -> Result<Positions, Error> {
    let mut held = book.open_positions().await?;
    let income = income::compute(book, &held, 0, false)?;
    holdings::oldest_first(&mut held);
    let lots = lots(book, &held).await?;
    let currency = book.account.user.preferred_currency;
    let sources = income.sources.iter().enumerate();
    let places: HashMap<(&str, &str), usize> =
        sources.map(|(place, source)| ((source.symbol.as_str(), source.portfolio.as_str()), place)).collect();
    let row = |held: &OpenPosition| {
        let place = places.get(&(held.holding.symbol.as_str(), book.account.name_of(held.holding.portfolio_id))).copied();
        let source = place.map(|place| &income.sources[place]);
        // Without data about a stock, we cannot say that it pays nothing.
        let reached = held.has_data() && !income.unconverted.iter().any(|(symbol, _)| *symbol == held.holding.symbol);
        let of_year = |figure: fn(&Source) -> Decimal| source.map(figure).unwrap_or_default();
        let (gross, net) = (of_year(|source| source.income), of_year(|source| source.net_income));
        Position {
            income: reached.then(|| Money::new(gross, currency)),
            net_income: reached.then(|| Money::new(net, currency)),
            share_of_income: ledger::share(gross, income.annual).filter(|_| reached),
            share_pct: ledger::share_pct(gross, income.annual).filter(|_| reached),
            source: place,
            ..of_stock(book, held, lots.get(&(held.holding.portfolio_id, held.holding.symbol.as_str())).map(|lot| &**lot))
        }
    };
    Ok(Positions {
        currency,
        rows: held.iter().map(row).collect(),
        annual: Money::new(income.annual, currency),
        net_annual: Money::new(income.net_annual, currency),
        yield_pct: income.current_yield_pct,
        unconverted: income.unconverted,
        without_data: income.coverage.without_data,
        outdated_rates: book.outdated_rates(&held),
    })
}

/// The rows with the most income, and the sum of all others.
pub struct Biggest<'a> {
    pub rows: Vec<&'a Position>,
    /// Income and percentage; `None` if nothing is left.
    pub rest: Option<(Money, Option<Decimal>)>,
}

impl Positions {
    pub fn biggest(&self, count: usize) -> Result<Biggest<'_>, Error> {
        let mut paying: Vec<&Position> = self.rows.iter().filter(|row| row.source.is_some()).collect();
        paying.sort_by_key(|row| row.source);
        let left = paying.split_off(count.min(paying.len()));
        let rest = ledger::money::by_currency(left.iter().filter_map(|row| row.income))?.pop();
        let rest = rest.map(|income| (income, ledger::share_pct(income.amount, self.annual.amount)));
        Ok(Biggest { rows: paying, rest })
    }
}

/// With entries for payments that have already gone ex: only they show what was held before.
async fn lots<'h>(book: &mut Book<'_>, held: &'h [OpenPosition]) -> Result<HashMap<(Uuid, &'h str), Arc<Lot>>, Error> {
    let today = book.today;
    let gone_ex = |held: &&OpenPosition| held.metrics().is_some_and(|metrics| ledger::upcoming::has_gone_ex(metrics, today));
    let holdings: Vec<&'h Holding> = held.iter().filter(gone_ex).map(|held| &*held.holding).collect();
    book.read(&holdings).await?;
    let mut lots = HashMap::new();
    for holding in holdings {
        lots.insert((holding.portfolio_id, holding.symbol.as_str()), book.lot(holding).await?);
    }
    Ok(lots)
}

/// The holding and its stock, without its share of the total.
fn of_stock(book: &Book<'_>, held: &OpenPosition, lot: Option<&Lot>) -> Position {
    let (today, profile) = (book.today, held.profile.as_deref());
    let metrics = held.metrics();
    let held_before = |day| lot.is_some_and(|lot| !lot.shares_before(profile.into(), day).is_zero());
    let entitled = |item: &Item| item.ex_date > today || held_before(item.ex_date);
    Position {
        holding: holdings::holding(book, held),
        price: profile.and_then(|profile| Some(Money::new(profile.stock.price?, profile.stock.currency))),
        price_as_of: profile.and_then(|profile| profile.stock.price_time()),
        cost: Money::new(held.position.cost, held.position.currency),
        country: profile.and_then(|profile| profile.stock.country.clone()),
        income: None,
        net_income: None,
        share_of_income: None,
        share_pct: None,
        basis: held.basis(),
        source: None,
        yield_pct: metrics.and_then(|metrics| metrics.yield_pct),
        yield_on_cost_pct: held.yield_on_cost_pct(),
        safety: metrics.map_or(Safety::Unknown, |metrics| metrics.safety),
        safety_reasons: metrics.map(|metrics| metrics.safety_reasons.clone()).unwrap_or_default(),
        streak_years: metrics.and_then(|metrics| metrics.streak_years),
        streak_at_least: metrics.is_some_and(|metrics| metrics.streak_at_least),
        frequency: metrics.and_then(|metrics| metrics.frequency),
        next_ex: metrics.and_then(|metrics| ledger::upcoming::next_ex(metrics, today)),
        next_pay: metrics.and_then(|metrics| ledger::upcoming::next_pay(metrics, today, entitled)),
    }
}
