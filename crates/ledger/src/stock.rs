//! Everything derived from the market data of one stock.

use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::forward::{Forward, payment_months};
use crate::frequency::Rhythm;
use crate::growth::{YearPaid, YearlyTotals};
use crate::safety::{Signs, assess};
use crate::scores::{Parts, safety_points};
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

/// Everything that the figures of a stock are computed from, for those who show or explain them.
pub(crate) struct Workings<'a> {
    pub facts: &'a Facts,
    pub fx: &'a Fx,
    pub today: Date,
    pub history: History,
    pub rhythm: Rhythm,
    pub totals: YearlyTotals,
    pub forward: Forward,
    /// Forward rate ÷ price, exact.
    pub yield_fraction: Option<Decimal>,
    /// Exact; without enough closes, the provider's.
    pub average_pct: Option<Decimal>,
    pub average_of_closes: bool,
    /// Yield ÷ its average.
    pub relative_yield: Option<Decimal>,
}

impl<'a> Workings<'a> {
    pub fn new(facts: &'a Facts, fx: &'a Fx, today: Date) -> Workings<'a> {
        let history = History::new(&facts.dividends, &facts.splits, facts.currency, facts.fund, today);
        let rhythm = Rhythm::of(&history, today);
        let totals = YearlyTotals::of(&history, today);
        let forward = Forward::find(facts, &history, rhythm, fx, today);
        let comparable = Some(forward.rate).filter(|_| forward.currency == facts.currency);
        let yield_fraction = comparable.and_then(|rate| yield_fraction(rate, facts.price, rhythm.stopped));
        let into_trading = |amount| fx.convert(amount, history.currency, facts.currency, today);
        let average = average_5y_pct(&history, rhythm.per_year, &facts.closes, today).and_then(into_trading);
        let average_pct = average.or(facts.yield_avg_5y_pct);
        let relative_yield = relative_yield(yield_fraction.and_then(percent), average_pct);
        let average_of_closes = average.is_some();
        Workings {
            facts,
            fx,
            today,
            history,
            rhythm,
            totals,
            forward,
            yield_fraction,
            average_pct,
            average_of_closes,
            relative_yield,
        }
    }

    pub fn signs(&self) -> Signs<'_> {
        let pays = self.history.regular().next().is_some();
        Signs { pays, stopped: self.rhythm.stopped, totals: &self.totals, relative_yield: self.relative_yield }
    }

    pub fn to_come(&self) -> Vec<Item> {
        let (facts, rate) = (self.facts, Money::new(self.forward.rate, self.forward.currency));
        after_today(&self.history, self.rhythm, rate, &facts.splits, facts.currency, self.fx, self.today)
    }
}

/// A figure without data, or beyond the range of a decimal, is `None`, never a guess.
pub fn metrics(facts: &Facts, fx: &Fx, today: Date) -> Metrics {
    let workings = Workings::new(facts, fx, today);
    let assessment = assess(facts, &workings.signs());
    let to_come = workings.to_come();
    let Workings { history, rhythm, totals, forward, yield_fraction, average_pct, relative_yield, .. } = workings;
    let (cagr_5y, streak_years, safety) = (totals.cagr_5y(), totals.streak_years(), assessment.safety);
    Metrics {
        frequency: rhythm.frequency,
        kind: PayerKind::new(rhythm.frequency, facts.fund, forward.declared),
        payments_per_year: rhythm.per_year,
        stopped: rhythm.stopped,
        forward_rate: forward.rate,
        rate_currency: forward.currency,
        payment_months: payment_months(&history, rhythm),
        streak_years,
        streak_at_least: totals.streak_at_least(),
        cagr_5y,
        growth: totals.growth(),
        years: totals.years,
        yield_pct: yield_fraction.and_then(percent).map(|percent| percent.round_dp(2)),
        yield_fraction,
        yield_avg_5y_pct: average_pct.map(|percent| percent.round_dp(2)),
        relative_yield,
        safety,
        safety_reasons: assessment.reasons(),
        scores: Scores::of(Parts {
            safety: safety_points(safety),
            cagr_5y,
            streak_years: streak_years.map(Decimal::from),
            yield_fraction,
            relative_yield,
            pe: facts.pe,
            price: facts.price,
            low52: facts.low52,
            high52: facts.high52,
            ma50: facts.ma50,
            ma200: facts.ma200,
        }),
        to_come,
        history,
    }
}

fn percent(fraction: Decimal) -> Option<Decimal> {
    fraction.checked_mul(Decimal::ONE_HUNDRED)
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
