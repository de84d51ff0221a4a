//! Which trigrams (of bytes) occur in which blocks of texts: a query only has to be looked for in few of them, often in none.

use std::ops::Range;

use memchr::memmem::Finder;

use super::letters::ones;
use super::texts::Texts;

const LENGTH: usize = 3;

/// Trigrams that share a row are not distinguished, so a set bit proves nothing.
const ROWS: usize = 2_048;

/// Texts per block.
const BLOCK: usize = if cfg!(test) { 2 } else { 64 };

pub(super) struct Grams {
    /// For each row, one bit per block.
    rows: Vec<u64>,
    /// Words per row.
    width: usize,
}

impl Grams {
    pub fn new(texts: &Texts) -> Grams {
        let width = texts.len().div_ceil(BLOCK * 64);
        let mut rows = vec![0; ROWS * width];
        for index in 0..texts.len() {
            let (word, bit) = (index / BLOCK / 64, 1 << (index / BLOCK % 64));
            let grams = texts.with_end(index).as_bytes().array_windows();
            grams.for_each(|gram| rows[row(gram) * width + word] |= bit);
        }
        Grams { rows, width }
    }

    /// Calls `take` with the texts that contain `part`, ascending, as long as it returns true.
    pub fn holding(&self, part: &str, texts: &Texts, mut take: impl FnMut(u32) -> bool) {
        let finder = Finder::new(part);
        let mut found = self.blocks(part, texts.len()).flat_map(|block| texts.containing(&finder, block));
        while found.next().is_some_and(|index| take(index as u32)) {}
    }

    /// Blocks whose texts may contain it. For fewer than three bytes, all of them.
    fn blocks(&self, part: &str, texts_count: usize) -> impl Iterator<Item = Range<usize>> {
        let grams = part.as_bytes().array_windows::<LENGTH>();
        let known = grams.len() > 0;
        let rows: Vec<&[u64]> = grams.map(|gram| &self.rows[row(gram) * self.width..][..self.width]).collect();
        let words =
            (0..if known { self.width } else { 0 }).map(move |word| rows.iter().fold(u64::MAX, |all, row| all & row[word]));
        let blocks = words.enumerate().flat_map(|(word, bits)| ones(bits).map(move |bit| (word * 64 + bit) * BLOCK));
        let all = (!known).then_some(0..texts_count);
        blocks.map(move |from| from..texts_count.min(from + BLOCK)).chain(all)
    }
}

fn row(gram: &[u8; LENGTH]) -> usize {
    let number = gram.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    (number.wrapping_mul(0x9E37_79B1) >> 16) as usize % ROWS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holding(part: &str, texts: &[&str]) -> Vec<u32> {
        let mut all = Texts::default();
        texts.iter().for_each(|text| all.push(text));
        let mut found = Vec::new();
        Grams::new(&all).holding(part, &all, |index| {
            found.push(index);
            true
        });
        found
    }

    #[test]
    fn every_text_that_contains_the_part_is_found_once() {
        let texts = ["banana", "", "жжж", "an", "bananas, ban", "xan"];
        for (part, holders) in [
            ("a", &[0, 3, 4, 5][..]),
            ("ana", &[0, 4]),
            ("anana", &[0, 4]),
            ("banana", &[0, 4]),
            ("жж", &[2]),
            ("an\n", &[3, 4, 5]),
            ("n\n", &[3, 4, 5]),
            ("nanab", &[]),
        ] {
            assert_eq!(holding(part, &texts), holders, "{part}");
        }
        assert!(holding("a", &[]).is_empty());
    }

    #[test]
    fn most_texts_that_cannot_match_are_not_scanned() {
        let mut texts = Texts::default();
        (0..500).for_each(|number| texts.push(&format!("text {number}")));
        let grams = Grams::new(&texts);
        let looked_at = |part: &str| grams.blocks(part, texts.len()).count();
        assert_eq!(looked_at("text"), 250);
        assert!(looked_at("xt 123") < 10);
        assert!(looked_at("word") < 10);
    }

    #[test]
    fn a_search_stops_when_its_callback_says_so() {
        let mut texts = Texts::default();
        (0..10).for_each(|_| texts.push("abc"));
        let mut found = Vec::new();
        Grams::new(&texts).holding("abc", &texts, |index| {
            found.push(index);
            index < 4
        });
        assert_eq!(found, [0, 1, 2, 3, 4]);
    }
}
