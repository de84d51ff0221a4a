//! What the user typed, folded in the two ways in which it is compared.

use super::case_folding;

pub(super) struct Query {
    /// As a symbol: never empty.
    pub symbol: String,
    /// As words of a name; empty if the query can only mean a symbol.
    pub name: String,
    /// Typos allowed.
    pub typos_max: usize,
}

impl Query {
    /// `None` if there is nothing to search for.
    pub fn new(q: &str) -> Option<Query> {
        let symbol = case_folding::symbol(q);
        // A leading punctuation mark (`.SZ`, `^GSPC`) means a symbol; without it the rest would match unrelated names.
        let name = if symbol.chars().next()?.is_alphanumeric() { case_folding::name(q) } else { String::new() };
        let letters = symbol.chars().filter(|letter| letter.is_alphanumeric()).count();
        // A typo in a single letter leaves nothing of what was meant.
        let typos_max = match letters {
            0..2 => 0,
            2..8 => 1,
            _ => 2,
        };
        Some(Query { symbol, name, typos_max })
    }

    /// Whether it is more than one word of a name.
    pub fn is_phrase(&self) -> bool {
        self.name.contains(' ')
    }

    /// Whether it looks like a symbol with its exchange (`SAN.MC`); it is not matched against names with typos.
    pub fn is_dotted(&self) -> bool {
        self.symbol.contains('.') && !self.symbol.contains(' ')
    }
}
