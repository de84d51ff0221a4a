//! Many short texts in one block of memory: 4 bytes of overhead each, and one haystack to scan.

use std::ops::Range;

use memchr::memmem::Finder;

/// Follows each text; folded texts and queries never contain it, so no match spans two.
pub(super) const END: char = '\n';

#[derive(Default)]
pub(super) struct Texts {
    block: String,
    /// The end of each text. 32 bits suffice: there are no four gigabytes of stock names.
    ends: Vec<u32>,
}

impl Texts {
    pub fn push(&mut self, text: &str) {
        self.block.push_str(text);
        self.ends.push(self.block.len() as u32);
        self.block.push(END);
    }

    pub fn get(&self, index: usize) -> &str {
        &self.block[self.start(index)..self.ends[index] as usize]
    }

    /// Including the terminator.
    pub fn with_end(&self, index: usize) -> &str {
        &self.block[self.start(index)..self.start(index + 1)]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The texts in this range that contain what the finder looks for, ascending, each once.
    pub fn containing(&self, finder: &Finder<'_>, range: Range<usize>) -> impl Iterator<Item = usize> {
        let block = &self.block.as_bytes()[..self.start(range.end)];
        let mut from = self.start(range.start);
        let mut next = range.start;
        std::iter::from_fn(move || {
            let at = from + finder.find(block.get(from..)?)?;
            let index = self.index_at(at, next);
            next = index + 1;
            from = self.start(next);
            Some(index)
        })
    }

    pub fn shrink(&mut self) {
        self.block.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// The text at this position of the block, searched from text `from` in growing steps, because it is often close.
    fn index_at(&self, at: usize, from: usize) -> usize {
        let before = |end: &u32| (*end as usize) < at;
        let mut step = 1;
        while self.ends.get(from + step).is_some_and(before) {
            step *= 2;
        }
        let (low, high) = (from + step / 2, self.ends.len().min(from + step + 1));
        low + self.ends[low..high].partition_point(before)
    }

    fn start(&self, index: usize) -> usize {
        match index.checked_sub(1) {
            None => 0,
            Some(before) => self.ends[before] as usize + END.len_utf8(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_finds_each_text_once_and_never_spans_two() {
        let mut texts = Texts::default();
        ["", "banana", "ban", "", "anab", ""].iter().for_each(|text| texts.push(text));
        let containing = |part: &str, range: Range<usize>| texts.containing(&Finder::new(part), range).collect::<Vec<_>>();
        assert_eq!(containing("an", 0..6), [1, 2, 4]);
        assert_eq!(containing("an", 2..4), [2]);
        assert_eq!(containing("nan", 0..6), [1]);
        assert!(containing("aba", 0..6).is_empty());
        assert_eq!(containing("an\n", 0..6), [2]);
        assert!(containing("an", 6..6).is_empty());
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["", "banana", "ban", "", "anab", ""]);
    }
}
