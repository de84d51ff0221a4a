//! Numbers and dates in the reader's format, each with the API's value for machines.

pub mod choices;
pub mod figures;

use std::borrow::Borrow;
use std::fmt;

use askama::filters::HtmlSafe;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::{Decimal, Money};
use rust_decimal::RoundingStrategy;
use serving::number_text;

/// Finished markup: our own tags, numbers and codes, never text that somebody typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Html(pub String);

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Html {}

impl Html {
    /// A sentence with figures in it.
    pub fn sentence<const N: usize>(figures: [Html; N], words: impl FnOnce([&str; N]) -> String) -> Html {
        let marks: [String; N] = std::array::from_fn(|at| format!("\u{1}{at}\u{1}"));
        let mut text = escaped(&words(std::array::from_fn(|at| marks[at].as_str())));
        for (mark, figure) in marks.iter().zip(figures) {
            text = text.replace(mark, &figure.0);
        }
        Html(text)
    }
}

/// Text for markup.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&#38;").replace('<', "&#60;").replace('>', "&#62;").replace('"', "&#34;")
}

/// The separators of a number format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    decimal: char,
    group: &'static str,
    /// The currency comes before the number.
    currency_first: bool,
    month_first: bool,
    months: &'static str,
}

const PER_SHARE_DECIMALS: u32 = 4;
/// Brokers have no more.
pub const SHARES_DECIMALS: u32 = 8;

/// The number formats a user can choose: name and example.
pub const CHOICES: [(&str, &str); 4] = [("en", "1,234.50"), ("de", "1.234,50"), ("fr", "1\u{202f}234,50"), ("ch", "1’234.50")];

impl Format {
    /// The user's choice, else the format of the browser's languages.
    pub fn of(chosen: Option<&str>, accept_language: &str, months: &'static str) -> Format {
        let first = accept_language.split([',', ';']).next().unwrap_or_default().trim().to_ascii_lowercase();
        let month_first = first == "en-us" || first == "en-ca";
        let (decimal, group, currency_first) = match chosen.unwrap_or_else(|| marks_of(&first)) {
            "de" => (',', ".", false),
            "fr" => (',', "\u{202f}", false),
            "ch" => ('.', "’", true),
            _ => ('.', ",", true),
        };
        Format { decimal, group, currency_first, month_first, months }
    }

    /// Of numbers in addresses.
    pub fn of_addresses() -> Format {
        Format::of(None, "en", "")
    }

    /// An amount, rounded once to the minor units.
    pub fn money(&self, money: &Money) -> Html {
        self.amount(&money.aggregate_text(), money)
    }

    /// As recorded, unrounded.
    pub fn recorded(&self, money: &Money) -> Html {
        self.amount(&money.recorded_text(), money)
    }

    /// In full for machines; readers see four decimals at most.
    pub fn per_share(&self, money: &Money) -> Html {
        let code = money.currency.code();
        Html(format!("<data value=\"{}\" data-currency=\"{code}\">{}</data>", money.per_share_text(), self.per_share_text(money)))
    }

    /// In full for machines; readers see the minor units.
    pub fn cost(&self, cost: &Money) -> Html {
        let code = cost.currency.code();
        Html(format!("<data value=\"{}\" data-currency=\"{code}\">{}</data>", cost.per_share_text(), self.money_text(cost)))
    }

    /// A whole percentage.
    pub fn whole_pct(&self, pct: Decimal) -> Html {
        data(&pct.to_string(), &format!("{}%", self.marked(&pct.to_string())))
    }

    /// An amount as plain text, for titles.
    pub fn money_text(&self, money: &Money) -> String {
        self.with_currency(&money.aggregate_text(), money.currency.code())
    }

    pub fn per_share_text(&self, money: &Money) -> String {
        let rounded = money.amount.round_dp_with_strategy(PER_SHARE_DECIMALS, RoundingStrategy::MidpointNearestEven);
        self.with_currency(&Money::new(rounded, money.currency).per_share_text(), money.currency.code())
    }

    pub fn shares(&self, shares: impl Borrow<Decimal>) -> Html {
        self.plain(&ledger::shares_text(*shares.borrow()))
    }

    /// In full for machines; readers see eight decimals at most.
    pub fn shares_bought(&self, shares: Decimal) -> Html {
        data(&ledger::shares_text(shares), &self.marked(&ledger::shares_text(shares.round_dp(SHARES_DECIMALS))))
    }

    /// A whole number, or a decimal with all its digits.
    pub fn number(&self, number: impl fmt::Display) -> Html {
        self.plain(&number.to_string())
    }

    /// Between 0 and 10.
    pub fn score(&self, score: Decimal) -> Html {
        data(&number_text(score), &self.marked(&format!("{score:.1}")))
    }

    /// A value that already is a percentage, with two decimals.
    pub fn pct(&self, pct: impl Borrow<Decimal>) -> Html {
        let pct = pct.borrow();
        data(&number_text(*pct), &self.pct_text(*pct))
    }

    pub fn pct_text(&self, pct: Decimal) -> String {
        format!("{}%", self.marked(&format!("{pct:.2}")))
    }

    /// A fraction, shown as a percentage with one decimal.
    pub fn rate(&self, fraction: impl Borrow<Decimal>) -> Html {
        let fraction = *fraction.borrow();
        data(&number_text(fraction), &self.rate_text(fraction))
    }

    pub fn rate_text(&self, fraction: Decimal) -> String {
        let pct = fraction.checked_mul(Decimal::ONE_HUNDRED).unwrap_or_default();
        let pct = pct.round_dp_with_strategy(1, RoundingStrategy::MidpointNearestEven);
        format!("{}%", self.marked(&format!("{pct:.1}")))
    }

    pub fn date(&self, date: impl Borrow<Date>) -> Html {
        let date = *date.borrow();
        Html(format!("<time datetime=\"{date}\">{}</time>", self.date_text(date)))
    }

    pub fn date_text(&self, date: Date) -> String {
        let month = self.months.split(' ').nth(usize::from(date.month().unsigned_abs()) - 1).unwrap_or_default();
        match self.month_first {
            true => format!("{month} {}, {}", date.day(), date.year()),
            false => format!("{} {month} {}", date.day(), date.year()),
        }
    }

    /// Microseconds since 1970, in UTC to the minute.
    pub fn instant(&self, micros: impl Borrow<i64>) -> Html {
        let instant = Timestamp::from_microsecond(*micros.borrow()).unwrap_or_default();
        let zoned = instant.to_zoned(TimeZone::UTC);
        let text = format!("{}, {:02}:{:02} UTC", self.date_text(zoned.date()), zoned.hour(), zoned.minute());
        Html(format!("<time datetime=\"{instant}\">{text}</time>"))
    }

    /// The day of such an instant.
    pub fn day_text(&self, micros: i64) -> String {
        self.date_text(Timestamp::from_microsecond(micros).unwrap_or_default().to_zoned(TimeZone::UTC).date())
    }

    /// Digits with the reader's separators.
    pub fn marked(&self, text: &str) -> String {
        let (minus, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("\u{2212}", digits));
        let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
        let mut marked = String::from(minus);
        for (place, digit) in whole.char_indices() {
            if place > 0 && (whole.len() - place).is_multiple_of(3) {
                marked.push_str(self.group);
            }
            marked.push(digit);
        }
        if let Some(fraction) = fraction {
            marked.push(self.decimal);
            marked.push_str(fraction);
        }
        marked
    }

    fn plain(&self, text: &str) -> Html {
        data(text, &self.marked(text))
    }

    fn amount(&self, text: &str, money: &Money) -> Html {
        let code = money.currency.code();
        let shown = self.with_currency(text, code);
        Html(format!("<data value=\"{text}\" data-currency=\"{code}\">{shown}</data>"))
    }

    fn with_currency(&self, text: &str, code: &str) -> String {
        let (minus, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("\u{2212}", digits));
        let figure = self.marked(digits);
        match (symbol(code), self.currency_first) {
            (Some(symbol), true) => format!("{minus}{symbol}{figure}"),
            (Some(symbol), false) => format!("{minus}{figure}\u{a0}{symbol}"),
            (None, true) => format!("{minus}{code}\u{a0}{figure}"),
            (None, false) => format!("{minus}{figure}\u{a0}{code}"),
        }
    }
}

fn data(value: &str, shown: &str) -> Html {
    Html(format!("<data value=\"{value}\">{shown}</data>"))
}

/// Signs that stand for only one currency.
fn symbol(code: &str) -> Option<&'static str> {
    Some(match code {
        "EUR" => "€",
        "USD" => "$",
        "GBP" => "£",
        "INR" => "₹",
        "KRW" => "₩",
        "PLN" => "zł",
        _ => return None,
    })
}

fn marks_of(language: &str) -> &'static str {
    match language {
        "de-ch" | "fr-ch" | "it-ch" | "de-li" => return "ch",
        "es-mx" | "es-us" | "es-pr" => return "en",
        _ => {}
    }
    match language.split('-').next().unwrap_or_default() {
        "de" | "es" | "it" | "nl" | "pt" | "da" | "id" | "tr" | "el" | "hr" | "sl" | "ro" | "ca" | "is" | "sr" => "de",
        "fr" | "sv" | "nb" | "nn" | "no" | "fi" | "pl" | "cs" | "sk" | "hu" | "bg" | "uk" | "ru" | "et" | "lv" | "lt" => "fr",
        _ => "en",
    }
}

#[cfg(test)]
mod tests {
    use ledger::Currency;

    use super::*;

    const MONTHS: &str = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";

    fn money(amount: &str, currency: &str) -> Money {
        Money::new(amount.parse().unwrap(), Currency::parse(currency).unwrap())
    }

    #[test]
    fn a_figure_is_shown_in_the_readers_format_with_the_text_of_the_api() {
        let shown =
            |language: &str, amount: &str, currency: &str| Format::of(None, language, MONTHS).money(&money(amount, currency)).0;
        assert_eq!(shown("en-GB,en;q=0.9", "1234.5", "EUR"), "<data value=\"1234.50\" data-currency=\"EUR\">€1,234.50</data>");
        assert_eq!(
            shown("de-DE", "-1234567.891", "USD"),
            "<data value=\"-1234567.89\" data-currency=\"USD\">−1.234.567,89\u{a0}$</data>"
        );
        assert_eq!(shown("fr", "999", "JPY"), "<data value=\"999\" data-currency=\"JPY\">999\u{a0}JPY</data>");
        assert_eq!(shown("de-CH", "100000", "CHF"), "<data value=\"100000.00\" data-currency=\"CHF\">CHF\u{a0}100’000.00</data>");
        assert_eq!(Format::of(Some("fr"), "en-US", MONTHS).marked("1000"), "1\u{202f}000");
    }

    #[test]
    fn a_sentence_has_its_figures_as_markup_and_its_words_as_text() {
        let format = Format::of(None, "en", MONTHS);
        let shown = Html::sentence([format.number(3), format.number(4)], |[three, four]| format!("{four} & <b>{three}</b>"));
        let expected = "<data value=\"4\">4</data> &#38; &#60;b&#62;<data value=\"3\">3</data>&#60;/b&#62;";
        assert_eq!(shown.0, expected);
    }

    #[test]
    fn an_amount_per_share_is_shown_to_four_decimals_and_carried_in_full() {
        let cost = Format::of(None, "en", MONTHS).per_share(&money("56.9184615385", "USD")).0;
        assert_eq!(cost, "<data value=\"56.9184615385\" data-currency=\"USD\">$56.9185</data>");
    }

    #[test]
    fn rates_are_shown_as_percentages_and_carried_in_full() {
        let format = Format::of(None, "en", MONTHS);
        assert_eq!(format.rate("0.05242869".parse::<Decimal>().unwrap()).0, "<data value=\"0.05242869\">5.2%</data>");
        assert_eq!(format.rate("-0.1".parse::<Decimal>().unwrap()).0, "<data value=\"-0.1\">−10.0%</data>");
        assert_eq!(format.pct("3.42".parse::<Decimal>().unwrap()).0, "<data value=\"3.42\">3.42%</data>");
        assert_eq!(format.pct("3.40".parse::<Decimal>().unwrap()).0, "<data value=\"3.4\">3.40%</data>");
        assert_eq!(format.pct(Decimal::ZERO).0, "<data value=\"0.0\">0.00%</data>");
        assert_eq!(format.score(Decimal::TEN).0, "<data value=\"10.0\">10.0</data>");
        // As the API prints it: the nearest double in the fewest digits.
        let fraction = "0.0449192018562944437".parse::<Decimal>().unwrap();
        assert_eq!(format.rate(fraction).0, "<data value=\"0.044919201856294444\">4.5%</data>");
    }

    #[test]
    fn a_date_names_its_month_and_only_the_us_format_puts_it_first() {
        let day = jiff::civil::date(2026, 3, 5);
        assert_eq!(Format::of(None, "en-US", MONTHS).date_text(day), "Mar 5, 2026");
        assert_eq!(Format::of(None, "sv", MONTHS).date(day).0, "<time datetime=\"2026-03-05\">5 Mar 2026</time>");
    }
}
