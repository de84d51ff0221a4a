//! Numbers as providers write them: with or without an exponent, quoted, or a placeholder for "none".

use ledger::Decimal;
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A number read directly from its digits, never through a float.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Figure(pub Decimal);

/// Larger numbers are no price, dividend, share count or ratio.
const MAGNITUDE_MAX: i64 = 1_000_000_000_000_000_000;

impl<'de> Deserialize<'de> for Figure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Figure, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get().trim_matches('"');
        parse(text).map(Figure).ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&brief(text)), &"a number"))
    }
}

/// For fields where a provider writes a placeholder, or nothing, if it has no number: `None`, `-`, `N/A`, an empty text, `NaN`.
pub(crate) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    let Some(raw) = Option::<Box<RawValue>>::deserialize(deserializer)? else { return Ok(None) };
    let text = raw.get().trim_matches('"').trim();
    if matches!(text, "" | "-" | "null" | "None" | "none" | "N/A" | "NA" | "NaN" | "Infinity" | "-Infinity") {
        return Ok(None);
    }
    parse(text).map(Some).ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&brief(text)), &"a number"))
}

pub(crate) fn parse(text: &str) -> Option<Decimal> {
    let text = text.trim();
    let figure = match text.contains(['e', 'E']) {
        true => Decimal::from_scientific(text).ok()?,
        false => text.parse::<Decimal>().ok()?,
    };
    (figure.abs() <= Decimal::from(MAGNITUDE_MAX)).then(|| figure.normalize())
}

/// A price that was converted to a 32-bit float on its way, as Yahoo's closes are: 20.170000076293945 was 20.17.
pub(crate) fn from_single(figure: Decimal) -> Option<Decimal> {
    Some(figure.round_sf(7)?.normalize())
}

/// The beginning of a foreign text, safe to put in a message.
pub(crate) fn brief(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Row {
        strict: Figure,
        #[serde(default, deserialize_with = "optional")]
        loose: Option<Decimal>,
    }

    fn row(text: &str) -> Result<(String, Option<String>), String> {
        let row: Row = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Ok((row.strict.0.to_string(), row.loose.map(|figure| figure.to_string())))
    }

    #[test]
    fn numbers_are_read_exactly() {
        assert_eq!(row(r#"{"strict": 0.1, "loose": "1.0460"}"#), Ok(("0.1".to_owned(), Some("1.046".to_owned()))));
        assert_eq!(row(r#"{"strict": 5.0E-4}"#), Ok(("0.0005".to_owned(), None)));
        assert_eq!(row(r#"{"strict": "12", "loose": "None"}"#), Ok(("12".to_owned(), None)));
        assert_eq!(row(r#"{"strict": 1, "loose": null}"#), Ok(("1".to_owned(), None)));
    }

    #[test]
    fn invalid_numbers_in_an_answer_are_refused() {
        for bad in [
            r#"{"strict": "None"}"#,
            r#"{"strict": null}"#,
            r#"{"strict": {}}"#,
            r#"{"strict": 1e30}"#,
            r#"{"strict": 1, "loose": "soon"}"#,
        ] {
            assert!(row(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn single_precision_noise_is_rounded_away() {
        assert_eq!(from_single("20.170000076293945".parse().unwrap()).unwrap().to_string(), "20.17");
        assert_eq!(from_single("408.2099914550781".parse().unwrap()).unwrap().to_string(), "408.21");
    }
}
