//! Refusals, as the reader of a page writes days and figures.

use app::Refusal;
use app::entries::Problem;
use app::import::Describe;
use jiff::civil::Date;
use ledger::{Decimal, Money};
use messages::{Language, Notation, errors, import};

use super::ledger::words;
use super::visitor::Visitor;

impl Notation for Visitor {
    fn date(&self, day: Date) -> String {
        self.format.date_text(day)
    }

    fn decimal(&self, figure: Decimal) -> String {
        self.format.marked(&figure.normalize().to_string())
    }

    fn money(&self, amount: &Money) -> String {
        self.format.money_text(amount)
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
        errors::text(self.language(), self, error)
    }

    pub fn problem(&self, problem: &Problem) -> String {
        errors::reason(self.language(), self, &problem.reason)
    }

    /// What is wrong with a file or a row of it, or why a row is skipped.
    pub fn reason(&self, reason: &dyn Describe) -> String {
        import::reason(self.language(), self, reason)
    }

    pub fn language(&self) -> &'static Language {
        messages::by_preference(self.texts.language)
    }
}
