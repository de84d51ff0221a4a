//! Many short texts in one block of memory: 4 bytes of overhead each, and one haystack to scan.

use memchr::memmem;

/// Stands after each text; folded texts and queries never hold it, so no match spans two.
pub(super) const END: char = '\n';

#[derive(Default)]
pub(super) struct Texts {
    block: String,
    /// Where each text ends. 32 bits: four gigabytes of names are beyond any universe of stocks.
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

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// All texts, each with its end.
    pub fn block(&self) -> &str {
        &self.block
    }

    /// The texts that hold `part`, ascending, each once.
    pub fn containing<'a>(&'a self, part: &str) -> impl Iterator<Item = usize> + use<'a> {
        let finder = memmem::Finder::new(part).into_owned();
        let mut from = 0;
        let mut next = 0;
        std::iter::from_fn(move || {
            let at = from + finder.find(self.block.as_bytes().get(from..)?)?;
            let index = self.index_at(at, next);
            next = index + 1;
            from = self.ends[index] as usize + END.len_utf8();
            Some(index)
        })
    }

    pub fn shrink(&mut self) {
        self.block.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// The text at this place of the block, looked for from text `from` in growing steps: often it is near.
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
    fn a_scan_names_each_text_once_and_none_across_two() {
        let mut texts = Texts::default();
        ["", "banana", "ban", "", "anab", ""].iter().for_each(|text| texts.push(text));
        assert_eq!(texts.containing("an").collect::<Vec<_>>(), [1, 2, 4]);
        assert_eq!(texts.containing("nan").collect::<Vec<_>>(), [1]);
        assert_eq!(texts.containing("aba").count(), 0);
        assert_eq!(texts.containing("an\n").collect::<Vec<_>>(), [2]);
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["", "banana", "ban", "", "anab", ""]);
    }
}
