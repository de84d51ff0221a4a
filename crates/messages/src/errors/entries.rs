//! Transactions that cannot be recorded, changed or removed.

use app::entries::Reason;
use app::refusal::Entry;
use ledger::ReplayError;

use crate::{Keys, Notation, described, import};

pub const KEYS: &[Keys] = &[REFUSAL, REASON, REPLAY];

described! { REFUSAL = "error-entry": pub fn refusal(language; Entry) {
    Unknown { sequence } => unknown(sequence),
    Doubtful => doubtful,
    NoneSelected => none_selected,
    TooManySelected { max } => too_many_selected(max),
    ListChanged => list_changed,
    NotRestorable => not_restorable,
} }

described! {
    /// What is wrong with one field of an entry.
    REASON = "error-entry": pub fn reason(language, notation: &dyn Notation; Reason) {
    SymbolMissing => symbol_missing,
    CurrencyMissing { .. } => currency_missing,
    ReinvestmentEmpty => reinvestment_empty,
    NothingToReinvest => nothing_to_reinvest,
    FutureDate { date } => future_date(date = notation.date(*date)),
    NotPaidYet { date } => not_paid_yet(date = notation.date(*date)),
    NotPartOfGross => not_part_of_gross,
    PortfolioUnknown { name } => portfolio_unknown(name),
    Duplicate => duplicate,
    PortfolioDeleted => portfolio_deleted,
    ImportUndone => import_undone,
    BreaksOther { symbol, cause } => breaks_other(problem = inconsistency(language, notation, symbol, cause)),
    Needed { symbol, cause } => needed(problem = inconsistency(language, notation, symbol, cause));
    Rule(rule) => import::reason(language, notation, rule),
    Inconsistent { symbol, cause } => inconsistency(language, notation, symbol, cause),
} }

described! {
    /// Why a ledger does not add up.
    REPLAY = "error-entry": pub fn inconsistency(language, notation: &dyn Notation, symbol: &str; ReplayError) {
    Oversold { date, held, .. } => oversold(symbol, date = notation.date(*date), held = import::figure(notation, *held)),
    MissingRate { date, from, to, .. } => missing_rate(symbol, date = notation.date(*date), from, to),
    Overflow => too_large(symbol),
} }
