//! Texts and dates as providers write them, each with its own placeholder for "nothing".

use jiff::civil::Date;
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};

use crate::figure::brief;

/// A text that is not a placeholder.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.map(|text| text.trim().to_owned()).filter(|text| !is_blank(text)))
}

/// A day, written `YYYY-MM-DD`.
pub(crate) fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
    let Some(text) = text(deserializer)? else { return Ok(None) };
    let day = text.parse().map_err(|_| D::Error::invalid_value(Unexpected::Str(&brief(&text)), &"a date"))?;
    Ok(Some(day))
}

fn is_blank(text: &str) -> bool {
    matches!(text, "" | "-" | "null" | "None" | "none" | "N/A" | "n/a" | "0000-00-00")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Row {
        #[serde(default, deserialize_with = "text")]
        name: Option<String>,
        #[serde(default, deserialize_with = "day")]
        day: Option<Date>,
    }

    #[test]
    fn every_placeholder_is_a_missing_value() {
        for blank in [r#""""#, r#""-""#, "null", r#""null""#, r#""None""#, r#""N/A""#, r#""0000-00-00""#] {
            let row: Row = serde_json::from_str(&format!(r#"{{"name": {blank}, "day": {blank}}}"#)).unwrap();
            assert_eq!((row.name, row.day), (None, None), "{blank}");
        }
        let row: Row = serde_json::from_str("{}").unwrap();
        assert_eq!((row.name, row.day), (None, None));
    }

    #[test]
    fn values_are_read_and_invalid_dates_refused() {
        let row: Row = serde_json::from_str(r#"{"name": " Nonesuch ", "day": "2026-02-28"}"#).unwrap();
        assert_eq!((row.name.as_deref(), row.day), (Some("Nonesuch"), Some(jiff::civil::date(2026, 2, 28))));
        assert!(serde_json::from_str::<Row>(r#"{"day": "2026-02-30"}"#).is_err());
        assert!(serde_json::from_str::<Row>(r#"{"day": "soon"}"#).is_err());
    }
}
