//! Dividends received in one currency: by month and year, by stock, by portfolio, and compared with the previous year.

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::money::add;
use crate::{Currency, Fx, Money, Overflow};

/// A recorded dividend in its own currency.
#[derive(Clone, PartialEq, Debug)]
pub struct Receipt {
    pub symbol: String,
    pub portfolio: String,
    /// The pay date.
    pub date: Date,
    pub currency: Currency,
    pub gross: Decimal,
    pub net: Decimal,
    /// False if only the net is known; `gross` then repeats it.
    pub gross_known: bool,
}

/// Figures in one currency, each dividend at the rate of its payment date; not rounded.
#[derive(Clone, PartialEq, Debug)]
pub struct Received {
    pub currency: Currency,
    /// All years from the first with a dividend to the current one, oldest first.
    pub years: Vec<YearTotals>,
    /// The largest net amount first.
    pub by_stock: Vec<PartTotals>,
    /// The largest net amount first.
    pub by_portfolio: Vec<PartTotals>,
    /// All dividends up to today.
    pub all_time: Sum,
    /// The year that ends today.
    pub last_12_months: Sum,
    /// The year before that.
    pub before_12: Sum,
    /// Net of the last twelve months ÷ net of the previous twelve − 1; `None` if those have no net.
    pub growth: Option<Decimal>,
    /// Not included because there is no exchange rate; by symbol, each once.
    pub unconverted: Vec<(String, Currency)>,
    /// How many dividends count their net as gross.
    pub net_only: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum {
    pub gross: Money,
    pub net: Money,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YearTotals {
    pub year: i16,
    /// January first.
    pub months: [Sum; 12],
    pub total: Sum,
}

/// Dividends of one stock or one portfolio.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartTotals {
    /// The symbol, or the portfolio's name.
    pub key: String,
    pub total: Sum,
    /// Years with a dividend, oldest first.
    pub years: Vec<(i16, Sum)>,
}

/// Dividends dated after today have not been received yet.
pub fn received(receipts: &[Receipt], currency: Currency, fx: &Fx, today: Date) -> Result<Received, Overflow> {
    let mut booked = Vec::new();
    let mut unconverted = BTreeSet::new();
    for receipt in receipts.iter().filter(|receipt| receipt.date <= today) {
        match sum_of(receipt, currency, fx)? {
            Some(sum) => booked.push((receipt, sum)),
            None => drop(unconverted.insert((receipt.symbol.clone(), receipt.currency))),
        }
    }
    let year_ago = today.saturating_sub(1.year());
    let between = |after: Date, until: Date| total(&booked, currency, |date| date > after && date <= until);
    let last_12_months = between(year_ago, today)?;
    let before_12 = between(today.saturating_sub(2.years()), year_ago)?;
    Ok(Received {
        currency,
        years: years(&booked, currency, today)?,
        by_stock: parts(&booked, currency, |receipt| &receipt.symbol)?,
        by_portfolio: parts(&booked, currency, |receipt| &receipt.portfolio)?,
        all_time: total(&booked, currency, |_| true)?,
        growth: growth(last_12_months.net.amount, before_12.net.amount),
        last_12_months,
        before_12,
        unconverted: unconverted.into_iter().collect(),
        net_only: booked.iter().filter(|(receipt, _)| !receipt.gross_known).count(),
    })
}

/// Which quarter of the highest month a month reaches, 1 to 4; 0 for a month without income.
pub fn quarter(month: Decimal, highest: Decimal) -> u8 {
    let reached = crate::share(month, highest).and_then(|share| share.checked_mul(Decimal::from(4))).unwrap_or_default();
    reached.ceil().clamp(Decimal::ZERO, Decimal::from(4)).to_u8().unwrap_or_default()
}

impl Sum {
    pub fn zero(currency: Currency) -> Sum {
        Sum { gross: Money::new(Decimal::ZERO, currency), net: Money::new(Decimal::ZERO, currency) }
    }

    fn plus(self, other: Sum) -> Result<Sum, Overflow> {
        let plus = |a: Money, b: Money| Ok(Money::new(add(a.amount, b.amount)?, a.currency));
        Ok(Sum { gross: plus(self.gross, other.gross)?, net: plus(self.net, other.net)? })
    }
}

type Booked<'a> = (&'a Receipt, Sum);

/// `None` without a rate; an error on overflow.
fn sum_of(receipt: &Receipt, currency: Currency, fx: &Fx) -> Result<Option<Sum>, Overflow> {
    let known = |currency| fx.per_euro(currency, receipt.date).is_some();
    if receipt.currency != currency && !(known(receipt.currency) && known(currency)) {
        return Ok(None);
    }
    let into = |amount| fx.convert(amount, receipt.currency, currency, receipt.date).ok_or(Overflow);
    Ok(Some(Sum { gross: Money::new(into(receipt.gross)?, currency), net: Money::new(into(receipt.net)?, currency) }))
}

fn total(booked: &[Booked<'_>], currency: Currency, counts: impl Fn(Date) -> bool) -> Result<Sum, Overflow> {
    let counted = booked.iter().filter(|(receipt, _)| counts(receipt.date));
    counted.map(|(_, sum)| *sum).try_fold(Sum::zero(currency), Sum::plus)
}

fn years(booked: &[Booked<'_>], currency: Currency, today: Date) -> Result<Vec<YearTotals>, Overflow> {
    let Some(first) = booked.iter().map(|(receipt, _)| receipt.date.year()).min() else { return Ok(Vec::new()) };
    let fresh = |year| YearTotals { year, months: [Sum::zero(currency); 12], total: Sum::zero(currency) };
    let mut years: Vec<YearTotals> = (first..=today.year()).map(fresh).collect();
    for (receipt, sum) in booked {
        let year = &mut years[(receipt.date.year() - first) as usize];
        let month = &mut year.months[receipt.date.month() as usize - 1];
        *month = month.plus(*sum)?;
        year.total = year.total.plus(*sum)?;
    }
    Ok(years)
}

fn parts(booked: &[Booked<'_>], currency: Currency, key: impl Fn(&Receipt) -> &str) -> Result<Vec<PartTotals>, Overflow> {
    let mut by_key: BTreeMap<&str, BTreeMap<i16, Sum>> = BTreeMap::new();
    for (receipt, sum) in booked {
        let of_year = by_key.entry(key(receipt)).or_default().entry(receipt.date.year()).or_insert(Sum::zero(currency));
        *of_year = of_year.plus(*sum)?;
    }
    let part = |(key, years): (&str, BTreeMap<i16, Sum>)| {
        let total = years.values().copied().try_fold(Sum::zero(currency), Sum::plus)?;
        Ok(PartTotals { key: key.to_owned(), total, years: years.into_iter().collect() })
    };
    let mut parts = by_key.into_iter().map(part).collect::<Result<Vec<_>, _>>()?;
    parts.sort_by(|a, b| (b.total.net.amount, &a.key).cmp(&(a.total.net.amount, &b.key)));
    Ok(parts)
}

fn growth(last: Decimal, before: Decimal) -> Option<Decimal> {
    last.checked_div(Some(before).filter(|before| *before > Decimal::ZERO)?)?.checked_sub(Decimal::ONE)
}
