//! Listings as they come, packed: an index is built without ever holding a hundred thousand separate strings.

use std::collections::HashMap;

use super::Listing;
use super::texts::Texts;

#[derive(Default)]
pub(super) struct Draft {
    pub symbols: Texts,
    /// Empty where there is none.
    pub names: Texts,
    pub rows: Vec<Row>,
    /// Exchanges and kinds, each once.
    pub labels: Vec<Box<str>>,
}

#[derive(Clone, Copy)]
pub(super) struct Row {
    pub exchange: Option<Label>,
    pub kind: Option<Label>,
    pub tracked: bool,
    pub followers: u32,
}

/// A place in the labels. Exchanges and kinds number in the hundreds; what comes after 65,535 of them has none.
pub(super) type Label = u16;

impl Draft {
    pub fn new(stocks: impl Iterator<Item = Listing>) -> Draft {
        let mut draft = Draft::default();
        let mut known = HashMap::new();
        for stock in stocks {
            draft.symbols.push(&stock.symbol);
            draft.names.push(stock.name.as_deref().unwrap_or_default());
            let mut label = |text: Option<String>| intern(text?, &mut known, &mut draft.labels);
            let (exchange, kind) = (label(stock.exchange), label(stock.kind));
            draft.rows.push(Row { exchange, kind, tracked: stock.tracked, followers: stock.followers });
        }
        draft
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn tracked_count(&self) -> usize {
        self.rows.iter().filter(|row| row.tracked).count()
    }

    /// Listings in the order in which they rank among equals.
    pub fn ranked(&self, only_tracked: bool) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).filter(|index| !only_tracked || self.rows[*index].tracked).collect();
        order.sort_by_cached_key(|index| {
            let symbol = self.symbols.get(*index);
            (std::cmp::Reverse(self.rows[*index].followers), symbol.chars().count(), symbol)
        });
        order
    }
}

fn intern(text: String, known: &mut HashMap<String, Label>, labels: &mut Vec<Box<str>>) -> Option<Label> {
    if let Some(label) = known.get(&text) {
        return Some(*label);
    }
    let label = Label::try_from(labels.len()).ok()?;
    labels.push(text.as_str().into());
    known.insert(text, label);
    Some(label)
}
