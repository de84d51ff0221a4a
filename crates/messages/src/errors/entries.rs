//! Transactions that cannot be recorded, changed or removed.

use app::entries::{Reason, Similar};
use app::refusal;
use ledger::ReplayError;

use crate::{Language, Notation, import};

crate::texts! { Entry = "error-entry" {
    doubtful, symbol_missing, currency_missing, duplicate;
    unknown(sequence), symbol_unknown(symbol), symbol_similar(symbol, similar), future_date(date), portfolio_unknown(name),
    breaks_other(problem), needed(problem),
    oversold(symbol, date, held), missing_rate(symbol, date, from, to), too_large(symbol),
} }

pub fn refusal(language: &'static Language, refusal: &refusal::Entry) -> String {
    let texts = Entry::load(language);
    match refusal {
        refusal::Entry::Unknown { sequence } => texts.unknown(*sequence),
        refusal::Entry::Doubtful => texts.doubtful.to_owned(),
    }
}

/// What is wrong with one field of an entry.
pub fn reason(language: &'static Language, notation: &dyn Notation, reason: &Reason) -> String {
    let texts = Entry::load(language);
    match reason {
        Reason::Rule(rule) => import::reason(language, notation, rule),
        Reason::SymbolMissing => texts.symbol_missing.to_owned(),
        Reason::SymbolUnknown { symbol, similar } if similar.is_empty() => texts.symbol_unknown(symbol.as_str()),
        Reason::SymbolUnknown { symbol, similar } => texts.symbol_similar(symbol.as_str(), list(similar)),
        Reason::CurrencyMissing { .. } => texts.currency_missing.to_owned(),
        Reason::FutureDate { date } => texts.future_date(notation.date(*date)),
        Reason::PortfolioUnknown { name } => texts.portfolio_unknown(name.as_str()),
        Reason::Duplicate => texts.duplicate.to_owned(),
        Reason::Inconsistent { symbol, cause } => replay(&texts, notation, symbol, cause),
        Reason::BreaksOther { symbol, cause } => texts.breaks_other(replay(&texts, notation, symbol, cause)),
        Reason::Needed { symbol, cause } => texts.needed(replay(&texts, notation, symbol, cause)),
    }
}

/// Why a ledger does not add up.
pub fn inconsistency(language: &'static Language, notation: &dyn Notation, symbol: &str, cause: &ReplayError) -> String {
    replay(&Entry::load(language), notation, symbol, cause)
}

fn replay(texts: &Entry, notation: &dyn Notation, symbol: &str, cause: &ReplayError) -> String {
    match cause {
        ReplayError::Oversold { date, held, .. } => texts.oversold(symbol, notation.date(*date), import::figure(notation, *held)),
        ReplayError::MissingRate { date, from, to, .. } => {
            texts.missing_rate(symbol, notation.date(*date), from.to_string(), to.to_string())
        }
        ReplayError::Overflow => texts.too_large(symbol),
    }
}

fn list(similar: &[Similar]) -> String {
    let named = similar.iter().map(|one| match &one.name {
        Some(name) => format!("{} ({name})", one.symbol),
        None => one.symbol.clone(),
    });
    named.collect::<Vec<_>>().join(", ")
}
