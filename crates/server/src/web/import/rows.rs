//! The rows of a plan: what becomes of each, of one fate or all, a hundred at a time.

use app::import::{Becomes, Fate, Report, Row};

use crate::web::format::Html;
use crate::web::ledger::words;
use crate::web::visitor::Visitor;

pub const PER_PAGE: usize = 100;

/// The fates as the address names them.
pub const FATES: [&str; 6] = ["new", "joined", "existing", "repeated", "skipped", "error"];

pub struct Shown {
    pub line: Html,
    pub badge: &'static str,
    pub fate: &'static str,
    pub what: Vec<What>,
    pub reason: Option<String>,
    /// The line as it stands in the file.
    pub quote: Option<String>,
}

pub struct What {
    pub date: Html,
    pub kind: &'static str,
    pub symbol: String,
    pub shares: Option<Html>,
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

pub fn shown(visitor: &Visitor, report: &Report, row: &Row) -> Shown {
    let fate = fate_of(row);
    let reason = match &row.fate {
        Fate::Skipped(reason) | Fate::Error(reason) => Some(visitor.reason(reason)),
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
        badge,
        fate: fate_word(visitor, fate),
        what: row.what.iter().map(|what| becomes(visitor, what)).collect(),
        quote: reason.as_ref().and_then(|_| report.quotes.get(&row.line)).cloned(),
        reason,
    }
}

fn becomes(visitor: &Visitor, what: &Becomes) -> What {
    let f = visitor.format;
    What {
        date: f.date(what.date),
        kind: words::kind(visitor.texts, what.kind),
        symbol: what.symbol.clone(),
        shares: what.shares.map(|shares| f.shares(shares)),
        amount: what.amount.map(|amount| f.recorded(&words::tidy(amount))),
        portfolio: what.portfolio.clone(),
    }
}
