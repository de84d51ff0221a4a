//! Many short texts in one block of memory: 4 bytes of overhead each, and one haystack to scan.

use memchr::memmem;

/// Stands after each text; folded texts and queries never hold it, so no match spans two.
const END: char = '\n';

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

    /// The texts that hold `part`, ascending, each once.
    pub fn containing<'a>(&'a self, part: &str) -> impl Iterator<Item = usize> + use<'a> {
        let finder = memmem::Finder::new(part).into_owned();
        let mut from = 0;
        let mut next = 0;
        std::iter::from_fn(move || {
            let at = from + finder.find(self.block.as_bytes().get(from..)?)?;
            let index = next + self.ends[next..].partition_point(|end| (*end as usize) < at);
            next = index + 1;
            from = self.ends[index] as usize + END.len_utf8();
            Some(index)
        })
    }

    pub fn ending_with<'a>(&'a self, end: &str) -> impl Iterator<Item = usize> + use<'a> {
        self.containing(&format!("{end}{END}"))
    }

    pub fn shrink(&mut self) {
        self.block.shrink_to_fit();
        self.ends.shrink_to_fit();
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
        assert_eq!(texts.ending_with("an").collect::<Vec<_>>(), [2]);
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["", "banana", "ban", "", "anab", ""]);
    }
}
