//! One history, walked through day by day.

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::dates::days_between;
use crate::upcoming::{announced, next_ex};
use crate::{Currency, Facts, Frequency, Fx, History, MarketDividend, Metrics, PayerKind, Payment, Split, metrics};

/// Rules are chosen on one half of the symbols, and judged on the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Half {
    Choosing,
    Judging,
}

impl Half {
    /// By a hash of the symbol (32-bit FNV-1a): even or odd.
    pub fn of(symbol: &str) -> Half {
        let hash = symbol.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        if hash.is_multiple_of(2) { Half::Choosing } else { Half::Judging }
    }
}

/// What is known today of one stock.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    pub symbol: String,
    pub currency: Currency,
    pub fund: bool,
    pub dividends: Vec<MarketDividend>,
    pub splits: Vec<Split>,
    /// The last day up to which every payment is known: a stock that paid nothing until then has stopped.
    pub until: Date,
}

/// An ex-date, and its estimate on the day after the payment before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExDate {
    pub half: Half,
    pub frequency: Frequency,
    pub fund: bool,
    /// How many payments were known, without specials.
    pub known: usize,
    pub estimate: Date,
    pub ex_date: Date,
    /// Whether the stock counted as stopped on the day before, so that its estimate was no longer shown.
    pub resumed: bool,
}

impl ExDate {
    pub fn days_off(&self) -> u64 {
        days_between(self.ex_date, self.estimate).unsigned_abs()
    }
}

/// A forward rate on the first day of a month, and what was paid in the twelve months after it, per share of that day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct YearAhead {
    pub half: Half,
    pub day: Date,
    pub kind: PayerKind,
    pub forward_rate: Decimal,
    pub paid: Decimal,
}

impl YearAhead {
    /// As a fraction of what was paid; `None` if nothing was, which is infinitely wrong.
    pub fn error(&self) -> Option<Decimal> {
        self.forward_rate.checked_sub(self.paid)?.abs().checked_div(self.paid)
    }
}

impl Record {
    pub fn half(&self) -> Half {
        Half::of(&self.symbol)
    }

    /// The payments without specials, by ex-date; of all currencies.
    pub fn payments(&self) -> Vec<Payment> {
        let history = History::new(&self.dividends, &self.splits, self.currency, self.fund, self.until);
        history.payments.into_iter().filter(|payment| !payment.special && payment.ex_date <= self.until).collect()
    }

    /// Every payment for which there was an estimate.
    pub fn ex_dates(&self) -> Vec<ExDate> {
        let payments = self.payments();
        let measured = |(before, pair): (usize, &[Payment])| {
            let (last, ex_date) = (pair[0].ex_date, pair[1].ex_date);
            let day_after = last.saturating_add(1.day());
            let then = self.metrics(last, day_after);
            let (frequency, estimate) = (then.frequency?, next_ex(&then, day_after)?.ex_date);
            let resumed = self.metrics(last, ex_date.saturating_sub(1.day())).stopped;
            Some(ExDate { half: self.half(), frequency, fund: self.fund, known: before + 1, estimate, ex_date, resumed })
        };
        payments.windows(2).enumerate().filter_map(measured).collect()
    }

    /// Every first day of a month on which the stock had a forward rate, if the next twelve months are known.
    pub fn years_ahead(&self) -> Vec<YearAhead> {
        let payments = self.payments();
        let Some(first) = payments.first() else { return Vec::new() };
        let months = (1..).map(|months: i32| first.ex_date.first_of_month().saturating_add(months.months()));
        let days = months.take_while(|day| day.saturating_add(1.year()) <= self.until);
        days.filter_map(|day| {
            let then = self.metrics(day, day);
            let paid = self.paid_after(&payments, day, then.rate_currency)?;
            then.frequency.filter(|_| !then.forward_rate.is_zero())?;
            Some(YearAhead { half: self.half(), day, kind: then.kind, forward_rate: then.forward_rate, paid })
        })
        .collect()
    }

    /// In the twelve months after `day`; `None` if it cannot be compared, because a payment is in another currency.
    fn paid_after(&self, payments: &[Payment], day: Date, currency: Currency) -> Option<Decimal> {
        let year = payments.iter().filter(|payment| day < payment.ex_date && payment.ex_date <= day.saturating_add(1.year()));
        year.map(|payment| {
            let shares = announced(&self.splits, day, payment.ex_date)?;
            payment.paid_amount.checked_mul(shares).filter(|_| payment.currency == currency)
        })
        .try_fold(Decimal::ZERO, |sum, amount| sum.checked_add(amount?))
    }

    /// The stock as it looked on a day, with the payments up to `last`.
    fn metrics(&self, last: Date, today: Date) -> Metrics {
        let facts = Facts {
            currency: self.currency,
            dividends: self.dividends.iter().filter(|row| row.ex_date <= last).copied().collect(),
            splits: self.splits.iter().filter(|split| split.date <= today).copied().collect(),
            closes: Vec::new(),
            price: None,
            forward_rate: None,
            payout_ratio: None,
            fcf_cover: None,
            pe: None,
            ma50: None,
            ma200: None,
            low52: None,
            high52: None,
            yield_avg_5y_pct: None,
            fund: self.fund,
            lenient_payout: false,
        };
        metrics(&facts, &Fx::default(), today)
    }
}
