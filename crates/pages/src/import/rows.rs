//! The rows of a plan with the outcome of each, filtered by outcome, a hundred per page; and how to fix rows with errors.

use std::collections::{HashMap, HashSet};

use app::import::staged::Upload;
use app::import::{Becomes, Describe, Fate, MissingShares, Reason, Report, Row};
use ledger::{Decimal, Kind};
use rust_decimal::prelude::ToPrimitive;

use crate::format::Html;
use crate::format::figures;
use crate::ledger::words;
use crate::visit::Visitor;

pub const PER_PAGE: usize = 100;

/// The outcomes as they appear in the address.
pub const FATES: [&str; 6] = ["new", "joined", "existing", "repeated", "skipped", "error"];

pub struct Shown {
    pub line: Html,
    /// The same as a number.
    pub number: u64,
    pub badge: &'static str,
    pub fate: &'static str,
    pub what: Vec<What>,
    pub reason: Option<String>,
    /// The line as it is in the file.
    pub quote: Option<String>,
    pub can_skip: bool,
    /// On the first of several rows with the same error: its code, and the label of the button.
    pub skip_all: Option<(&'static str, String)>,
    pub can_include: bool,
    /// On the first of several skipped rows.
    pub include_all: Option<String>,
    pub opening: Option<OpeningForm>,
    pub can_close: bool,
}

/// A suggested opening position.
pub struct OpeningForm {
    pub date: String,
    pub shares: String,
    pub shares_hint: String,
    pub cost_label: String,
}

impl OpeningForm {
    fn of(visitor: &Visitor, missing: &MissingShares) -> OpeningForm {
        let t = &visitor.texts.import;
        OpeningForm {
            date: missing.date.to_string(),
            shares: figures::written(missing.shares, &visitor.format),
            shares_hint: t.opening_shares_hint(missing.symbol.as_str()),
            cost_label: t.opening_cost(missing.currency.code()),
        }
    }
}

/// What can be done about rows, and what was done.
pub struct Fixes {
    /// By line: the codes of errors that can be skipped.
    skippable: HashMap<u64, &'static str>,
    /// By code; those already offered on an earlier row are removed.
    alike: HashMap<&'static str, usize>,
    skipped: usize,
    openings: HashSet<u64>,
}

impl Fixes {
    /// For rows of an import that is done.
    pub fn none() -> Fixes {
        Fixes { skippable: HashMap::new(), alike: HashMap::new(), skipped: 0, openings: HashSet::new() }
    }

    pub fn of(report: &Report, upload: &Upload) -> Fixes {
        let skippable: HashMap<u64, &'static str> = report.skippable().map(|(line, reason)| (line, reason.code())).collect();
        let mut alike = HashMap::new();
        for code in skippable.values() {
            *alike.entry(*code).or_default() += 1;
        }
        let openings = upload.openings.iter().map(|(line, _)| *line).collect();
        Fixes { skippable, alike, skipped: report.skipped_by_user(), openings }
    }
}

pub struct What {
    pub date: Html,
    pub kind: &'static str,
    pub symbol: String,
    pub shares: Option<String>,
    pub amount: Option<Html>,
    pub portfolio: String,
}

pub fn fate_of(row: &Row) -> &'static str {
    match row.fate {
        Fate::New(_) => "new",
        Fate::Part(_) => "joined",
        Fate::Existing => "existing",
        Fate::Repeated(_) => "repeated",
        Fate::Skipped(_) => "skipped",
        Fate::Error(_) => "error",
    }
}

pub fn fate_word(visitor: &Visitor, fate: &str) -> &'static str {
    let t = &visitor.texts.import;
    match fate {
        "new" => t.fate_new,
        "joined" => t.fate_joined,
        "existing" => t.fate_existing,
        "repeated" => t.fate_repeated,
        "skipped" => t.fate_skipped,
        _ => t.fate_error,
    }
}

pub fn shown(visitor: &Visitor, report: &Report, row: &Row, fixes: &mut Fixes) -> Shown {
    let (t, fate) = (&visitor.texts.import, fate_of(row));
    let code = fixes.skippable.get(&row.line).filter(|_| fate == "error").copied();
    let alike = code.and_then(|code| fixes.alike.remove(code)).filter(|alike| *alike > 1);
    let by_user = matches!(row.fate, Fate::Skipped(Reason::SkippedByUser { .. }));
    let all_skipped = if by_user { std::mem::take(&mut fixes.skipped) } else { 0 };
    let missing = report.missing.get(&row.line).filter(|_| fate == "error");
    let reason = match &row.fate {
        Fate::Error(reason) => {
            let oversold = missing.and_then(|missing| oversold(visitor, row, reason, missing));
            oversold.or_else(|| Some(visitor.reason(reason)))
        }
        Fate::Skipped(reason) => Some(visitor.reason(reason)),
        Fate::Repeated(first) => Some(visitor.texts.import.repeats(first.to_string())),
        _ => None,
    };
    let badge = match fate {
        "joined" => "new",
        "repeated" => "existing",
        fate => fate,
    };
    Shown {
        line: visitor.format.number(row.line),
        number: row.line,
        badge,
        fate: fate_word(visitor, fate),
        what: row.what.iter().map(|what| becomes(visitor, what)).collect(),
        quote: reason.as_ref().and_then(|_| report.quotes.get(&row.line)).cloned(),
        reason,
        can_skip: code.is_some(),
        skip_all: code.zip(alike).map(|(code, alike)| (code, t.skip_all(alike))),
        can_include: by_user,
        include_all: (all_skipped > 1).then(|| t.include_all(all_skipped)),
        opening: missing.map(|missing| OpeningForm::of(visitor, missing)),
        can_close: fixes.openings.contains(&row.line) && !by_user && !matches!(row.fate, Fate::Existing | Fate::Repeated(_)),
    }
}

fn shares_text(visitor: &Visitor, shares: Decimal) -> String {
    visitor.format.marked(&ledger::shares_text(shares))
}

pub fn share_count(visitor: &Visitor, shares: Decimal) -> String {
    visitor.texts.import.share_count(shares.to_f64().unwrap_or_default(), shares_text(visitor, shares))
}

/// A short text, because the row says the rest.
fn oversold(visitor: &Visitor, row: &Row, reason: &Reason, missing: &MissingShares) -> Option<String> {
    let Reason::Ledger(_) = reason else { return None };
    let (t, shares) = (&visitor.texts.import, shares_text(visitor, missing.short));
    let number = missing.short.to_f64()?;
    match row.what.last()?.kind {
        Kind::Sell => Some(t.sold_missing(number, shares)),
        Kind::TransferOut => Some(t.moved_missing(number, shares)),
        _ => None,
    }
}

fn becomes(visitor: &Visitor, what: &Becomes) -> What {
    let f = visitor.format;
    What {
        date: f.date(what.date),
        kind: words::kind(visitor.texts, what.kind),
        symbol: what.symbol.clone(),
        shares: what.shares.map(|shares| share_count(visitor, shares)),
        amount: what.amount.map(|amount| f.recorded(&words::normalized(amount))),
        portfolio: what.portfolio.clone(),
    }
}
