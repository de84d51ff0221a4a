//! How numbers and dates are written in a message: in the reader's format on a page, plainly everywhere else.

use jiff::civil::Date;
use ledger::{Decimal, Money};

pub trait Notation {
    fn date(&self, day: Date) -> String;
    fn decimal(&self, figure: Decimal) -> String;
    fn money(&self, amount: &Money) -> String;

    /// A column of a file, or a field of a form.
    fn column(&self, name: &str) -> String {
        name.to_owned()
    }
}

/// For terminals, programs and logs: 2026-11-02, 15.5, 15.50 EUR.
pub struct Plain;

impl Notation for Plain {
    fn date(&self, day: Date) -> String {
        day.to_string()
    }

    fn decimal(&self, figure: Decimal) -> String {
        figure.normalize().to_string()
    }

    fn money(&self, amount: &Money) -> String {
        format!("{} {}", amount.amount, amount.currency)
    }
}
