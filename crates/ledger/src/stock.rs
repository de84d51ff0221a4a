//! Everything derived from the market data of one stock.

use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::forward::{forward_rate, payment_months};
use crate::frequency::Rhythm;
use crate::growth::{YearPaid, YearlyTotals};
use crate::safety::{Signs, assess};
use crate::scores::Parts;
use crate::yields::{average_5y_pct, yield_fraction};
use crate::{Currency, Facts, Frequency, Fx, History, Money, Reason, Safety, Scores};

#[derive(Clone, PartialEq, Debug)]
pub struct Metrics {
    pub history: History,
    /// `None` if unknown or stopped.
    pub frequency: Option<Frequency>,
    pub stopped: bool,
    /// Per share and year; zero if unknown.
    pub forward_rate: Decimal,
    /// Ascending, 1 to 12.
    pub payment_months: Vec<i8>,
    /// Dividends per year, oldest first.
    pub years: Vec<YearPaid>,
    pub streak_years: Option<u32>,
    pub cagr_5y: Option<Decimal>,
    /// The projected rate: the five-year growth or the longest shorter one, clamped.
    pub growth: Option<Decimal>,
    /// Rounded to 2 decimals.
    pub yield_pct: Option<Decimal>,
    /// Exact.
    pub yield_fraction: Option<Decimal>,
    /// Rounded to 2 decimals.
    pub yield_avg_5y_pct: Option<Decimal>,
    /// Yield ÷ its five-year average, exact.
    pub relative_yield: Option<Decimal>,
    pub safety: Safety,
    /// The rules that set `safety` to watch or at risk.
    pub safety_reasons: Vec<Reason>,
    pub scores: Scores,
    /// The next declared ex-date on or after today, else the last known one.
    pub ex_dividend_date: Option<Date>,
}

/// A figure without data, or beyond the range of a decimal, is `None`, never a guess.
pub fn metrics(facts: &Facts, fx: &Fx, today: Date) -> Metrics {
    let history = History::new(&facts.dividends, &facts.splits, facts.currency, fx, today);
    let rhythm = Rhythm::of(&history, today);
    let payments_per_year = rhythm.payments_per_year();
    let totals = YearlyTotals::of(&history, payments_per_year, today);
    let pays = history.regular().next().is_some();
    let forward_rate = forward_rate(&history, rhythm, facts.forward_rate);
    let yield_fraction = yield_fraction(forward_rate, facts.price, pays);
    let average_pct = average_5y_pct(&history, payments_per_year, &facts.closes, today).or(facts.yield_avg_5y_pct);
    let yield_pct = yield_fraction.and_then(|fraction| fraction.checked_mul(Decimal::ONE_HUNDRED));
    let relative_yield = relative_yield(yield_pct, average_pct);
    let (safety, safety_reasons) = assess(facts, &Signs { pays, stopped: rhythm.stopped, totals: &totals, relative_yield });
    let (cagr_5y, streak_years) = (totals.cagr_5y(), totals.streak_years());
    Metrics {
        frequency: rhythm.frequency(),
        stopped: rhythm.stopped,
        forward_rate,
        payment_months: payment_months(&history, rhythm),
        streak_years,
        cagr_5y,
        growth: totals.growth(),
        years: totals.years,
        yield_pct: yield_pct.map(|percent| percent.round_dp(2)),
        yield_fraction,
        yield_avg_5y_pct: average_pct.map(|percent| percent.round_dp(2)),
        relative_yield,
        safety,
        safety_reasons,
        scores: Scores::of(facts, &Parts { safety, cagr_5y, streak_years, yield_fraction, relative_yield }),
        ex_dividend_date: ex_dividend_date(&history, today),
        history,
    }
}

/// Yield on cost in percent, rounded to 2 decimals; `None` if the two are in different currencies, if the cost is zero, or for a
/// stock that never paid.
pub fn yield_on_cost_pct(metrics: &Metrics, trading: Currency, average_cost: Money) -> Option<Decimal> {
    let comparable = average_cost.currency == trading;
    let pays = metrics.history.regular().next().is_some();
    let fraction = yield_fraction(metrics.forward_rate, Some(average_cost.amount).filter(|_| comparable), pays)?;
    Some(fraction.checked_mul(Decimal::ONE_HUNDRED)?.round_dp_with_strategy(2, RoundingStrategy::MidpointNearestEven))
}

/// `None` if the average is zero.
fn relative_yield(yield_pct: Option<Decimal>, average_pct: Option<Decimal>) -> Option<Decimal> {
    yield_pct?.checked_div(average_pct.filter(|average| *average > Decimal::ZERO)?)
}

fn ex_dividend_date(history: &History, today: Date) -> Option<Date> {
    let ex_dates = || history.payments.iter().map(|payment| payment.ex_date);
    ex_dates().find(|date| *date >= today).or_else(|| ex_dates().next_back())
}
