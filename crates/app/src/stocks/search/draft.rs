//! Listings as they arrive, packed: an index is built without ever holding a hundred thousand separate strings.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::num::NonZeroU16;

use reference::Reference;

use super::Listing;
use super::texts::Texts;

#[derive(Default)]
pub(crate) struct Draft {
    pub(super) symbols: Texts,
    /// Empty if there is none.
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
    pub public_followers: Option<u32>,
}

/// There are some hundred exchanges and kinds; those beyond 65,535 get none.
pub(super) type Label = NonZeroU16;

/// Exchanges and kinds, each once.
#[derive(Clone, Default)]
pub(super) struct Labels {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, Label>,
}

impl Draft {
    /// The listings of the reference data with these symbols, which nobody follows.
    pub fn of(reference: &Reference, wanted: impl Fn(&str) -> bool) -> Draft {
        let listings = reference.listings.iter().filter(|listing| wanted(listing.symbol)).map(|listing| Listing {
            symbol: listing.symbol.to_owned(),
            name: Some(listing.name.to_owned()),
            exchange: Some(listing.exchange.to_owned()),
            kind: Some(listing.kind.to_owned()),
            tracked: false,
            followers: 0,
            public_followers: None,
        });
        listings.collect()
    }

    pub fn push(&mut self, stock: Listing) {
        self.symbols.push(&stock.symbol);
        self.names.push(stock.name.as_deref().unwrap_or_default());
        let (exchange, kind) = (self.labels.number(stock.exchange), self.labels.number(stock.kind));
        self.rows.push(Row {
            exchange,
            kind,
            tracked: stock.tracked,
            followers: stock.followers,
            public_followers: stock.public_followers,
        });
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The public listings with their public followers, and true, if they are at most half of all. Otherwise only those with a
    /// different number of public followers.
    pub(super) fn public(&self) -> (Draft, bool) {
        let whole = self.rows.iter().filter(|row| row.public_followers.is_some()).count() <= self.len() / 2;
        let mut public = Draft { labels: self.labels.clone(), ..Draft::default() };
        for (index, row) in self.rows.iter().enumerate() {
            let Some(followers) = row.public_followers.filter(|followers| whole || *followers != row.followers) else { continue };
            public.symbols.push(self.symbols.get(index));
            public.names.push(self.names.get(index));
            public.rows.push(Row { followers, ..*row });
        }
        (public, whole)
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

impl FromIterator<Listing> for Draft {
    fn from_iter<I: IntoIterator<Item = Listing>>(stocks: I) -> Draft {
        let mut draft = Draft::default();
        stocks.into_iter().for_each(|stock| draft.push(stock));
        draft
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
