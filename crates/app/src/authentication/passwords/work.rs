//! How much of a password is judged. The estimator tries every way to read symbols as letters on every part of the password, so a
//! long one full of symbols would take seconds. Judging only a part limits that work for any input.

const CHARS_MAX: usize = 72;
/// Substitutions times the square of the length: below 20 ms of CPU for every input measured.
const WORK_MAX: usize = 150_000;

/// The symbols that may stand for each letter.
const SYMBOLS: [&str; 13] = ["4@", "8", "({[<", "3", "69&", "#", "1!|", "1|7", "0", "$5", "+7", "%", "2"];
/// Symbols that may stand for either of two letters count double.
const SHARED: &str = "1|7";

/// The longest prefix that is cheap enough. It is no harder to guess than the whole password.
pub fn bounded(password: &str) -> &str {
    let ends = password.char_indices().map(|(start, letter)| start + letter.len_utf8());
    let fits = |(chars, end): &(usize, usize)| substitutions(&password[..*end]) * (chars + 1) * (chars + 1) <= WORK_MAX;
    let end = ends.take(CHARS_MAX).enumerate().take_while(fits).last().map_or(0, |(_, end)| end);
    &password[..end]
}

/// An upper bound of the ways to read the symbols as letters.
fn substitutions(text: &str) -> usize {
    let ways = |symbol: char| if SHARED.contains(symbol) { 2 } else { 1 };
    let choices = |symbols: &&str| symbols.chars().filter(|symbol| text.contains(*symbol)).map(ways).sum::<usize>().max(1);
    SYMBOLS.iter().map(choices).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_passwords_are_judged_whole_and_costly_ones_in_part() {
        let words = "four quiet herons in march";
        assert_eq!(bounded(words), words);
        assert_eq!(bounded("P4$sw0rd! of 7 quiet herons"), "P4$sw0rd! of 7 quiet herons");
        assert_eq!(bounded(&"é".repeat(100)), "é".repeat(72));
        let costly: String = "4@8({[<369&#!1/|0$5+7%2".chars().cycle().take(100).collect();
        assert_eq!(bounded(&costly).chars().count(), 17);
        assert!(substitutions(bounded(&costly)) * 17 * 17 <= WORK_MAX);
        assert_eq!(bounded(""), "");
    }
}
