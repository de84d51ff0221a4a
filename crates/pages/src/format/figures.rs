//! Numbers as people type them, with a decimal point or comma. One that can be read in two ways is read in the user's number format
//! or refused, and the message says how to write it.

use ledger::{Decimal, Money};
use messages::web::Texts;

use crate::format::Format;

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
}

enum Wrong {
    /// A thousands separator, or a decimal mark before three decimals.
    Ambiguous {
        whole: String,
        decimals: String,
    },
    Odd,
}

/// Thousands separators: one number has only one of them.
const GROUPS: [&str; 4] = [".", ",", "\u{202f}\u{a0} ", "’'"];

impl Marks {
    fn of(format: &Format) -> Marks {
        Marks { decimal: format.marked("0.1").chars().nth(1).unwrap_or('.') }
    }

    /// With a decimal point and no thousands separators.
    fn plain(&self, digits: &str) -> Result<String, Wrong> {
        let decimal = decimal_mark(digits);
        let (whole, decimals) = match decimal.and_then(|mark| digits.split_once(mark)) {
            Some((whole, decimals)) => (whole, Some(decimals)),
            None => (digits, None),
        };
        let groups = groups(whole);
        let joined = groups.concat();
        if !all_digits(&joined) || !decimals.is_none_or(all_digits) || (groups.len() > 1 && !grouped(&groups)) {
            return Err(Wrong::Odd);
        }
        let Some(decimals) = decimals else { return Ok(joined) };
        // Only the user's own decimal mark is one before three decimals, unless the thousands are separated by something else.
        if decimal != Some(self.decimal) && groups.len() == 1 && grouped(&[whole, decimals]) {
            return Err(Wrong::Ambiguous { whole: joined, decimals: decimals.to_owned() });
        }
        Ok(format!("{joined}.{decimals}"))
    }
}

/// The last of the points and commas, if it occurs once.
fn decimal_mark(digits: &str) -> Option<char> {
    let last = digits.chars().rfind(|letter| ['.', ','].contains(letter))?;
    (digits.matches(last).count() == 1).then_some(last)
}

fn groups(whole: &str) -> Vec<&str> {
    match GROUPS.iter().find(|marks| whole.contains(|letter| marks.contains(letter))) {
        Some(marks) => whole.split(|letter| marks.contains(letter)).collect(),
        None => vec![whole],
    }
}

impl Wrong {
    fn error(&self, text: &str, marks: &Marks) -> FigureError {
        match self {
            Wrong::Ambiguous { whole, decimals } => {
                let (minus, _) = unsigned(text);
                let signed = |figure: String| if minus { format!("-{figure}") } else { figure };
                // 1,000 would be ambiguous again, so suggest 1,0.
                let short = Some(decimals.trim_end_matches('0')).filter(|short| !short.is_empty()).unwrap_or("0");
                let (large, small) = (signed(format!("{whole}{decimals}")), signed(format!("{whole}{}{short}", marks.decimal)));
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
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// One to three digits, then groups of three.
fn grouped(groups: &[&str]) -> bool {
    (1..=3).contains(&groups[0].len()) && !groups[0].starts_with('0') && groups[1..].iter().all(|group| group.len() == 3)
}
