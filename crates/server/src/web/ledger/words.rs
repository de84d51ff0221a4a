//! Words of the ledger: kinds, sources, and reasons in the language of a page instead of a file's.

use app::entries::{self, Kind, Reason};
use ledger::Money;
use messages::web::Texts;

use super::form::Problem;
use crate::web::sentence::{localized, sentence};
use crate::web::visitor::Visitor;

pub fn kind(t: &'static Texts, kind: Kind) -> &'static str {
    match kind {
        Kind::Buy => t.ledger.buy,
        Kind::Sell => t.ledger.sell,
        Kind::Dividend => t.ledger.dividend,
        Kind::Split => t.ledger.split,
        Kind::TransferIn => t.ledger.transfer_in,
        Kind::TransferOut => t.ledger.transfer_out,
        Kind::ReturnOfCapital => t.ledger.return_of_capital,
    }
}

/// What a format is called; what is none is named as it is.
pub fn source(t: &'static Texts, source: &str) -> String {
    match source.strip_prefix("import:").unwrap_or(source) {
        "manual" => t.ledger.by_hand.to_owned(),
        "unknown" => t.import.format_unknown.to_owned(),
        "generic" => t.import.format_table.to_owned(),
        name => app::import::formats().find(|(known, _)| *known == name).map_or(name, |(_, about)| about).to_owned(),
    }
}

pub fn field(t: &'static Texts, field: &str) -> &'static str {
    match field {
        "portfolio" => t.shell.portfolio,
        "date" => t.ledger.date,
        "kind" => t.ledger.kind,
        "symbol" => t.ledger.symbol,
        "shares" => t.ledger.shares,
        "price" => t.ledger.price,
        "amount" => t.ledger.amount,
        "fees" => t.ledger.fees,
        "tax" => t.ledger.tax,
        "net" => t.ledger.net,
        "ratio" => t.ledger.ratio,
        "currency" => t.ledger.currency,
        "fx_rate" => t.ledger.fx_rate,
        "ex_date" => t.ledger.ex_date,
        "note" => t.ledger.note,
        _ => t.ledger.entry,
    }
}

/// Without the zeros that multiplying leaves behind.
pub fn tidy(money: Money) -> Money {
    Money::new(money.amount.normalize(), money.currency)
}

/// A reason for somebody who sees fields with labels, and never wrote a mapping: a sentence that names no column of a ledger
/// file, and ends before what only a mapping would say.
pub fn reason(t: &'static Texts, reason: &str) -> String {
    let plain = [
        ("fx_rate", t.ledger.fx_rate_in_words),
        ("ex_date", t.ledger.ex_date_in_words),
        ("transfer_in", t.ledger.transfer_in_in_words),
        ("transfer_out", t.ledger.transfer_out_in_words),
        ("return_of_capital", t.ledger.return_of_capital_in_words),
        ("the slug", t.portfolios.slug_in_words),
        ("by slug", t.portfolios.by_slug_in_words),
    ];
    sentence(&plain.iter().fold(without_mapping(reason).to_owned(), |told, (name, words)| told.replace(name, words)))
}

/// What a use case has against an entry, for its reader.
pub fn problems(visitor: &Visitor, problems: &[entries::Problem]) -> Vec<Problem> {
    problems.iter().map(|problem| Problem { field: problem.field, reason: in_words(visitor, problem) }).collect()
}

fn in_words(visitor: &Visitor, problem: &entries::Problem) -> String {
    match &problem.reason {
        Reason::Rule(rule) => localized(&reason(visitor.texts, rule), &visitor.format),
        _ => visitor.problem(problem),
    }
}

/// The name of a field before what is wrong with it; none where that begins with it.
pub fn label(t: &'static Texts, field: &str, reason: &str) -> Option<&'static str> {
    let label = self::field(t, field);
    let begin = reason.to_lowercase();
    let begin = begin.strip_prefix(t.ledger.article).unwrap_or(&begin);
    (!begin.starts_with(&label.to_lowercase()) && !begin.starts_with(field)).then_some(label)
}

fn without_mapping(reason: &str) -> &str {
    let is_setting = |rest: &str| rest.split_whitespace().next().is_some_and(|word| word.contains('='));
    let cut = [" say ", " add "].iter().filter_map(|cue| {
        let at = reason.find(cue)?;
        is_setting(&reason[at + cue.len()..]).then_some(at)
    });
    let end = cut.chain(reason.find("; the mapping so far")).min().unwrap_or(reason.len());
    reason[..end].trim_end_matches([' ', ';', ','])
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_reason_on_a_page_names_no_mapping_setting() {
        let shown = |reason: &str| super::reason(messages::web::texts(""), reason);
        let doubt = "is 03/04/2026 the day 2026-04-03? say dates=day-first if it is, or dates=month-first";
        assert_eq!(shown(doubt), "Is 03/04/2026 the day 2026-04-03?");
        assert_eq!(
            shown("date 03/04/2026 may be two days; add dates=day-first or so to the mapping"),
            "Date 03/04/2026 may be two days."
        );
        assert_eq!(shown("fees say nothing"), "Fees say nothing.");
    }

    #[test]
    fn a_field_label_is_not_repeated() {
        let label = |field: &str, reason: &str| super::label(messages::web::texts(""), field, reason);
        assert_eq!(label("date", "Date 2 Dec 2028 is more than a year ahead."), None);
        assert_eq!(label("fx_rate", "The exchange rate is not above zero."), None);
        assert_eq!(label("price", "Price is below zero."), None);
        assert_eq!(label("shares", "20 QTR leave, but only 15.5 are held then."), Some("Shares"));
    }
}
