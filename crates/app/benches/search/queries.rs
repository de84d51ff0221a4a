//! What is searched for.

use std::collections::HashMap;

use app::stocks::search::Listing;

use crate::QUERIES;
use crate::dice::Dice;

/// Where queries come from.
pub struct Source<'a> {
    symbols: Vec<&'a str>,
    /// Each as its words.
    names: Vec<Vec<&'a str>>,
    /// The most frequent words.
    frequent: Vec<&'a str>,
}

type Kind = fn(&Source<'_>, &mut Dice) -> String;

impl Source<'_> {
    pub fn new(listings: &[Listing]) -> Source<'_> {
        let symbols = listings.iter().map(|listing| &*listing.symbol).collect();
        let names = listings.iter().filter_map(|listing| listing.name.as_deref());
        let names =
            names.map(|name| name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect());
        let names: Vec<Vec<&str>> = names.filter(|words: &Vec<&str>| !words.is_empty()).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        names.iter().flatten().for_each(|word| *counts.entry(word).or_default() += 1);
        let mut frequent: Vec<&str> = counts.keys().copied().collect();
        frequent.sort_unstable_by_key(|word| (std::cmp::Reverse(counts[word]), *word));
        frequent.truncate(60);
        Source { symbols, names, frequent }
    }

    pub fn sets(&self) -> impl Iterator<Item = (&'static str, Vec<String>)> {
        let kinds: [(&str, Kind); 10] = [
            ("exact symbol", |source, dice| source.symbol(dice)),
            ("symbol prefix, 1 to 4 letters", |source, dice| start(&source.symbol(dice), 1 + dice.below(4))),
            ("start of a name", |source, dice| start(&dice.pick(&source.names).join(" "), 3 + dice.below(10))),
            ("word", |source, dice| source.word(dice, 3)),
            ("words in a row", |source, dice| source.row(dice)),
            ("several frequent words", |source, dice| source.frequent_words(dice)),
            ("substring", |source, dice| source.substring(dice)),
            ("one typo", |source, dice| source.slipped(dice, 4, 1)),
            ("two typos", |source, dice| source.slipped(dice, 8, 2)),
            ("nothing matches", |_, dice| nonsense(dice)),
        ];
        kinds.into_iter().map(|(kind, query)| (kind, (0..QUERIES).map(|seed| query(self, &mut Dice::new(seed))).collect()))
    }

    fn symbol(&self, dice: &mut Dice) -> String {
        String::from(*dice.pick(&self.symbols))
    }

    fn word(&self, dice: &mut Dice, letters_min: usize) -> String {
        let mut words = std::iter::repeat_with(|| {
            let name = dice.pick(&self.names);
            *dice.pick(name)
        });
        words.find(|word| word.chars().count() >= letters_min).unwrap_or_default().to_owned()
    }

    /// Two or three from anywhere in a name, the last perhaps only begun.
    fn row(&self, dice: &mut Dice) -> String {
        let name = dice.pick(&self.names);
        let from = dice.below(name.len().saturating_sub(1).max(1));
        let row = name[from..].iter().take(2 + dice.below(2)).copied().collect::<Vec<_>>().join(" ");
        start(&row, row.chars().count() - dice.below(3).min(row.chars().count() - 1))
    }

    fn frequent_words(&self, dice: &mut Dice) -> String {
        let words: Vec<&str> = (0..2 + dice.below(3)).map(|_| *dice.pick(&self.frequent)).collect();
        let query = words.join(" ");
        let begun = dice.below(2) * dice.below(words[words.len() - 1].chars().count());
        start(&query, query.chars().count() - begun)
    }

    /// Three letters or more without the word's first and last.
    fn substring(&self, dice: &mut Dice) -> String {
        let letters: Vec<char> = self.word(dice, 5).chars().collect();
        let length = 3 + dice.below(letters.len() - 4);
        let from = 1 + dice.below(letters.len() - 1 - length);
        letters[from..from + length].iter().collect()
    }

    /// A word, a symbol or the first words of a name, mistyped.
    fn slipped(&self, dice: &mut Dice, letters_min: usize, slips: usize) -> String {
        let text = match dice.below(3) {
            0 => self.word(dice, letters_min),
            1 => self.symbol(dice),
            _ => start(&dice.pick(&self.names).join(" "), letters_min + dice.below(12)),
        };
        let mut letters: Vec<char> = text.chars().collect();
        (0..slips).for_each(|_| slip(dice, &mut letters));
        letters.into_iter().collect()
    }
}

fn start(text: &str, letters: usize) -> String {
    text.chars().take(letters).collect()
}

/// One letter swapped with the next, left out, added or another.
fn slip(dice: &mut Dice, letters: &mut Vec<char>) {
    let (place, other) = (dice.below(letters.len()), char::from(b'a' + dice.below(26) as u8));
    match dice.below(4) {
        0 if place + 1 < letters.len() => letters.swap(place, place + 1),
        1 if letters.len() > 1 => drop(letters.remove(place)),
        2 => letters.insert(place, other),
        _ => letters[place] = other,
    }
}

fn nonsense(dice: &mut Dice) -> String {
    let mut word = || (0..4 + dice.below(9)).map(|_| *dice.pick(b"bcdfghjkqvwxz") as char).collect::<String>();
    let (first, second) = (word(), word());
    if dice.below(2) == 0 { first } else { format!("{first} {second}") }
}
