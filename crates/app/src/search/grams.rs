//! Which runs of four bytes occur in many texts: that none of them holds a query is mostly known without reading them.

use super::texts::END;

const LENGTH: usize = 4;

pub(super) struct Grams {
    /// A bit per run, found by its hash; runs may share one, so that a set bit proves nothing.
    bits: Vec<u64>,
}

impl Grams {
    /// Of texts in a block, each with its end. About a bit per byte of text.
    pub fn new(block: &str) -> Grams {
        let mut grams = Grams { bits: vec![0; (block.len() / 64).next_power_of_two()] };
        for gram in block.as_bytes().array_windows().filter(|gram| !gram[..LENGTH - 1].contains(&(END as u8))) {
            let (word, bit) = grams.place(gram);
            grams.bits[word] |= bit;
        }
        grams
    }

    /// False only where no text holds `part`.
    pub fn may_hold(&self, part: &str) -> bool {
        part.as_bytes().array_windows().all(|gram| {
            let (word, bit) = self.place(gram);
            self.bits[word] & bit != 0
        })
    }

    fn place(&self, gram: &[u8; LENGTH]) -> (usize, u64) {
        let hash = u64::from(u32::from_be_bytes(*gram)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        (hash as usize / 64 % self.bits.len(), 1 << (hash % 64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::texts::Texts;

    fn grams<'a>(texts: impl IntoIterator<Item = &'a str>) -> Grams {
        let mut all = Texts::default();
        texts.into_iter().for_each(|text| all.push(text));
        Grams::new(all.block())
    }

    #[test]
    fn what_a_text_holds_is_never_ruled_out() {
        let grams = grams(["banana", "", "жжж", "an"]);
        for part in ["", "a", "ana", "bana", "anana", "banana", "nana\n", "жж", "an\n"] {
            assert!(grams.may_hold(part), "{part}");
        }
    }

    #[test]
    fn most_of_what_no_text_holds_is_ruled_out() {
        let texts: Vec<String> = (0..500).map(|number| format!("text {number}")).collect();
        let grams = grams(texts.iter().map(String::as_str));
        let possible = (0..1_000).filter(|number| grams.may_hold(&format!("word {number}"))).count();
        assert!(possible < 100, "{possible}");
    }
}
