//! Numbers as people type them, with the separators of their number format. A number that can be read in two ways is refused, and
//! the message says how to write it.

use ledger::{Decimal, Money};
use messages::web::Texts;

use crate::web::format::Format;

/// Why a text is not accepted as a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FigureError {
    Malformed {
        example: String,
    },
    /// A thousands separator, or a decimal mark before three decimals: how to write either number.
    Ambiguous {
        text: String,
        large: String,
        small: String,
    },
    TooLong {
        text: String,
    },
}

impl FigureError {
    pub fn text(&self, t: &'static Texts) -> String {
        match self {
            FigureError::Malformed { example } => t.ledger.no_figure(example),
            FigureError::Ambiguous { text, large, small } => t.ledger.two_ways(text, large, small),
            FigureError::TooLong { text } => t.ledger.too_long(text),
        }
    }
}

pub fn parse(text: &str, format: &Format) -> Result<Decimal, FigureError> {
    let (text, marks) = (text.trim(), Marks::of(format));
    let (minus, digits) = unsigned(text);
    let plain = marks.plain(digits).map_err(|wrong| wrong.error(text, &marks))?;
    let signed = if minus { format!("-{plain}") } else { plain };
    Decimal::from_str_exact(&signed).map_err(|_| FigureError::TooLong { text: text.to_owned() })
}

/// As shown in a field: without thousands separators, so that it reads back unchanged.
pub fn written(figure: Decimal, format: &Format) -> String {
    figure.normalize().to_string().replace('.', &Marks::of(format).decimal.to_string())
}

/// An amount in a field, with at least the decimals of its currency.
pub fn written_money(money: &Money, format: &Format) -> String {
    money.recorded_text().replace('.', &Marks::of(format).decimal.to_string())
}

struct Marks {
    decimal: char,
    group: char,
}

enum Wrong {
    /// A thousands separator, or a decimal mark before three decimals.
    Ambiguous(String),
    Odd,
}

impl Marks {
    fn of(format: &Format) -> Marks {
        let mark = |text: &str, otherwise: char| format.marked(text).chars().nth(1).unwrap_or(otherwise);
        Marks { decimal: mark("0.1", '.'), group: mark("1000", ',') }
    }

    /// With a decimal point and no thousands separators.
    fn plain(&self, digits: &str) -> Result<String, Wrong> {
        let (whole, decimals) = match digits.split_once(self.decimal) {
            Some((whole, decimals)) => (whole, Some(decimals)),
            None => (digits, None),
        };
        let groups: Vec<&str> = whole.split(|letter: char| self.groups(letter)).collect();
        let joined = groups.concat();
        if joined.is_empty()
            || !all_digits(&joined)
            || decimals.is_some_and(|decimals| decimals.is_empty() || !all_digits(decimals))
        {
            return Err(Wrong::Odd);
        }
        if groups.len() > 1 && !grouped(&groups) {
            return Err(Wrong::Odd);
        }
        // Elsewhere, a point or comma before the last three digits is a decimal mark; spaces and apostrophes never are.
        if groups.len() == 2 && decimals.is_none() && whole.contains(['.', ',']) {
            return Err(Wrong::Ambiguous(format!("{}{}{}", groups[0], self.decimal, groups[1])));
        }
        Ok(decimals.map_or(joined.clone(), |decimals| format!("{joined}.{decimals}")))
    }

    fn groups(&self, letter: char) -> bool {
        let alike = |one: &str| one.contains(self.group) && one.contains(letter);
        letter == self.group || alike("\u{202f}\u{a0} ") || alike("’'")
    }
}

impl Wrong {
    fn error(&self, text: &str, marks: &Marks) -> FigureError {
        match self {
            Wrong::Ambiguous(small) => {
                let (minus, digits) = unsigned(text);
                let signed = |figure: String| if minus { format!("-{figure}") } else { figure };
                let large = signed(digits.chars().filter(|letter| !marks.groups(*letter)).collect());
                // 1,000 would be read as a thousand, so suggest 1,0.
                let short = small.trim_end_matches('0');
                let small = signed(if short.ends_with(marks.decimal) { format!("{short}0") } else { short.to_owned() });
                FigureError::Ambiguous { text: text.to_owned(), large, small }
            }
            Wrong::Odd => FigureError::Malformed { example: format!("1234{}50", marks.decimal) },
        }
    }
}

fn unsigned(text: &str) -> (bool, &str) {
    match text.strip_prefix(['-', '\u{2212}']) {
        Some(digits) => (true, digits),
        None => (false, text),
    }
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// One to three digits, then groups of three.
fn grouped(groups: &[&str]) -> bool {
    (1..=3).contains(&groups[0].len()) && !groups[0].starts_with('0') && groups[1..].iter().all(|group| group.len() == 3)
}
