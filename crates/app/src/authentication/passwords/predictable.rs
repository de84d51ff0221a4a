//! What somebody could tell of a password without knowing it: words about its user, runs along the keyboard, repetitions.

/// Keys and letters that follow each other, in either direction.
const ROWS: [&str; 7] =
    ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm"];
/// Shorter ones occur in any text.
const PART_MIN: usize = 3;
/// Of longer passwords, only the beginning is judged, so that it takes little time.
const CHARS_MAX: usize = 128;

/// How many characters are left if each of these words counts nothing, and each run and each repetition one.
pub fn own_characters(password: &str, words: &[&str]) -> usize {
    let text: Vec<char> = password.to_lowercase().chars().take(CHARS_MAX).collect();
    let read: Vec<char> = text.iter().map(|letter| meant(*letter)).collect();
    let words: Vec<Vec<char>> = words.iter().map(|word| word.to_lowercase().chars().map(meant).collect()).collect();
    let (mut at, mut own) = (0, 0);
    while at < text.len() {
        let is_here = |word: &&Vec<char>| word.len() >= PART_MIN && read[at..].starts_with(word);
        let word = words.iter().filter(is_here).map(Vec::len).max();
        let part = word.unwrap_or_else(|| run(&text[at..]).max(repetition(&text, at)));
        own += usize::from(word.is_none());
        at += if part >= PART_MIN { part } else { 1 };
    }
    own
}

/// The letter that a symbol often stands for.
fn meant(symbol: char) -> char {
    match symbol {
        '4' | '@' => 'a',
        '3' => 'e',
        '1' | '!' => 'i',
        '0' => 'o',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// How many characters from the first on are the same, or follow each other.
fn run(text: &[char]) -> usize {
    let follow = |one: char, next: char| {
        let (forwards, backwards) = (String::from_iter([one, next]), String::from_iter([next, one]));
        ROWS.iter().any(|row| row.contains(&forwards) || row.contains(&backwards))
    };
    1 + text.windows(2).take_while(|pair| pair[0] == pair[1] || follow(pair[0], pair[1])).count()
}

/// How many characters from here on were there before.
fn repetition(text: &[char], at: usize) -> usize {
    let same = |before: usize| text[at..].iter().zip(&text[before..]).take_while(|(here, there)| here == there).count();
    (0..at).map(same).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::own_characters;

    #[test]
    fn words_runs_and_repetitions_count_little() {
        for (password, own) in [
            ("four quiet herons", 17),
            // Each run counts one: the whole alphabet or keyboard, either way, or one key.
            ("aaaaaaaaaaaaaaaaaaaa", 1),
            ("123456789012345", 1),
            ("987654321zyxwvut", 2),
            ("QwertyuiopAsdfghjkl", 2),
            // "ass" is a run, and the second half was there before.
            ("passwordpassword", 7),
            // The first of two words is longer; symbols are read as letters.
            ("D1v1d3nds-d!vidend!", 2),
            ("été été été été", 5),
            ("", 0),
        ] {
            assert_eq!(own_characters(password, &["dividend", "dividends", "as"]), own, "{password}");
        }
        assert_eq!(own_characters(&"ab-cd.".repeat(200), &[]), 7);
    }
}
