//! What all records of transactions have: date, security, currency and id.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Decimal, Kind};

use super::blocks::Block;
use crate::reading::{Decimals, Order, day, fields, figure, us_security};
use crate::{Reason, Record};

pub fn record(block: &Block, securities: &Securities<'_>, kind: Kind) -> Result<Record, Reason> {
    if block.get("UNIQUEID").is_none() {
        return Err(Reason::NoSecurity);
    }
    let traded = block.get("DTTRADE").ok_or_else(|| Reason::missing("DTTRADE"))?;
    let mut record = Record::new(block.line, date("DTTRADE", traded)?, kind);
    let code = block.get("CURRENCY.CURSYM").unwrap_or(&block.currency);
    record.currency = Some(fields::currency("currency", code)?);
    record.fx_rate = rate(block)?;
    record.id = block.get("FITID").and_then(|id| fields::short(&format!("{} {id}", ending(&block.account))));
    securities.identify(&mut record, block);
    Ok(record)
}

/// If amounts were converted, the rate is units of the account's currency per unit of the original.
fn rate(block: &Block) -> Result<Option<Decimal>, Reason> {
    let original = block.get("ORIGCURRENCY.CURSYM").filter(|code| *code != block.currency);
    let rate = number(block, "ORIGCURRENCY.CURRATE")?.filter(|rate| *rate > Decimal::ZERO);
    let turned = rate.and_then(|rate| Decimal::ONE.checked_div(rate)).map(|rate| rate.round_dp(10).normalize());
    Ok(original.and(turned).filter(|rate| *rate > Decimal::ZERO))
}

/// Ids are unique within an account; four characters distinguish the user's accounts without revealing them.
fn ending(account: &str) -> String {
    let letters: Vec<char> = account.chars().collect();
    letters.iter().skip(letters.len().saturating_sub(4)).collect()
}

pub fn date(name: &str, text: &str) -> Result<Date, Reason> {
    day(name, text, Order::MonthFirst)
}

pub fn number(block: &Block, name: &str) -> Result<Option<Decimal>, Reason> {
    // Fidelity pads its numbers with zeros on both sides.
    let bare = |figure: Decimal| if figure.scale() > 2 { figure.normalize() } else { figure };
    block.get(name).map(|text| figure(name, text, Decimals::Point).map(bare)).transpose()
}

pub fn needed(block: &Block, name: &str) -> Result<Decimal, Reason> {
    number(block, name)?.ok_or_else(|| Reason::missing(name))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Share,
    Bond,
    Option,
    Unknown,
}

/// The securities listed at the end of the file, by the number that transactions refer to.
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
