//! Names of types and sources, and reasons in the language of the page.

use app::entries::{self, Kind};
use ledger::Money;
use messages::web::Texts;

use super::form::{Problem, Typed};
use crate::visit::Visitor;

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

/// The name of the type that the form shows.
pub fn kind_of_form(t: &'static Texts, typed: &Typed) -> &'static str {
    if typed.is_opening() { t.ledger.opening } else { kind(t, typed.kind()) }
}

/// The name of a format; other sources are shown as they are.
pub fn source(t: &'static Texts, source: &str) -> String {
    match source.strip_prefix("import:").unwrap_or(source) {
        "manual" => t.ledger.by_hand.to_owned(),
        "automatic" | "automatic:estimated" => t.ledger.automatic.to_owned(),
        "opening" | "opening:estimated" => t.ledger.opening.to_owned(),
        "unknown" => t.import.format_unknown.to_owned(),
        "generic" => t.import.format_table.to_owned(),
        name if app::import::formats().any(|known| known == name) => {
            messages::import::format(messages::by_preference(t.language), name).to_owned()
        }
        name => name.to_owned(),
    }
}

pub fn field(t: &'static Texts, field: &str) -> &'static str {
    known_field(t, field).unwrap_or(t.ledger.entry)
}

/// `None` if neither an entry nor an imported row has such a field.
pub fn known_field(t: &'static Texts, field: &str) -> Option<&'static str> {
    Some(match field {
        "portfolio" => t.shell.portfolio,
        "date" => t.ledger.date,
        "time" => t.import.time,
        "kind" | "type" => t.ledger.kind,
        "symbol" => t.ledger.symbol,
        "isin" => t.import.isin,
        "cusip" => t.import.cusip,
        "name" => t.import.name,
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
        "reinvested_shares" => t.ledger.bought_shares,
        "reinvested_price" => t.ledger.bought_price,
        "note" => t.ledger.note,
        "id" => t.import.id,
        _ => return None,
    })
}

/// Without the trailing zeros that multiplication leaves.
pub fn normalized(money: Money) -> Money {
    Money::new(money.amount.normalize(), money.currency)
}

/// A use case's objections to an entry, as text.
pub fn problems(visitor: &Visitor, problems: &[entries::Problem]) -> Vec<Problem> {
    let written = |problem: &entries::Problem| Problem {
        field: problem.field,
        labelled: problem.reason.names_its_field(),
        reason: visitor.problem(problem),
    };
    problems.iter().map(written).collect()
}

/// The label shown before a problem; `None` if the reason already has it.
pub fn label(t: &'static Texts, problem: &Problem) -> Option<&'static str> {
    (!problem.labelled).then(|| field(t, problem.field))
}
