//! Why an entry cannot be recorded: data only; `messages` has the texts.

use importers::Describe;
use jiff::civil::Date;
use ledger::ReplayError;

/// Why an entry cannot be recorded, and which field is the cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub field: &'static str,
    pub reason: Reason,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A rule of the ledger file.
    Rule(importers::Reason),
    SymbolMissing,
    /// The stock's trading currency is also unknown.
    CurrencyMissing {
        symbol: String,
    },
    /// Neither shares nor price of a reinvested dividend.
    ReinvestmentEmpty,
    /// Shares or price cannot follow from the net amount: it is not above zero, not known, or in another currency.
    NothingToReinvest,
    /// By more than a year.
    FutureDate {
        date: Date,
    },
    /// A payment that is recorded must have been paid.
    NotPaidYet {
        date: Date,
    },
    /// Tax or net of a payment is negative or above its gross.
    NotPartOfGross,
    PortfolioUnknown {
        name: String,
    },
    /// The portfolio already has the same entry.
    Duplicate,
    /// A deleted entry cannot come back: its portfolio was deleted, too.
    PortfolioDeleted,
    /// A deleted entry cannot come back: its import was undone.
    ImportUndone,
    /// With this entry, the shares, rates or amounts of its lot do not add up.
    Inconsistent {
        symbol: String,
        cause: ReplayError,
    },
    /// The same, but another entry is the cause.
    BreaksOther {
        symbol: String,
        cause: ReplayError,
    },
    /// Without it, other entries do not add up.
    Needed {
        symbol: String,
        cause: ReplayError,
    },
}

impl Reason {
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Rule(rule) => rule.code(),
            Reason::SymbolMissing => "symbol_missing",
            Reason::CurrencyMissing { .. } => "currency_missing",
            Reason::ReinvestmentEmpty => "reinvestment_empty",
            Reason::NothingToReinvest => "nothing_to_reinvest",
            Reason::FutureDate { .. } => "future_date",
            Reason::NotPaidYet { .. } => "not_paid_yet",
            Reason::NotPartOfGross => "not_part_of_gross",
            Reason::PortfolioUnknown { .. } => "portfolio_unknown",
            Reason::Duplicate => "duplicate",
            Reason::PortfolioDeleted => "portfolio_deleted",
            Reason::ImportUndone => "import_undone",
            Reason::Inconsistent { .. } => "inconsistent",
            Reason::BreaksOther { .. } => "breaks_other",
            Reason::Needed { .. } => "needed",
        }
    }

    /// Whether its text begins with the name of the field.
    pub fn names_its_field(&self) -> bool {
        matches!(self, Reason::Rule(rule) if rule.fields().iter().any(|(name, _)| *name == "column"))
    }
}
