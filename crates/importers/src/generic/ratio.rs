//! Split ratios as people write them: `4:1`, `4 for 1`, `4/1`, `4-for-1`, `1:10`, `4`.

use ledger::{Decimal, Ratio};

use super::mapping::Ratios;
use crate::Reason;
use crate::reading::{Decimals, figure};
use crate::reason::Cell;

/// New shares for old ones. `reverse` comes from the row's type.
pub fn ratio(text: &str, reverse: bool, order: Option<Ratios>, decimals: Decimals) -> Result<Ratio, Reason> {
    let wrong = || Reason::NotARatio(Cell::new("ratio", text));
    let side = |side: &str| {
        let number = figure("ratio", side, decimals).ok().filter(|number| *number > Decimal::ZERO);
        number.filter(|_| !side.contains(char::is_alphabetic))
    };
    let lower = text.to_lowercase();
    let (first, second, spoken) = match parted(&lower) {
        Some((first, second, spoken)) => (side(first).ok_or_else(wrong)?, side(second).ok_or_else(wrong)?, spoken),
        None => (side(&lower).ok_or_else(wrong)?, Decimal::ONE, false),
    };
    let (less, more) = (first.min(second), first.max(second));
    let (new, old) = match order {
        // "1 for 10" is unambiguous.
        _ if spoken => (first, second),
        Some(Ratios::NewFirst) => (first, second),
        Some(Ratios::OldFirst) => (second, first),
        None if reverse => (less, more),
        None if first >= second || parted(&lower).is_none() => (first, second),
        None => return Err(Reason::RatioOrder { text: text.into() }),
    };
    Ok(Ratio { new, old })
}

/// The only ratio in a text: `Stock split 4 for 1`.
pub fn within(text: &str) -> Option<&str> {
    let is_part = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
    let found: Vec<&str> = [":", "/", " for ", "-for-", " : "]
        .iter()
        .flat_map(|mark| text.match_indices(mark))
        .filter_map(|(at, mark)| {
            let (before, after) = (text.get(..at)?, text.get(at + mark.len()..)?);
            let start = before
                .rfind(|letter| !is_part(letter))
                .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
            let length = after.find(|letter| !is_part(letter)).unwrap_or(after.len());
            let whole = text.get(start..at + mark.len() + length)?;
            let digits = |part: &str| part.contains(|letter: char| letter.is_ascii_digit());
            (digits(before.get(start..)?) && digits(after.get(..length)?)).then(|| whole.trim_matches(['.', ',']))
        })
        .collect();
    match found.as_slice() {
        [one] => Some(one),
        _ => None,
    }
}

fn parted(text: &str) -> Option<(&str, &str, bool)> {
    let spoken = ["-for-", " for ", " pour ", " für ", " voor ", " por ", " per "].iter().find_map(|mark| text.split_once(mark));
    match spoken {
        Some((first, second)) => Some((first, second, true)),
        None => text.split_once([':', '/']).map(|(first, second)| (first, second, false)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, reverse: bool, order: Option<Ratios>) -> String {
        ratio(text, reverse, order, Decimals::Point).map_or_else(|reason| reason.to_string(), |ratio| ratio.to_string())
    }

    #[test]
    fn a_ratio_is_read_as_new_shares_for_old() {
        for text in ["4:1", "4 for 1", "4/1", "4-for-1", "4 : 1", "4", "4.0:1.0"] {
            assert_eq!(read(text, false, None), "4:1", "{text}");
        }
        assert_eq!(read("1 for 10", false, None), "1:10");
        assert_eq!(read("0.1", false, None), "0.1:1");
        for text in ["1:10", "10:1", "10"] {
            assert_eq!(read(text, true, None), "1:10", "{text}");
        }
        assert_eq!(read("1:4", false, Some(Ratios::OldFirst)), "4:1");
        assert_eq!(read("1:4", false, Some(Ratios::NewFirst)), "1:4");
    }

    #[test]
    fn an_ambiguous_ratio_is_asked_about() {
        assert_eq!(read("1:4", false, None), "ratio_order text=\"1:4\"");
        for wrong in ["", "x", "0:1", "4:0", "4:1:2", "-4:1", "4 to"] {
            assert!(read(wrong, false, None).starts_with("not_a_ratio"), "{wrong}");
        }
    }

    #[test]
    fn a_ratio_is_found_in_a_text_that_has_only_one() {
        assert_eq!(within("Stock split 4 for 1, new shares"), Some("4 for 1"));
        assert_eq!(within("Split 20:1"), Some("20:1"));
        assert_eq!(within("Müller 3:2é"), Some("3:2"));
        assert_eq!(within("Split at 10:30 of 4:1"), None);
        assert_eq!(within("Note: a/b"), None);
    }
}
