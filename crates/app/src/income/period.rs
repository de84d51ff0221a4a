//! A period: dividends received and expected, by month and by stock, and the payments that are missing or different.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan;
use jiff::civil::{Date, date};
use ledger::expected::State;
use ledger::received::Sum;
use ledger::{Currency, Decimal, Money};
use uuid::Uuid;

use crate::book::Book;
use crate::income::expected::{self, Expected};
use crate::income::received::{self, StockTotal};
use crate::{App, Error};

#[derive(Clone, Debug)]
pub struct Period {
    /// Both included.
    pub from: Date,
    pub to: Date,
    pub total: Totals,
    /// From the first month with a payment to the last month of the period.
    pub months: Vec<MonthTotals>,
    /// The largest net amount first, then by symbol.
    pub stocks: Vec<StockTotals>,
    /// Newest payment date first, then by symbol.
    pub missing: Vec<Expected>,
    pub different: Vec<Expected>,
    /// Symbols with dividends but without payments in market data.
    pub not_compared: Vec<String>,
    /// How many dividends count their net amount as gross.
    pub net_only: usize,
    /// Left out, because a currency has no exchange rate; by symbol, each once.
    pub unconverted: Vec<(String, Currency)>,
}

/// In the preferred currency, at the rates of the payment dates.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    pub received: Sum,
    /// Gross.
    pub expected: Money,
}

#[derive(Clone, Debug)]
pub struct MonthTotals {
    /// Its first day.
    pub first: Date,
    pub totals: Totals,
}

#[derive(Clone, Debug)]
pub struct StockTotals {
    pub symbol: String,
    pub name: Option<String>,
    pub totals: Totals,
}

/// The first day that can be written with four digits.
const FIRST_DAY: Date = date(0, 1, 1);

/// Without a last day, up to today; without a first one, 24 months.
pub async fn period(
    app: &App,
    user_id: Uuid,
    portfolio: Option<&str>,
    from: Option<Date>,
    to: Option<Date>,
) -> Result<Period, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let to = to.unwrap_or(book.today);
    let last = to.min(book.today);
    let from = from.unwrap_or_else(|| expected::first_day(last).max(FIRST_DAY));
    let received = received::of_book(&mut book, from, last).await?;
    let compared = expected::of_book(&mut book, from, to).await?;
    let nothing = Totals::zero(received.currency);
    let mut total = Totals { received: received.all_time, ..nothing };
    let mut months: BTreeMap<Date, Totals> = BTreeMap::new();
    for year in &received.years {
        for (month, received) in (1_i8..).zip(year.months).filter(|(_, sum)| *sum != nothing.received) {
            months.insert(first_of(year.year, month), Totals { received, ..nothing });
        }
    }
    let of_stock = |stock: StockTotal| (stock.symbol, (stock.name, Totals { received: stock.total, ..nothing }));
    let mut stocks: BTreeMap<String, (Option<String>, Totals)> = received.by_stock.into_iter().map(of_stock).collect();
    let mut unconverted: BTreeSet<(String, Currency)> = received.unconverted.into_iter().collect();
    for payment in &compared.payments {
        let Some(amount) = in_preferred(&book, payment) else {
            unconverted.insert((payment.symbol.clone(), payment.expected.currency));
            continue;
        };
        total.expect(amount)?;
        months.entry(payment.pay_date.first_of_month()).or_insert(nothing).expect(amount)?;
        stocks.entry(payment.symbol.clone()).or_insert_with(|| (payment.name.clone(), nothing)).1.expect(amount)?;
    }
    let mut stocks: Vec<StockTotals> =
        stocks.into_iter().map(|(symbol, (name, totals))| StockTotals { symbol, name, totals }).collect();
    stocks.sort_by_key(|stock| Reverse(stock.totals.received.net.amount));
    let of_state = |state| compared.payments.iter().filter(move |payment| payment.state == state).cloned().collect();
    Ok(Period {
        from,
        to,
        total,
        months: every_month(months, last, nothing),
        stocks,
        missing: of_state(State::Missing),
        different: of_state(State::Different),
        not_compared: compared.not_compared,
        net_only: received.net_only,
        unconverted: unconverted.into_iter().collect(),
    })
}

impl Totals {
    fn zero(currency: Currency) -> Totals {
        Totals { received: Sum::zero(currency), expected: Money::new(Decimal::ZERO, currency) }
    }

    fn expect(&mut self, amount: Decimal) -> Result<(), Error> {
        self.expected.amount = ledger::money::add(self.expected.amount, amount)?;
        Ok(())
    }
}

fn first_of(year: i16, month: i8) -> Date {
    Date::constant(year, month, 1)
}

/// What was expected in the preferred currency, at the rate of the payment date, or of today before it.
fn in_preferred(book: &Book<'_>, payment: &Expected) -> Option<Decimal> {
    let Money { amount, currency } = payment.expected;
    book.fx.convert(amount, currency, book.account.user.preferred_currency, payment.pay_date.min(book.today))
}

/// Those without a payment in between, and up to the last day, are zero.
fn every_month(months: BTreeMap<Date, Totals>, last: Date, nothing: Totals) -> Vec<MonthTotals> {
    let Some((mut first, end)) = months.keys().next().copied().zip(months.keys().next_back().copied()) else {
        return Vec::new();
    };
    let mut every = Vec::new();
    while first <= end.max(last) {
        every.push(MonthTotals { first, totals: months.get(&first).copied().unwrap_or(nothing) });
        first = first.saturating_add(1.month());
    }
    every
}
