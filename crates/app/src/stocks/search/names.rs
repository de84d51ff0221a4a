//! The distinct names of listings: a company is listed on many exchanges.

use std::collections::HashMap;

use super::texts::Texts;
use super::top::Top;

/// Numbered in the order of their best listings.
pub(super) struct Names {
    texts: Texts,
    /// The name of each listing.
    of_listings: Vec<u32>,
    /// The start of each name's listings in `listings`, and the end of the last.
    starts: Vec<u32>,
    /// By name, ascending within a name.
    listings: Vec<u32>,
}

impl Names {
    /// `names` of the listings in their order.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>) -> Names {
        let mut texts = Texts::default();
        let mut numbers = HashMap::new();
        let number = |name: &'a str| {
            *numbers.entry(name).or_insert_with(|| {
                texts.push(name);
                texts.len() as u32 - 1
            })
        };
        let mut of_listings: Vec<u32> = names.map(number).collect();
        drop(numbers);
        texts.shrink();
        of_listings.shrink_to_fit();
        let (starts, listings) = grouped(texts.len(), (0..).zip(&of_listings).map(|(id, name)| (*name, id)));
        Names { texts, of_listings, starts, listings }
    }

    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    pub fn of_listing(&self, id: usize) -> &str {
        self.texts.get(self.of_listings[id] as usize)
    }

    fn listings(&self, name: u32) -> &[u32] {
        let name = name as usize;
        &self.listings[self.starts[name] as usize..self.starts[name + 1] as usize]
    }
}

/// The best listings so far, to which whole names are offered.
pub(super) struct Named<'a, 'b> {
    pub names: &'a Names,
    pub best: &'a mut Top<'b>,
}

impl Named<'_, '_> {
    pub fn offer(&mut self, name: u32) {
        self.best.offer_ascending(self.names.listings(name).iter().copied());
    }

    /// Offers it if it matches; `matches` is only called if it could still enter.
    pub fn offer_if(&mut self, name: u32, matches: impl FnOnce() -> bool) {
        if self.can_enter(name) && matches() {
            self.offer(name);
        }
    }

    /// Offers the matching ones of ascending names, stopping at the first that comes too late.
    pub fn offer_ascending(&mut self, names: impl IntoIterator<Item = u32>, mut matches: impl FnMut(u32) -> bool) {
        for name in names {
            if !self.can_enter(name) {
                return;
            }
            if matches(name) {
                self.offer(name);
            }
        }
    }

    /// Whether this name, or a later one, could still enter.
    pub fn can_enter(&self, name: u32) -> bool {
        self.best.can_enter(self.names.listings[self.names.starts[name as usize] as usize])
    }
}

/// Groups values: the start of each group, and the values by group in their original order.
pub(super) fn grouped(groups: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; groups + 1];
    pairs.clone().for_each(|(group, _)| starts[group as usize + 1] += 1);
    (0..groups).for_each(|group| starts[group + 1] += starts[group]);
    let mut values = vec![0; starts[groups] as usize];
    let mut next = starts.clone();
    for (group, value) in pairs {
        values[next[group as usize] as usize] = value;
        next[group as usize] += 1;
    }
    (starts, values)
}
