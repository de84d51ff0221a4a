//! Listings as they come, packed: an index is built without ever holding a hundred thousand separate strings.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::num::NonZeroU16;

use super::Listing;
use super::texts::Texts;

#[derive(Default)]
pub(crate) struct Draft {
    pub(super) symbols: Texts,
    /// Empty where there is none.
    pub(super) names: Texts,
    pub(super) rows: Vec<Row>,
    pub(super) labels: Labels,
}

#[derive(Clone, Copy)]
pub(super) struct Row {
    pub exchange: Option<Label>,
    pub kind: Option<Label>,
    pub tracked: bool,
    pub followers: u32,
}

/// Exchanges and kinds number in the hundreds; what comes after 65,535 of them has none.
pub(super) type Label = NonZeroU16;

/// Exchanges and kinds, each once.
#[derive(Clone, Default)]
pub(super) struct Labels {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, Label>,
}

impl Draft {
    pub fn push(&mut self, stock: Listing) {
        self.symbols.push(&stock.symbol);
        self.names.push(stock.name.as_deref().unwrap_or_default());
        let (exchange, kind) = (self.labels.number(stock.exchange), self.labels.number(stock.kind));
        self.rows.push(Row { exchange, kind, tracked: stock.tracked, followers: stock.followers });
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The tracked ones alone, if they are so few that filtering would read mostly others.
    pub(super) fn few_tracked(&self) -> Option<Draft> {
        let tracked: Vec<usize> = (0..self.len()).filter(|index| self.rows[*index].tracked).collect();
        let mut few = Draft { labels: self.labels.clone(), ..Draft::default() };
        for index in tracked.iter().take(self.len() / 2) {
            few.symbols.push(self.symbols.get(*index));
            few.names.push(self.names.get(*index));
            few.rows.push(self.rows[*index]);
        }
        (tracked.len() <= self.len() / 2).then_some(few)
    }

    /// Listings in the order in which they rank among equals.
    pub(super) fn ranked(&self) -> Vec<u32> {
        let symbol = |index: u32| self.symbols.get(index as usize);
        let key = |index: u32| (Reverse(self.rows[index as usize].followers), symbol(index).chars().count() as u32, index);
        let mut order: Vec<_> = (0..self.len() as u32).map(key).collect();
        order.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| symbol(a.2).cmp(symbol(b.2))));
        order.into_iter().map(|(.., index)| index).collect()
    }
}

impl Labels {
    pub fn text(&self, label: Label) -> &str {
        &self.texts[usize::from(label.get()) - 1]
    }

    fn number(&mut self, text: Option<String>) -> Option<Label> {
        let text = text?;
        if let Some(label) = self.numbers.get(text.as_str()) {
            return Some(*label);
        }
        let label = u16::try_from(self.texts.len() + 1).ok().and_then(Label::new)?;
        self.texts.push(text.as_str().into());
        self.numbers.insert(text.into(), label);
        Some(label)
    }
}
