//! The safety rating of a dividend.

use rust_decimal::Decimal;

use crate::Facts;
use crate::growth::{YearPaid, YearlyTotals};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Safety {
    Safe,
    Watch,
    AtRisk,
    Unknown,
}

impl Safety {
    pub fn as_str(self) -> &'static str {
        match self {
            Safety::Safe => "safe",
            Safety::Watch => "watch",
            Safety::AtRisk => "at_risk",
            Safety::Unknown => "unknown",
        }
    }
}

/// What is checked, at-risk rules first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A yearly total fell more than 2% in one of the last three complete years; for a fund, more than 15%.
    Cut,
    /// Nothing paid or declared for much longer than usual.
    Stopped,
    /// More was paid out than earned, and free cash flow does not cover it either.
    Uncovered,
    /// The yield is more than twice its average while over 90% of earnings are paid out.
    YieldDoubled,
    HighPayout,
    ThinCashCover,
    /// The yield is more than one and a half times its average.
    YieldRaised,
    /// The last complete year was not above the previous one, after three or more years of increases.
    StreakEnded,
}

impl Reason {
    pub fn code(self) -> &'static str {
        match self {
            Reason::Cut => "cut",
            Reason::Stopped => "stopped",
            Reason::Uncovered => "uncovered",
            Reason::YieldDoubled => "yield_doubled",
            Reason::HighPayout => "high_payout",
            Reason::ThinCashCover => "thin_cash_cover",
            Reason::YieldRaised => "yield_raised",
            Reason::StreakEnded => "streak_ended",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    Fired,
    Passed,
    /// The data for it is missing.
    NotMade,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Fired => "fired",
            Outcome::Passed => "passed",
            Outcome::NotMade => "not_made",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Check {
    pub reason: Reason,
    pub outcome: Outcome,
}

/// Input of the rules besides the market data.
pub(crate) struct Signs<'a> {
    /// Has at least one regular payment.
    pub pays: bool,
    pub stopped: bool,
    pub totals: &'a YearlyTotals,
    /// Yield ÷ its five-year average.
    pub relative_yield: Option<Decimal>,
}

/// The rating, and all checks behind it: four of each rating, at-risk first. None if there is too little data.
pub(crate) struct Assessment {
    pub safety: Safety,
    pub checks: Option<[Check; 8]>,
}

impl Assessment {
    /// The checks that fired, those that could not be made and, for a safe dividend, those that it passed.
    pub fn reasons(&self) -> Vec<Check> {
        let named = |check: &Check| self.safety == Safety::Safe || check.outcome != Outcome::Passed;
        self.checks.into_iter().flatten().filter(named).collect()
    }
}

pub(crate) fn assess(facts: &Facts, signs: &Signs<'_>) -> Assessment {
    let covered_by_data = facts.payout_ratio.is_some() || facts.fcf_cover.is_some();
    let judged_by_history = facts.fund && signs.totals.complete() >= YEARS_OF_FUND_MIN;
    if !signs.pays || !(covered_by_data || judged_by_history) {
        return Assessment { safety: Safety::Unknown, checks: None };
    }
    let ([cut, stopped, uncovered, doubled], [payout, cover, raised, ended]) =
        (checks(at_risk_rules(facts, signs)), checks(watch_rules(facts, signs)));
    let checks = [cut, stopped, uncovered, doubled, payout, cover, raised, ended];
    Assessment { safety: rating(&checks), checks: Some(checks) }
}

const YEARS_OF_FUND_MIN: usize = 3;

fn rating(checks: &[Check; 8]) -> Safety {
    let (at_risk, watch) = checks.split_at(4);
    let fired = |checks: &[Check]| checks.iter().any(|check| check.outcome == Outcome::Fired);
    match (fired(at_risk), fired(watch)) {
        (true, _) => Safety::AtRisk,
        (false, true) => Safety::Watch,
        (false, false) => Safety::Safe,
    }
}

fn checks(rules: [(Reason, Option<bool>); 4]) -> [Check; 4] {
    rules.map(|(reason, fired)| {
        let outcome = match fired {
            Some(true) => Outcome::Fired,
            Some(false) => Outcome::Passed,
            None => Outcome::NotMade,
        };
        Check { reason, outcome }
    })
}

/// Whether each rule is broken; `None` without the data for it.
fn at_risk_rules(facts: &Facts, signs: &Signs<'_>) -> [(Reason, Option<bool>); 4] {
    let payout_above = |percent| facts.payout_ratio.map(|payout| payout > Decimal::new(percent, 2));
    // Earnings alone are misleading (write-downs are not cash), so cash decides, or else a long record.
    let uncovered = match facts.fcf_cover {
        Some(cover) => cover < Decimal::ONE,
        None => signs.totals.streak_years().is_none_or(|years| years < LONG_STREAK_MIN),
    };
    let doubled = signs.relative_yield.map(|relative| relative > Decimal::TWO);
    [
        (Reason::Cut, cut(&signs.totals.compared, facts.fund)),
        (Reason::Stopped, Some(signs.stopped)),
        (Reason::Uncovered, payout_above(100).map(|above| above && uncovered)),
        (Reason::YieldDoubled, doubled.zip(payout_above(90)).map(|(doubled, above)| doubled && above)),
    ]
}

fn watch_rules(facts: &Facts, signs: &Signs<'_>) -> [(Reason, Option<bool>); 4] {
    let ended = |years| years == 0 && signs.totals.streak_before_last() >= STREAK_TO_END_MIN;
    [
        (Reason::HighPayout, facts.payout_ratio.map(|payout| payout > payout_max(facts))),
        (Reason::ThinCashCover, facts.fcf_cover.map(|cover| cover < COVER_MIN)),
        (Reason::YieldRaised, signs.relative_yield.map(|relative| relative > RAISED_ABOVE)),
        (Reason::StreakEnded, signs.totals.streak_years().map(ended)),
    ]
}

pub(crate) const COVER_MIN: Decimal = Decimal::from_parts(13, 0, 0, false, 1);
pub(crate) const RAISED_ABOVE: Decimal = Decimal::from_parts(15, 0, 0, false, 1);
pub(crate) const STREAK_TO_END_MIN: u32 = 3;
pub(crate) const LONG_STREAK_MIN: u32 = 5;

pub(crate) fn payout_max(facts: &Facts) -> Decimal {
    Decimal::new(if facts.lenient_payout { 90 } else { 75 }, 2)
}

/// The part of a year's total that the next year must keep. The distributions of funds vary, so only a deep fall is a cut.
pub(crate) fn kept_min(fund: bool) -> Decimal {
    Decimal::new(if fund { 85 } else { 98 }, 2)
}

/// The years that are compared to find a cut: the last three calendar years, and the one before them.
pub(crate) fn recent(years: &[YearPaid]) -> &[YearPaid] {
    let Some(last) = years.last() else { return years };
    let first = years.partition_point(|year| year.year <= last.year - 3);
    &years[first.saturating_sub(1)..]
}

fn cut(years: &[YearPaid], fund: bool) -> Option<bool> {
    let fell = |pair: &[YearPaid]| pair[0].total.checked_mul(kept_min(fund)).is_some_and(|least| pair[1].total < least);
    (years.len() >= 2).then(|| recent(years).windows(2).any(fell))
}
