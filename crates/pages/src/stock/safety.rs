//! The dividend's safety rating, with its reasons.

use app::stocks::stock_page::StockPage;
use ledger::{Outcome, Reason, Safety};
use messages::web::Texts;

use crate::format::Html;
use crate::visit::Visitor;

pub struct Assessment {
    pub class: &'static str,
    pub word: &'static str,
    /// At least one.
    pub sentences: Vec<String>,
    pub payout: Option<Html>,
    pub cover: Option<String>,
}

pub fn assessment(visitor: &Visitor, seen: &StockPage) -> Assessment {
    let (t, f) = (&visitor.texts.stock, visitor.format);
    let safety = seen.stock.metrics.safety;
    let (class, word) = badge(visitor.texts, safety);
    let payout = seen.payout_ratio.map(|ratio| f.rate_text(ratio)).unwrap_or_default();
    let cover = seen.fcf_cover.map(|cover| f.marked(&cover.normalize().to_string()));
    let sentence = |reason: Reason| match (reason, cover.as_deref()) {
        (Reason::Cut, _) if seen.stock.metrics.kind.is_fund() => t.cut_fund.to_owned(),
        (Reason::Cut, _) => t.cut.to_owned(),
        (Reason::Stopped, _) => t.stopped.to_owned(),
        (Reason::Uncovered, Some(cover)) => t.uncovered(&payout, cover),
        (Reason::Uncovered, None) => t.uncovered_alone(&payout),
        (Reason::YieldDoubled, _) => t.yield_doubled(&payout),
        (Reason::HighPayout, _) => t.high_payout(&payout),
        (Reason::ThinCashCover, cover) => t.thin_cash_cover(cover.unwrap_or_default()),
        (Reason::YieldRaised, _) => t.yield_raised.to_owned(),
        (Reason::StreakEnded, _) => t.streak_ended.to_owned(),
    };
    let of = |outcome| seen.safety_reasons.iter().filter(move |check| check.outcome == outcome).map(|check| check.reason);
    let names = |outcome| Some(of(outcome).map(|reason| name(visitor, reason)).collect::<Vec<_>>().join(", "));
    let mut sentences: Vec<String> = match safety {
        Safety::Safe => vec![t.safe_lead.to_owned()],
        Safety::Unknown => vec![t.unknown_lead.to_owned()],
        Safety::Watch | Safety::AtRisk => of(Outcome::Fired).map(sentence).collect(),
    };
    sentences.extend(names(Outcome::Passed).filter(|names| !names.is_empty()).map(|names| t.passed(names)));
    sentences.extend(names(Outcome::NotMade).filter(|names| !names.is_empty()).map(|names| t.not_checked(names)));
    Assessment {
        class,
        word,
        sentences,
        payout: seen.payout_ratio.map(|ratio| f.rate(ratio)),
        cover: cover.map(|cover| t.times(&cover)),
    }
}

/// What is checked.
fn name(visitor: &Visitor, reason: Reason) -> &'static str {
    let t = &visitor.texts.stock;
    match reason {
        Reason::Cut => t.check_cut,
        Reason::Stopped => t.check_stopped,
        Reason::Uncovered => t.check_uncovered,
        Reason::YieldDoubled => t.check_yield_doubled,
        Reason::HighPayout => t.check_high_payout,
        Reason::ThinCashCover => t.check_thin_cash_cover,
        Reason::YieldRaised => t.check_yield_raised,
        Reason::StreakEnded => t.check_streak_ended,
    }
}

/// Class and text of a badge.
pub fn badge(t: &'static Texts, safety: Safety) -> (&'static str, &'static str) {
    match safety {
        Safety::Safe => ("safe", t.shell.safe),
        Safety::Watch => ("watch", t.shell.watch),
        Safety::AtRisk => ("at-risk", t.shell.at_risk),
        Safety::Unknown => ("unknown", t.shell.unknown),
    }
}
