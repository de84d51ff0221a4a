//! Trade Republic's own export of transactions (CSV): one row each, amounts in euros, signed as they change the account.

mod meaning;
mod moves;
mod reinvested;
mod row;
mod shares;

use meaning::{Meaning, meaning};
use row::Row;
use shares::Shares;

use crate::reading::Table;
use crate::rows::{self, Read};
use crate::{Parsed, Reason};

pub const COLUMNS: &[&str] = &["category", "type", "symbol", "shares", "amount", "currency", "transaction_id"];

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut shares = Shares::default();
    let mut parsed = rows::parse(table, |line| read(Row(line), &mut shares));
    shares.finish(&mut parsed);
    parsed
}

fn read(row: Row<'_, '_>, shares: &mut Shares) -> Result<Read, Reason> {
    let (category, kind) = (row.0.text("category").unwrap_or_default(), row.kind());
    let class = row.class();
    let meaning = meaning(category, kind, class);
    match meaning {
        Meaning::Skip(reason) => return Ok(Read::Skip(reason)),
        Meaning::Unknown if !row.names_something() => return Ok(Read::Skip(Reason::NoShares)),
        Meaning::Unknown => return Err(Reason::unsupported(format!("{category} {kind}"))),
        Meaning::Dividend if row.is_assumed_income()? => return Ok(Read::Skip(Reason::AssumedIncome)),
        Meaning::Dividend => shares.dividend(row::dividend(row)?),
        Meaning::Buy | Meaning::Sell | Meaning::Redemption => shares.trade(row::trade(row, meaning)?, row.moment()?),
        Meaning::Moved | Meaning::Exchanged | Meaning::Split | Meaning::Migration | Meaning::Reinvestment => {
            shares.moved(moves::Move::read(row, meaning)?);
        }
    }
    Ok(Read::Kept)
}
