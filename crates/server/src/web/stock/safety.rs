//! How safe the dividend looks, and why, in sentences.

use app::stock_page::StockPage;
use ledger::{Reason, Safety};

use crate::web::format::Html;
use crate::web::text::{Texts, fill};
use crate::web::visitor::Visitor;

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
    let sentence = |reason: &Reason| {
        let text = text_of(visitor.texts, *reason, cover.is_some());
        fill(text, &[("payout", &payout), ("cover", cover.as_deref().unwrap_or_default())])
    };
    let sentences = match safety {
        Safety::Safe => vec![t.safe_lead.to_owned()],
        Safety::Unknown => vec![t.unknown_lead.to_owned()],
        Safety::Watch | Safety::AtRisk => seen.safety_reasons.iter().map(sentence).collect(),
    };
    Assessment {
        class,
        word,
        sentences,
        payout: seen.payout_ratio.map(|ratio| f.rate(ratio)),
        cover: cover.map(|cover| fill(t.times, &[("n", &cover)])),
    }
}

/// The class of a badge, and its word.
pub fn badge(t: &'static Texts, safety: Safety) -> (&'static str, &'static str) {
    match safety {
        Safety::Safe => ("safe", t.shell.safe),
        Safety::Watch => ("watch", t.shell.watch),
        Safety::AtRisk => ("at-risk", t.shell.at_risk),
        Safety::Unknown => ("unknown", t.shell.unknown),
    }
}

fn text_of(t: &'static Texts, reason: Reason, cover_known: bool) -> &'static str {
    let t = &t.stock;
    match reason {
        Reason::Cut => t.cut,
        Reason::Stopped => t.stopped,
        Reason::Uncovered if cover_known => t.uncovered,
        Reason::Uncovered => t.uncovered_alone,
        Reason::YieldDoubled => t.yield_doubled,
        Reason::HighPayout => t.high_payout,
        Reason::ThinCashCover => t.thin_cash_cover,
        Reason::YieldRaised => t.yield_raised,
        Reason::StreakEnded => t.streak_ended,
    }
}
