//! The securities listed at the end of the file, by the number that transactions refer to.

use std::collections::HashMap;

use super::blocks::Block;
use crate::Record;
use crate::reading::{fields, us_security};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Share,
    Bond,
    Option,
    Unknown,
}

pub struct Securities<'a> {
    listed: HashMap<&'a str, &'a Block>,
}

impl<'a> Securities<'a> {
    pub fn of(blocks: &'a [Block]) -> Securities<'a> {
        Securities { listed: blocks.iter().filter_map(|block| Some((block.get("UNIQUEID")?, block))).collect() }
    }

    pub fn class(&self, block: &Block) -> Class {
        match (block.kind.as_str(), self.beside(block).map(|listed| listed.kind.as_str())) {
            ("BUYDEBT" | "SELLDEBT", _) | (_, Some("DEBTINFO")) => Class::Bond,
            ("BUYOPT" | "SELLOPT" | "CLOSUREOPT", _) | (_, Some("OPTINFO")) => Class::Option,
            (_, Some("STOCKINFO" | "MFINFO")) => Class::Share,
            _ => Class::Unknown,
        }
    }

    fn beside(&self, block: &Block) -> Option<&'a Block> {
        self.listed.get(block.get("UNIQUEID")?).copied()
    }

    /// Adds what identifies the transaction's security to the record, whose currency is known.
    pub fn identify(&self, record: &mut Record, block: &Block) {
        let number = block.get("UNIQUEID").unwrap_or_default();
        let listed = self.beside(block);
        let ticker = listed.and_then(|listed| listed.get("TICKER")).filter(|ticker| *ticker != number);
        record.name = listed.and_then(|listed| listed.get("SECNAME")).and_then(fields::short);
        record.ticker = ticker.and_then(us_security::ticker);
        let in_dollars = block.currency == "USD" && record.currency == us_security::dollars();
        match block.get("UNIQUEIDTYPE").unwrap_or_default().to_ascii_uppercase().as_str() {
            "ISIN" => record.isin = fields::isin("UNIQUEID", number).ok(),
            "TICKER" | "SYMBOL" => record.ticker = record.ticker.take().or_else(|| us_security::ticker(number)),
            _ => {
                record.cusip = us_security::cusip(number);
                record.isin = fields::isin("UNIQUEID", number).ok();
            }
        }
        record.suffix = (record.ticker.is_some() && in_dollars).then_some("");
        if [&record.ticker, &record.isin, &record.cusip, &record.name].into_iter().all(Option::is_none) {
            // A plan's own numbers for its funds at least name them.
            record.name = fields::short(number);
        }
    }
}
