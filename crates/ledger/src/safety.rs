//! The safety rating of a dividend.

use rust_decimal::Decimal;

use crate::Facts;
use crate::growth::YearlyTotals;

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

/// The rule that was violated, at-risk ones first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A yearly total fell more than 2% in one of the last three complete years.
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

/// Input of the rules besides the market data.
pub(crate) struct Signs<'a> {
    /// Has at least one regular payment.
    pub pays: bool,
    pub stopped: bool,
    pub totals: &'a YearlyTotals,
    /// Yield ÷ its five-year average.
    pub relative_yield: Option<Decimal>,
}

/// The rating, and the rules behind it.
pub(crate) fn assess(facts: &Facts, signs: &Signs<'_>) -> (Safety, Vec<Reason>) {
    let covered_by_data = facts.payout_ratio.is_some() || facts.fcf_cover.is_some();
    let judged_by_history = facts.fund && signs.totals.complete.len() >= 3;
    if !signs.pays || !(covered_by_data || judged_by_history) {
        return (Safety::Unknown, Vec::new());
    }
    let broken = |rules: [(Reason, bool); 4]| -> Vec<Reason> {
        rules.into_iter().filter(|(_, broken)| *broken).map(|(reason, _)| reason).collect()
    };
    let at_risk = broken(at_risk_rules(facts, signs));
    if !at_risk.is_empty() {
        return (Safety::AtRisk, at_risk);
    }
    match broken(watch_rules(facts, signs)) {
        none if none.is_empty() => (Safety::Safe, none),
        watch => (Safety::Watch, watch),
    }
}

fn at_risk_rules(facts: &Facts, signs: &Signs<'_>) -> [(Reason, bool); 4] {
    let payout_above = |percent| above(facts.payout_ratio, Decimal::new(percent, 2));
    // Earnings alone are misleading (write-downs are not cash), so cash decides, or else a long record.
    let uncovered = match facts.fcf_cover {
        Some(cover) => cover < Decimal::ONE,
        None => signs.totals.streak_years().is_none_or(|years| years < 5),
    };
    [
        (Reason::Cut, cut(&signs.totals.complete)),
        (Reason::Stopped, signs.stopped),
        (Reason::Uncovered, payout_above(100) && uncovered),
        (Reason::YieldDoubled, above(signs.relative_yield, Decimal::TWO) && payout_above(90)),
    ]
}

fn watch_rules(facts: &Facts, signs: &Signs<'_>) -> [(Reason, bool); 4] {
    let payout_limit = Decimal::new(if facts.lenient_payout { 90 } else { 75 }, 2);
    [
        (Reason::HighPayout, above(facts.payout_ratio, payout_limit)),
        (Reason::ThinCashCover, facts.fcf_cover.is_some_and(|cover| cover < Decimal::new(13, 1))),
        (Reason::YieldRaised, above(signs.relative_yield, Decimal::new(15, 1))),
        (Reason::StreakEnded, signs.totals.streak_years() == Some(0) && signs.totals.streak_before_last() >= 3),
    ]
}

fn above(figure: Option<Decimal>, limit: Decimal) -> bool {
    figure.is_some_and(|figure| figure > limit)
}

fn cut(totals: &[Decimal]) -> bool {
    let fell = |pair: &[Decimal]| pair[0].checked_mul(Decimal::new(98, 2)).is_some_and(|kept| pair[1] < kept);
    totals.windows(2).rev().take(3).any(fell)
}
