//! The dividend's safety rating, with its reasons.

use app::stocks::stock_page::StockPage;
use ledger::{Reason, Safety};
use messages::web::Texts;

use crate::web::format::Html;
use crate::web::visit::Visitor;

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
    let sentence = |reason: &Reason| match (reason, cover.as_deref()) {
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
    let sentences = match safety {
        Safety::Safe => vec![safe_lead(visitor, seen)],
        Safety::Unknown => vec![t.unknown_lead.to_owned()],
        Safety::Watch | Safety::AtRisk => seen.safety_reasons.iter().map(sentence).collect(),
    };
    Assessment {
        class,
        word,
        sentences,
        payout: seen.payout_ratio.map(|ratio| f.rate(ratio)),
        cover: cover.map(|cover| t.times(&cover)),
    }
}

/// Never claims that missing data looks good.
fn safe_lead(visitor: &Visitor, seen: &StockPage) -> String {
    let t = &visitor.texts.stock;
    let missing = [seen.payout_ratio.is_none().then_some(t.payout), seen.fcf_cover.is_none().then_some(t.cover)];
    let missing: Vec<String> = missing.into_iter().flatten().map(str::to_lowercase).collect();
    if missing.is_empty() { t.safe_lead.to_owned() } else { t.safe_partly(missing.join(", ")) }
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
