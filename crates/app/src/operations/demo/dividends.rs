//! Paid and declared dividends of each stock.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::days::{later, weekday_from, years_before};
use super::level::compounded;
use super::stocks::{Stock, TABLE_DAY};

const YEARS: i32 = 10;

/// Ex-dates up to this many days ahead are declared; later ones are not.
const DECLARED_DAYS: i32 = 30;

/// Days from declaration to ex-date: more than [`DECLARED_DAYS`], or a payment would be known before it is declared.
const NOTICE_DAYS: i32 = 35;

/// Paid in addition to regular dividends, on a separate schedule: symbol, months, day, lag, amount.
const SPECIALS: [(&str, [i8; 4], i8, i32, Decimal); 1] =
    [("MAIN", [3, 6, 9, 12], 20, 7, Decimal::from_parts(30, 0, 0, false, 2))];

pub(super) struct History<'a> {
    pub stock: &'a Stock,
    /// Ascending by ex-date.
    pub payments: Vec<Payment>,
    pub split: Option<Split>,
}

#[derive(Clone, Copy)]
pub(super) struct Payment {
    pub declared: Date,
    pub ex_date: Date,
    pub pay_date: Date,
    /// Per share at the time, in the stock's unit.
    pub amount: Decimal,
    pub special: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Split {
    pub date: Date,
    /// New shares per old share.
    pub factor: Decimal,
}

pub(super) fn history(stock: &Stock, today: Date) -> History<'_> {
    let from = years_before(today, YEARS);
    let until = later(today, DECLARED_DAYS);
    let mut payments: Vec<Payment> = Vec::new();
    for year in from.year() - 1..=until.year() {
        payments.extend(regular(stock, year));
        payments.extend(specials(stock, year));
    }
    payments.retain(|payment| from <= payment.ex_date && payment.ex_date <= until);
    payments.sort_by_key(|payment| payment.ex_date);
    let split = split(stock, &payments, today);
    if let Some(split) = split {
        let before = payments.iter_mut().filter(|payment| payment.ex_date < split.date);
        before.for_each(|payment| payment.amount = payment.amount.saturating_mul(split.factor).normalize());
    }
    History { stock, payments, split }
}

fn regular(stock: &Stock, year: i16) -> impl Iterator<Item = Payment> {
    let raised_in = stock.months.first().copied().unwrap_or(1);
    stock.months.iter().enumerate().filter_map(move |(place, month)| {
        let dividend_year = if *month < raised_in { year - 1 } else { year };
        let table_year = if TABLE_DAY.month() < raised_in { TABLE_DAY.year() - 1 } else { TABLE_DAY.year() };
        let now = *stock.amounts.get(place).or(stock.amounts.first())?;
        let then = now.saturating_mul(compounded(stock.growth, (dividend_year - table_year).into()));
        payment(year, *month, stock.day, stock.lag, then.round_dp(now.scale() + 1).normalize(), false)
    })
}

fn specials(stock: &Stock, year: i16) -> impl Iterator<Item = Payment> {
    let own = SPECIALS.iter().filter(|(symbol, ..)| *symbol == stock.symbol);
    own.flat_map(move |(_, months, day, lag, amount)| {
        months.iter().filter_map(move |month| payment(year, *month, *day, *lag, *amount, true))
    })
}

fn payment(year: i16, month: i8, day: i8, lag: i32, amount: Decimal, special: bool) -> Option<Payment> {
    let ex_date = weekday_from(Date::new(year, month, day).ok()?);
    let pay_date = weekday_from(later(ex_date, lag));
    Some(Payment { declared: later(ex_date, -NOTICE_DAYS), ex_date, pay_date, amount, special })
}

/// On a day without an ex-date, so that it is clear which shares a payment is for.
fn split(stock: &Stock, payments: &[Payment], today: Date) -> Option<Split> {
    let (symbol, factor, days_ago) = super::SPLIT;
    let free = |day: &Date| payments.iter().all(|payment| payment.ex_date != *day);
    let date = (0..).map(|days| weekday_from(later(today, days - days_ago))).find(free)?;
    (stock.symbol == symbol).then_some(Split { date, factor: Decimal::new(factor, 0) })
}

impl History<'_> {
    /// New shares per share of that day.
    pub fn split_factor_since(&self, day: Date) -> Decimal {
        self.split.filter(|split| day < split.date).map_or(Decimal::ONE, |split| split.factor)
    }
}
