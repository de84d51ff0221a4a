//! A reason, as use cases give it, made a sentence for a page.

use jiff::civil::Date;

use super::format::Format;

/// Begins with a capital letter, and ends with a mark.
pub fn sentence(reason: &str) -> String {
    let mut letters = reason.trim().chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    let end = if reason.trim().is_empty() || reason.trim().ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// The same words with days and decimals as the reader writes them: use cases write 2026-11-02 and 15.5. What is quoted stays.
pub fn localized(text: &str, format: &Format) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || ".,-:/_".contains(letter);
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let word = from.split(|letter| !is_part(letter)).next().unwrap_or(from);
        let bare = word.trim_end_matches(['.', ',', ':', '-']);
        told.push_str(before);
        match before.ends_with(['"', '“', '\'']) {
            true => told.push_str(bare),
            false => told.push_str(&figure(bare, format).unwrap_or_else(|| bare.to_owned())),
        }
        rest = &from[bare.len()..];
        // What is trimmed off would be found again.
        let marks = word.len() - bare.len();
        told.push_str(&rest[..marks]);
        rest = &rest[marks..];
    }
    told + rest
}

fn figure(word: &str, format: &Format) -> Option<String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = |text: &str| text.split_once('.').is_some_and(|(whole, decimals)| digits(whole) && digits(decimals));
    match word.len() == 10 && word.split('-').count() == 3 {
        true => word.parse::<Date>().ok().map(|day| format.date_text(day)),
        false => is_decimal(word.trim_start_matches('-')).then(|| format.marked(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_becomes_one_sentence() {
        assert_eq!(sentence("shares are missing"), "Shares are missing.");
        assert_eq!(sentence("élan is taken; choose another."), "Élan is taken; choose another.");
        assert_eq!(sentence("is it KO?"), "Is it KO?");
        assert_eq!(sentence(" "), "");
    }

    #[test]
    fn only_dates_and_decimals_are_written_in_the_readers_format() {
        let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
        let german = |text: &str| localized(text, &Format::of(Some("de"), "de", months));
        assert_eq!(
            german("1234.5 QTR leave on 2026-11-02, but only 15.5 are held then"),
            "1.234,5 QTR leave on 2 Nov 2026, but only 15,5 are held then"
        );
        assert_eq!(german("amount -0.25 is not 7.50."), "amount −0,25 is not 7,50.");
        for same in
            ["BRK.B, IBE.MC and 0700.HK at 4:1", "version 1.2.3", "no portfolio is called \"1.5\"", "2026-13-45", "", "…é"]
        {
            assert_eq!(german(same), same);
        }
    }
}
