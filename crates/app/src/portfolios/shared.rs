//! A shared portfolio, for anybody who has its address: its composition, and amounts only if the owner shows them.
//!
//! Nothing here reveals the owner except the portfolio's name: stock names come from market data, figures are before tax
//! (withholding would reveal the residence), and the order is not that of purchase.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use jiff::civil::Date;
use ledger::{Currency, Decimal, Frequency, Income, Money, Safety};
use store::portfolios::{self, Shared};

use crate::book::{Book, OpenPosition};
use crate::income::{self, upcoming};
use crate::{App, Error};

#[derive(Clone, Debug)]
pub struct SharedPortfolio {
    pub name: String,
    /// The largest share of the income first, then by symbol.
    pub positions: Vec<SharedPosition>,
    /// Percent of the market value of the positions with a known price.
    pub yield_pct: Option<Decimal>,
    /// Weighted by income, fraction.
    pub growth: Option<Decimal>,
    /// Each month's percentage of a typical year, two decimals, January first; `None` for fewer than five paying symbols.
    pub months_pct: Option<[Decimal; 12]>,
    /// Soonest first.
    pub upcoming: Vec<SharedPayment>,
    /// `None` if the owner hides amounts; all other amounts are then also `None`.
    pub amounts: Option<Amounts>,
}

#[derive(Clone, Debug)]
pub struct SharedPosition {
    pub symbol: String,
    /// Whether strangers may open its page.
    pub is_public: bool,
    pub name: Option<String>,
    pub sector: Option<String>,
    /// Percent of the gross income, two decimals; `None` if it cannot be converted.
    pub share_pct: Option<Decimal>,
    pub yield_pct: Option<Decimal>,
    pub safety: Safety,
    pub frequency: Option<Frequency>,
    pub amounts: Option<PositionAmounts>,
}

/// Before tax, in the owner's preferred currency.
#[derive(Clone, Debug)]
pub struct Amounts {
    pub currency: Currency,
    pub annual: Money,
    pub months: Option<[Money; 12]>,
}

#[derive(Clone, Debug)]
pub struct PositionAmounts {
    pub shares: Decimal,
    /// `None` if it cannot be converted.
    pub income: Option<Money>,
}

#[derive(Clone, Debug)]
pub struct SharedPayment {
    pub symbol: String,
    pub is_public: bool,
    pub name: Option<String>,
    pub ex_date: Date,
    pub pay_date: Date,
    pub declared: bool,
    /// Before tax, in the currency of the payment.
    pub expected: Option<Money>,
}

/// How far ahead payments are listed.
const DAYS: i32 = 90;

/// The portfolio with this slug, of any user. `None` if there is none, or if its owner's account is disabled.
pub async fn shared(app: &App, slug: &str) -> Result<Option<SharedPortfolio>, Error> {
    let found = portfolios::shared(&mut app.store.read().await?, slug).await?;
    match found {
        Some(found) => Ok(Some(load(app, found).await?)),
        None => Ok(None),
    }
}

async fn load(app: &App, found: Shared) -> Result<SharedPortfolio, Error> {
    let mut book = open(app, &found).await?;
    let mut held = book.open_positions().await?;
    for held in &mut held {
        held.withholding = Decimal::ZERO;
    }
    let income = income::compute(&book, &held, 0, false)?;
    let currency = book.account.user.preferred_currency;
    let public = book.public_symbols().await?;
    let year = income.income_year.as_ref();
    Ok(SharedPortfolio {
        positions: positions(&held, &public, &income, currency, found.show_amounts),
        yield_pct: income.current_yield_pct,
        growth: income.growth_rate,
        months_pct: year.map(|year| year.by_month.map(|month| ledger::share_pct(month, income.annual).unwrap_or_default())),
        upcoming: payments(&mut book, &public, found.show_amounts).await?,
        amounts: found.show_amounts.then(|| Amounts {
            currency,
            annual: Money::new(income.annual, currency),
            months: year.map(|year| year.by_month.map(|month| Money::new(month, currency))),
        }),
        name: found.name,
    })
}

/// Selected by id: the slug may be the name of another portfolio of the same owner.
async fn open<'a>(app: &'a App, found: &Shared) -> Result<Book<'a>, Error> {
    let mut book = Book::open(app, found.user_id, None).await?;
    book.account.selected = Some(found.id);
    Ok(book)
}

fn positions(
    held: &[OpenPosition],
    public: &BTreeSet<String>,
    income: &Income,
    currency: Currency,
    show_amounts: bool,
) -> Vec<SharedPosition> {
    let position = |held: &OpenPosition| {
        let (stock, metrics) = (held.profile.as_ref().map(|one| &one.stock), held.metrics());
        let reached = !income.unconverted.iter().any(|(symbol, _)| *symbol == held.holding.symbol);
        let source = income.sources.iter().find(|source| source.symbol == held.holding.symbol);
        let gross = source.map(|source| source.income).unwrap_or_default();
        let shown = SharedPosition {
            symbol: held.holding.symbol.clone(),
            is_public: public.contains(&held.holding.symbol),
            name: stock.and_then(|stock| stock.name.clone()),
            sector: stock.and_then(|stock| stock.sector.clone()),
            share_pct: ledger::share_pct(gross, income.annual).filter(|_| reached),
            yield_pct: metrics.and_then(|metrics| metrics.yield_pct),
            safety: metrics.map_or(Safety::Unknown, |metrics| metrics.safety),
            frequency: metrics.and_then(|metrics| metrics.frequency),
            amounts: show_amounts
                .then(|| PositionAmounts { shares: held.position.shares, income: reached.then(|| Money::new(gross, currency)) }),
        };
        (gross, shown)
    };
    let mut positions: Vec<(Decimal, SharedPosition)> = held.iter().map(position).collect();
    positions.sort_by(|(a, one), (b, other)| (Reverse(a), &one.symbol).cmp(&(Reverse(b), &other.symbol)));
    positions.into_iter().map(|(_, position)| position).collect()
}

async fn payments(book: &mut Book<'_>, public: &BTreeSet<String>, show_amounts: bool) -> Result<Vec<SharedPayment>, Error> {
    let mut payments = Vec::new();
    for item in upcoming::of_book(book, DAYS).await?.items {
        let known = book.profile(&item.symbol).await?;
        payments.push(SharedPayment {
            name: known.and_then(|profile| profile.stock.name.clone()),
            is_public: public.contains(&item.symbol),
            symbol: item.symbol,
            ex_date: item.ex_date,
            pay_date: item.pay_date,
            declared: item.declared,
            expected: item.owned.filter(|_| show_amounts).map(|owned| owned.expected),
        });
    }
    Ok(payments)
}
