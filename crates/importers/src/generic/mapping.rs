//! How to read somebody's table: which column is what, and what its words and figures mean.

use ledger::{Currency, Kind};

use super::field::Field;
use super::names::plain;
use crate::reading::{Decimals, Order};

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mapping {
    /// By the column's name in the header, or by its place (`#3`) where it has none of its own. Several columns may be
    /// fees or tax: they add up.
    pub columns: Vec<(Field, String)>,
    /// Only where the file writes days as numbers with the year last.
    pub dates: Option<Order>,
    /// Only where a figure alone does not tell.
    pub decimals: Option<Decimals>,
    /// What the file's own words for the types mean.
    pub words: Vec<(String, Meaning)>,
    /// Of rows without a type.
    pub default: Option<Meaning>,
    /// Of rows without a currency.
    pub currency: Option<DefaultCurrency>,
    /// How fees and tax are written that were taken.
    pub costs: Option<Costs>,
    pub ratios: Option<Ratios>,
    pub style: Style,
}

/// What a row is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Kind(Kind),
    /// A sell where the shares are below zero, else a buy.
    ByShares,
    /// A buy where the amount is below zero, as the money leaves, else a sell.
    ByAmount,
    /// Out where the shares are below zero, else in.
    Transfer,
    /// Tax withheld from a dividend that stands in another row.
    Tax,
    /// Not for a dividend ledger.
    Ignore,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefaultCurrency {
    /// Each instrument's own.
    Traded,
    Of(Currency),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Costs {
    Positive,
    Negative,
}

/// Which side of `4:1` are the new shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ratios {
    NewFirst,
    OldFirst,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    #[default]
    Broker,
    /// Symbols in our own writing, such as `IBE.MC`.
    Yahoo,
    /// Our own export: symbols and signs are the ledger's.
    Dripline,
}

impl Mapping {
    pub fn has(&self, field: Field) -> bool {
        self.columns.iter().any(|(known, _)| *known == field)
    }

    pub fn has_any(&self, fields: &[Field]) -> bool {
        fields.iter().any(|field| self.has(*field))
    }

    /// What the file's word means, where the mapping says so.
    pub fn meaning(&self, word: &str) -> Option<Meaning> {
        let word = plain(word);
        self.words.iter().find(|(known, _)| plain(known) == word).map(|(_, meaning)| *meaning)
    }
}
