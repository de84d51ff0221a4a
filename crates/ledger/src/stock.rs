//! Everything derived from the market data of one stock.

use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::forward::{forward_rate, history_rate, is_declared, payment_months};
use crate::frequency::Rhythm;
use crate::growth::{YearPaid, YearlyTotals};
use crate::safety::{Signs, assess};
use crate::scores::Parts;
use crate::to_come::{Item, after_today};
use crate::yields::{average_5y_pct, yield_fraction};
use crate::{Check, Currency, Facts, Frequency, Fx, History, Money, PayerKind, Safety, Scores};

#[derive(Clone, PartialEq, Debug)]
pub struct Metrics {
    pub history: History,
    /// `None` if unknown or stopped.
    pub frequency: Option<Frequency>,
    pub kind: PayerKind,
    /// Usually those of the frequency; zero without one.
    pub payments_per_year: usize,
    pub stopped: bool,
    /// Per share and year, at today's exchange rate; zero if unknown.
    pub forward_rate: Decimal,
    /// The currency of the forward rate: the trading currency, or that of the payments if there is no exchange rate.
    pub rate_currency: Currency,
    /// Ascending, 1 to 12.
    pub payment_months: Vec<i8>,
    /// Dividends per year, oldest first.
    pub years: Vec<YearPaid>,
    pub streak_years: Option<u32>,
    /// Whether the streak reaches back to the first known year, so that it may be longer.
    pub streak_at_least: bool,
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
    /// The checks behind `safety`.
    pub safety_reasons: Vec<Check>,
    pub scores: Scores,
    /// The payments with an ex-date or payment date from today on, by ex-date: the declared ones, and estimates after them.
    pub to_come: Vec<Item>,
}

/// A figure without data, or beyond the range of a decimal, is `None`, never a guess.
pub fn metrics(facts: &Facts, fx: &Fx, today: Date) -> Metrics {
    let history = History::new(&facts.dividends, &facts.splits, facts.currency, facts.fund, today);
    let rhythm = Rhythm::of(&history, today);
    let totals = YearlyTotals::of(&history, today);
    let pays = history.regular().next().is_some();
    let (forward_rate, rate_currency) = rate_in_trading_currency(facts, &history, rhythm, fx, today);
    let comparable = Some(forward_rate).filter(|_| rate_currency == facts.currency);
    let yield_fraction = comparable.and_then(|rate| yield_fraction(rate, facts.price, rhythm.stopped));
    let into_trading = |amount| fx.convert(amount, history.currency, facts.currency, today);
    let average = average_5y_pct(&history, rhythm.per_year, &facts.closes, today).and_then(into_trading);
    let average_pct = average.or(facts.yield_avg_5y_pct);
    let yield_pct = yield_fraction.and_then(|fraction| fraction.checked_mul(Decimal::ONE_HUNDRED));
    let relative_yield = relative_yield(yield_pct, average_pct);
    let (safety, safety_reasons) = assess(facts, &Signs { pays, stopped: rhythm.stopped, totals: &totals, relative_yield });
    let (cagr_5y, streak_years) = (totals.cagr_5y(), totals.streak_years());
    let rate = Money::new(forward_rate, rate_currency);
    Metrics {
        frequency: rhythm.frequency,
        kind: PayerKind::new(rhythm.frequency, facts.fund, is_declared(&history, rhythm, facts.fund)),
        payments_per_year: rhythm.per_year,
        stopped: rhythm.stopped,
        forward_rate,
        rate_currency,
        payment_months: payment_months(&history, rhythm),
        streak_years,
        streak_at_least: totals.streak_at_least(),
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
        to_come: after_today(&history, rhythm, rate, &facts.splits, facts.currency, fx, today),
        history,
    }
}

/// The forward rate in the trading currency, or in that of the payments if there is no exchange rate. A provider's rate cannot be
/// compared then, so it does not count.
fn rate_in_trading_currency(facts: &Facts, history: &History, rhythm: Rhythm, fx: &Fx, today: Date) -> (Decimal, Currency) {
    if rhythm.stopped {
        return (Decimal::ZERO, facts.currency);
    }
    let Some(own) = history_rate(history, rhythm, facts.fund) else {
        return (forward_rate(None, facts.forward_rate), facts.currency);
    };
    match fx.convert(own, history.currency, facts.currency, today) {
        Some(own) => (forward_rate(Some(own), facts.forward_rate), facts.currency),
        None => (own, history.currency),
    }
}

/// Yield on cost in percent, rounded to 2 decimals; `None` if the two are in different currencies, if the cost is zero, or without
/// a forward rate.
pub fn yield_on_cost_pct(metrics: &Metrics, average_cost: Money) -> Option<Decimal> {
    let comparable = average_cost.currency == metrics.rate_currency;
    let cost = Some(average_cost.amount).filter(|_| comparable);
    let fraction = yield_fraction(metrics.forward_rate, cost, metrics.stopped)?;
    Some(fraction.checked_mul(Decimal::ONE_HUNDRED)?.round_dp_with_strategy(2, RoundingStrategy::MidpointNearestEven))
}

/// `None` if the average is zero.
fn relative_yield(yield_pct: Option<Decimal>, average_pct: Option<Decimal>) -> Option<Decimal> {
    yield_pct?.checked_div(average_pct.filter(|average| *average > Decimal::ZERO)?)
}
