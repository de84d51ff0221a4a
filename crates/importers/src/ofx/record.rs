//! What all records of transactions have: date, security, currency and id.

use jiff::civil::Date;
use ledger::{Decimal, Kind};

use super::blocks::Block;
use super::security::Securities;
use crate::reading::{Decimals, Order, day, fields, figure};
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
