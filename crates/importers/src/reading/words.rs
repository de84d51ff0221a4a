//! Words that brokers and languages use. They are in text files beside the code, each line with a meaning and its words:
//! `buy: kauf|achat`. A line that begins with a space continues the one before, and one that begins with `#` is a comment.

use std::collections::HashMap;
use std::sync::OnceLock;

pub struct Words {
    text: &'static str,
    lines: OnceLock<Lines>,
}

#[derive(Default)]
struct Lines {
    /// In the order of the file.
    meanings: Vec<(&'static str, Vec<&'static str>)>,
    of_word: HashMap<&'static str, &'static str>,
}

impl Words {
    pub const fn new(text: &'static str) -> Words {
        Words { text, lines: OnceLock::new() }
    }

    /// Each word with its meaning.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.lines().meanings.iter().flat_map(|(meaning, words)| words.iter().map(|word| (*meaning, *word)))
    }

    /// All words with that meaning.
    pub fn words_for(&self, meaning: &str) -> &[&'static str] {
        let found = self.lines().meanings.iter().find(|(known, _)| *known == meaning);
        debug_assert!(found.is_some(), "no line for {meaning}");
        found.map_or(&[], |(_, words)| words)
    }

    /// What the word means.
    pub fn meaning(&self, word: &str) -> Option<&'static str> {
        self.lines().of_word.get(word).copied()
    }

    /// What a text means that contains one of the words: the first line that fits counts. In the file, `^` before a word stands for
    /// the beginning of the text, `$` behind it for the end, and `=` before it for the whole text.
    pub fn meaning_in(&self, text: &str) -> Option<&'static str> {
        let meanings = &self.lines().meanings;
        meanings.iter().find(|(_, words)| words.iter().any(|word| fits(word, text))).map(|(meaning, _)| *meaning)
    }

    /// Whether the text contains a word with that meaning.
    pub fn has(&self, meaning: &str, text: &str) -> bool {
        self.words_for(meaning).iter().any(|word| fits(word, text))
    }

    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::read(self.text))
    }
}

impl Lines {
    fn read(text: &'static str) -> Lines {
        let mut lines = Lines::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let rest = match line.split_once(": ").filter(|_| !line.starts_with(' ')) {
                Some((meaning, rest)) => {
                    lines.meanings.push((meaning, Vec::new()));
                    rest
                }
                None => line,
            };
            let Some((meaning, words)) = lines.meanings.last_mut() else { continue };
            // Quotes keep the spaces around a word.
            for word in rest.split('|').map(|word| word.trim().trim_matches('"')).filter(|word| !word.is_empty()) {
                words.push(word);
                lines.of_word.entry(word).or_insert(meaning);
            }
        }
        lines
    }
}

fn fits(word: &str, text: &str) -> bool {
    match (word.as_bytes(), word.get(1..)) {
        ([b'^', ..], Some(start)) => text.starts_with(start),
        ([b'=', ..], Some(whole)) => text == whole,
        ([.., b'$'], _) => text.ends_with(word.trim_end_matches('$')),
        _ => text.contains(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    #[test]
    fn a_word_has_the_meaning_of_its_line() {
        static WORDS: Words = Words::new("# Types\nbuy: kauf|achat|\n    =b\nfx: \"fx \"|^change\nfee: fee$\n");
        assert_eq!(WORDS.meaning("achat"), Some("buy"));
        assert_eq!(WORDS.words_for("buy"), ["kauf", "achat", "=b"]);
        let found =
            ["verkauf", "b", "bb", "fx 5", "fx", "change", "exchange", "a fee", "fees"].map(|text| WORDS.meaning_in(text));
        let [buy, fx, fee] = ["buy", "fx", "fee"].map(Some);
        assert_eq!(found, [buy, buy, None, fx, None, fx, None, fee, None]);
        assert!(WORDS.has("buy", "kaufen") && !WORDS.has("fx", "kaufen"));
    }

    #[test]
    fn every_line_of_a_words_file_has_a_meaning_and_words() {
        let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        assert!(files.len() > 10, "{files:?}");
        for file in files {
            let text: &'static str = std::fs::read_to_string(&file).unwrap().leak();
            let starts = text.lines().filter(|line| !line.starts_with(['#', ' '])).count();
            let lines = Lines::read(text);
            assert_eq!(lines.meanings.len(), starts, "{}: a line without a meaning", file.display());
            for (meaning, words) in &lines.meanings {
                assert!(!words.is_empty(), "{}: {meaning}", file.display());
                let of_meaning = lines.meanings.iter().filter(|(other, _)| other == meaning).flat_map(|(_, words)| words);
                let twice = of_meaning.clone().find(|word| of_meaning.clone().filter(|other| other == word).count() > 1);
                assert_eq!(twice, None, "{}: {meaning}", file.display());
            }
        }
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
        let words = files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "txt"));
        folders.iter().flat_map(|folder| self::files(folder)).chain(words).collect()
    }
}
