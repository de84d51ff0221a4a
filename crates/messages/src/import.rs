//! Texts about an imported file: errors, skipped rows, questions and doubts.

use app::import::{Inconsistency, OpeningChange, Reason};
use importers::Describe;
use importers::reason::Value;
use ledger::Decimal;

use crate::{Keys, Language, Notation, Value as Variable};

pub const KEYS: &[Keys] = &[importers::Reason::TEXTS, Reason::TEXTS, Inconsistency::TEXTS, Words::KEYS, Openings::KEYS, FORMATS];

crate::texts! { Words = "reason-word" {
    ;
    kind(kind),
} }

crate::texts! { Openings = "opening" {
    ;
    change(symbol, before, after),
} }

/// What becomes of an earlier opening position.
pub fn opening_change(language: &'static Language, notation: &dyn Notation, one: &OpeningChange) -> String {
    let texts = Openings::load(language);
    texts.change(one.symbol.as_str(), notation.decimal(one.before), figure(notation, one.after))
}

macro_rules! formats {
    ($($name:literal)*) => {
        const FORMATS: Keys = &[$((concat!("format-", $name), &[])),*];
    };
}

formats! {
    "ibkr-flex" "ibkr-history" "ibkr-statement" "degiro" "degiro-transactions" "schwab" "schwab-equity-awards" "fidelity"
    "ofx" "trading212" "trade-republic" "trade-republic-pytr" "scalable" "swissquote" "saxo" "xtb" "bux" "etoro" "revolut"
    "freetrade" "vanguard-uk" "investengine" "hargreaves-lansdown" "morgan-stanley" "questrade" "avanza" "finpension"
    "rabobank" "directa" "investimental" "disnat" "parqet" "delta" "snowball" "yahoo-portfolio" "portfolio-performance"
    "portfolio-performance-csv" "wealthfolio" "ghostfolio" "dripline" "positions" "generic"
}

/// The name of a supported format.
pub fn format(language: &'static Language, name: &str) -> &'static str {
    language.text(&format!("format-{name}"))
}

pub fn reason(language: &'static Language, notation: &dyn Notation, reason: &dyn Describe) -> String {
    let fields = reason.fields();
    let variables = fields.iter().map(|(name, value)| (*name, variable(language, notation, name, value)));
    language.format(reason.text(), variables)
}

fn variable<'v>(language: &'static Language, notation: &dyn Notation, name: &str, value: &Value<'v>) -> Variable<'v> {
    match value {
        Value::Text(column) if name == "column" => notation.column(column).into(),
        Value::Text(text) => (*text).into(),
        Value::Count(count) => (*count).into(),
        Value::Figure(figure) => self::figure(notation, *figure),
        Value::Date(date) => notation.date(*date).into(),
        Value::Ratio(ratio) => ratio.to_string().into(),
        Value::Currency(currency) => currency.to_string().into(),
        Value::Kind(kind) => Words::load(language).kind(kind.word()).into(),
        Value::List(texts) => texts.join(", ").into(),
        Value::Reasons(reasons) if reasons.is_empty() => 0.into(),
        Value::Reasons(reasons) => {
            let texts: Vec<String> = reasons.iter().map(|one| self::reason(language, notation, *one)).collect();
            texts.join(" ").into()
        }
    }
}

/// Zero is a number, so that a message can have a separate form for it.
pub(crate) fn figure<'v>(notation: &dyn Notation, figure: Decimal) -> Variable<'v> {
    if figure.is_zero() { 0.into() } else { notation.decimal(figure).into() }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};
    use ledger::{Kind, Money};

    use super::*;

    #[test]
    fn every_format_has_a_name() {
        let keys: Vec<String> = importers::FORMATS.iter().map(|format| format!("format-{}", format.name)).collect();
        assert_eq!(FORMATS.iter().map(|(key, _)| *key).collect::<Vec<_>>(), keys);
    }

    struct German;

    impl Notation for German {
        fn date(&self, day: Date) -> String {
            day.strftime("%d.%m.%Y").to_string()
        }

        fn decimal(&self, figure: Decimal) -> String {
            figure.normalize().to_string().replace('.', ",")
        }

        fn money(&self, amount: &Money) -> String {
            amount.amount.to_string()
        }

        fn column(&self, name: &str) -> String {
            if name == "fx_rate" { "Exchange rate".to_owned() } else { name.to_owned() }
        }
    }

    fn text(reason: impl Into<Reason>) -> String {
        super::reason(crate::by_preference("en"), &German, &reason.into())
    }

    #[test]
    fn days_and_figures_are_written_as_the_reader_does() {
        let (symbol, held, asked) = ("KO".to_owned(), Decimal::new(155, 1), Decimal::new(200, 1));
        let oversold = || Box::new(Inconsistency::Oversold { symbol: symbol.clone(), date: date(2026, 11, 2), held, asked });
        let expected = "This transaction needs 20 KO, but you only held 15,5 on 02.11.2026. \
                        Import the earlier history first, or add the missing shares as an opening position.";
        assert_eq!(text(Reason::Ledger(oversold())), expected);
        let none = Inconsistency::Oversold { symbol: symbol.clone(), date: date(2026, 11, 2), held: Decimal::ZERO, asked };
        assert!(
            text(Reason::Ledger(Box::new(none))).starts_with("This transaction needs 20 KO, but you held none on 02.11.2026.")
        );
        let whole = text(Reason::BreaksRecorded { problem: oversold() });
        assert_eq!(whole, format!("This file conflicts with a transaction you already recorded: {expected}"));
    }

    #[test]
    fn the_text_of_a_cell_stays_as_it_is_and_its_column_is_called_as_the_reader_calls_it() {
        let cell = importers::reason::Cell::new("fx_rate", "2026-11-02");
        assert_eq!(text(importers::Reason::NotANumber(cell)), "Exchange rate: “2026-11-02” isn’t a number.");
        assert_eq!(
            text(importers::Reason::NeedsShares { kind: Kind::TransferIn }),
            "The number of shares for this transfer in is missing."
        );
    }
}
