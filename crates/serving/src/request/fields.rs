//! Fields of forms and queries.

use std::collections::HashSet;

use super::params::form_decoded;

const FIELDS_MAX: usize = 100;

/// Names and values in order; none if an escape is broken, or text is not UTF-8 or contains NUL.
pub fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    let pair = |piece: &str| {
        let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
        Some((decoded(name)?, decoded(value)?))
    };
    text.split('&').filter(|piece| !piece.is_empty()).map(pair).collect()
}

fn decoded(text: &str) -> Option<String> {
    let decoded = String::from_utf8(form_decoded(text)?.into_owned()).ok()?;
    (!decoded.contains('\0')).then_some(decoded)
}

/// Fields that appear once each, as OAuth requires: an empty one counts as missing, an unknown one is ignored.
#[derive(Debug, Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    pub fn parse(text: &str) -> Option<Fields> {
        pairs(text).filter(|pairs| pairs.len() <= FIELDS_MAX).map(Fields)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// The first name that appears twice.
    pub fn repeated(&self) -> Option<&str> {
        let mut seen = HashSet::new();
        self.0.iter().map(|(name, _)| name.as_str()).find(|name| !seen.insert(*name))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_form_field_is_reported_and_an_empty_one_is_missing() {
        let fields = Fields::parse("a=1&b=&c=x%20y+z&a=2").unwrap();
        assert_eq!((fields.get("a"), fields.get("b"), fields.get("c"), fields.get("d")), (Some("1"), None, Some("x y z"), None));
        assert_eq!(fields.repeated(), Some("a"));
        assert_eq!(Fields::parse("a=1&b=2").unwrap().repeated(), None);
    }

    #[test]
    fn a_form_with_broken_escapes_is_refused_as_a_whole() {
        for broken in ["a=%ff", "a=%00", "%c3%28=1", "a=%", "a=%4", "a=%zz", "%zz=1", "a=100%&b=1"] {
            assert!(Fields::parse(broken).is_none(), "{broken}");
        }
    }
}
