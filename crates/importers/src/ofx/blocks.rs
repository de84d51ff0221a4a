//! OFX as a flat list of blocks: each transaction and each security with its values. In SGML (1.x) values have no closing tag, in
//! XML (2.x) they do; aggregates are closed in both, so no nesting is needed to read them.

use std::collections::HashMap;

use super::tags::{Tag, Tags};
use crate::{Problem, Reason};

/// A transaction, or a security of the list at the end.
pub struct Block {
    pub kind: String,
    pub line: u64,
    /// The account it belongs to, as in the file.
    pub account: String,
    /// The currency of the statement, unless the block has another.
    pub currency: String,
    values: HashMap<String, String>,
}

#[derive(Default)]
pub struct Blocks {
    pub transactions: Vec<Block>,
    /// Transactions of bank and card accounts.
    pub of_banks: Vec<Block>,
    pub securities: Vec<Block>,
    pub has_investments: bool,
}

impl Block {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }
}

/// The reader's position.
#[derive(Default)]
struct Place {
    list: Option<&'static str>,
    block: Option<Block>,
    account: String,
    currency: String,
    /// Values inside `CURRENCY` and `ORIGCURRENCY` have the same names.
    within: &'static str,
}

const LISTS: [&str; 3] = ["INVTRANLIST", "BANKTRANLIST", "SECLIST"];

pub fn blocks(text: &str) -> Result<Blocks, Problem> {
    let mut blocks = Blocks::default();
    let mut place = Place::default();
    let mut tags = Tags::of(text);
    while let Some(tag) = tags.step() {
        match tag {
            Tag::Open { name, value, line } => open(&mut place, &mut blocks, name, value, line),
            Tag::Close { name } => close(&mut place, &mut blocks, &name),
        }
    }
    match (place.block, place.list) {
        (Some(block), _) => Err(Problem::new(block.line, Reason::CutOff)),
        (None, Some(_)) => Err(Problem::new(tags.line, Reason::CutOff)),
        (None, None) => Ok(blocks),
    }
}

fn open(place: &mut Place, blocks: &mut Blocks, name: String, value: String, line: u64) {
    if let Some(block) = &mut place.block {
        match name.as_str() {
            "CURRENCY" if value.is_empty() => place.within = "CURRENCY.",
            "ORIGCURRENCY" if value.is_empty() => place.within = "ORIGCURRENCY.",
            _ if value.is_empty() => {}
            _ => {
                block.values.entry(format!("{}{name}", place.within)).or_insert(value);
            }
        }
        return;
    }
    match name.as_str() {
        "INVSTMTRS" => {
            blocks.has_investments = true;
            place.account.clear();
        }
        "CURDEF" => place.currency.clone_from(&value),
        // The first is the statement's own; a later one would belong to a balance or a transfer.
        "ACCTID" if place.list.is_none() => place.account.clone_from(&value),
        _ => {}
    }
    if let Some(list) = LISTS.into_iter().find(|list| *list == name) {
        place.list = Some(list);
    } else if place.list.is_some() && value.is_empty() && !name.starts_with("DT") {
        let (account, currency) = (place.account.clone(), place.currency.clone());
        place.block = Some(Block { kind: name, line, account, currency, values: HashMap::new() });
    }
}

fn close(place: &mut Place, blocks: &mut Blocks, name: &str) {
    if matches!(name, "CURRENCY" | "ORIGCURRENCY") {
        place.within = "";
    }
    if place.block.as_ref().is_some_and(|block| block.kind == name) {
        place.within = "";
        match place.list {
            Some("INVTRANLIST") => blocks.transactions.extend(place.block.take()),
            Some("BANKTRANLIST") => blocks.of_banks.extend(place.block.take()),
            _ => blocks.securities.extend(place.block.take()),
        }
    } else if place.block.is_none() && place.list.is_some_and(|list| list == name) {
        place.list = None;
    }
}
