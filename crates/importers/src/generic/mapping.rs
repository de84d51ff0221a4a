//! How to read a user's table: what its columns, words and figures mean.

use ledger::{Currency, Kind};

use super::field::Field;
use super::names::plain;
use crate::reading::{Decimals, Order};

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mapping {
    /// By the column's title, or by its position (`#3`) if it has no unique title. Several columns may be fees or tax: they are
    /// added up.
    pub columns: Vec<(Field, String)>,
    /// Only if the file writes dates as numbers with the year last.
    pub dates: Option<Order>,
    /// Only if a number alone is ambiguous.
    pub decimals: Option<Decimals>,
    /// What the file's own words for types mean.
    pub words: Vec<(String, Meaning)>,
    /// For rows without a type.
    pub default: Option<Meaning>,
    /// For rows without a currency.
    pub currency: Option<DefaultCurrency>,
    /// The sign of fees and tax that were deducted.
    pub costs: Option<Costs>,
    pub ratios: Option<Ratios>,
    pub style: Style,
}

/// The meaning of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Kind(Kind),
    /// A sell if the shares are negative, else a buy.
    ByShares,
    /// A buy if the amount is negative, because money was paid, else a sell.
    ByAmount,
    /// Out if the shares are negative, else in.
    Transfer,
    /// Tax withheld from a dividend in another row.
    Tax,
    /// Irrelevant for a dividend ledger.
    Ignore,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefaultCurrency {
    /// Each instrument's own trading currency.
    Traded,
    Of(Currency),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Costs {
    Positive,
    Negative,
}

/// Which side of `4:1` is the new shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ratios {
    NewFirst,
    OldFirst,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    #[default]
    Broker,
    /// Symbols in our own notation, such as `IBE.MC`.
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

    /// What the file's word means, if the mapping says so.
    pub fn meaning(&self, word: &str) -> Option<Meaning> {
        let word = plain(word);
        self.words.iter().find(|(known, _)| plain(known) == word).map(|(_, meaning)| *meaning)
    }
}
