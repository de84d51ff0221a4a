//! Refusals, with dates and numbers in the reader's format.

use app::NoSpace;
use app::Refusal;
use app::accounts::mail::LetterWriter;
use app::entries::Problem;
use app::import::{Describe, OpeningChange};
use jiff::civil::Date;
use ledger::{Decimal, Money};
use messages::web::Texts;
use messages::{Language, Notation, errors, import};

use crate::format::Format;
use crate::ledger::words;
use crate::visit::Visitor;

impl Notation for Format {
    fn date(&self, day: Date) -> String {
        self.date_text(day)
    }

    fn decimal(&self, figure: Decimal) -> String {
        self.marked(&figure.normalize().to_string())
    }

    fn money(&self, amount: &Money) -> String {
        self.money_text(amount)
    }
}

impl Notation for Visitor {
    fn date(&self, day: Date) -> String {
        Notation::date(&self.format, day)
    }

    fn decimal(&self, figure: Decimal) -> String {
        Notation::decimal(&self.format, figure)
    }

    fn money(&self, amount: &Money) -> String {
        Notation::money(&self.format, amount)
    }

    fn column(&self, name: &str) -> String {
        words::known_field(self.texts, name).unwrap_or(name).to_owned()
    }
}

impl Visitor {
    pub fn refusal(&self, refusal: &Refusal) -> String {
        errors::refusal(self.language(), self, refusal)
    }

    pub fn error(&self, error: &app::Error) -> String {
        error_text(self.texts, self, error)
    }

    pub fn problem(&self, problem: &Problem) -> String {
        errors::reason(self.language(), self, &problem.reason)
    }

    /// The error in a file or a row, or the reason why a row is skipped.
    pub fn reason(&self, reason: &dyn Describe) -> String {
        import::reason(self.language(), self, reason)
    }

    pub fn opening_change(&self, change: &OpeningChange) -> String {
        import::opening_change(self.language(), self, change)
    }

    /// Writes e-mails in the language of the page.
    pub fn letters(&self) -> LetterWriter {
        messages::mail::writer(self.language())
    }

    pub fn language(&self) -> &'static Language {
        messages::by_preference(self.texts.language)
    }
}

/// Only the administrator learns how full the disk is.
pub fn error_text(t: &'static Texts, notation: &impl Notation, error: &app::Error) -> String {
    match error {
        app::Error::NoSpace(NoSpace::Disk { .. }) => t.error_page.disk_full.to_owned(),
        _ => errors::text(messages::by_preference(t.language), notation, error),
    }
}
