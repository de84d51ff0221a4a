//! Trade Republic's own export of transactions (CSV): one row each, money in euros, signed as it moves the account.

mod meaning;
mod payment;
mod reinvested;
mod row;
mod shares;

use meaning::{Meaning, meaning};
use row::Row;
use shares::Shares;

use crate::reading::Table;
use crate::{Opened, Parsed};

const COLUMNS: [&str; 7] = ["category", "type", "symbol", "shares", "amount", "currency", "transaction_id"];

const BY_HAND: &str = "if it changes your shares or paid you, record it by hand, then take this line out of the file";

const ASSUMED_INCOME: &str = "tax on a fund's assumed income (Vorabpauschale); nothing was paid out";

pub fn detect(file: &Opened) -> bool {
    Table::find(file, &COLUMNS).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = Table::find(file, &COLUMNS) else {
        return Parsed::refused(1, format!("the header of Trade Republic's export is missing: {}", COLUMNS.join(", ")));
    };
    let mut parsed = Parsed::default();
    let mut shares = Shares::default();
    for line in table.lines() {
        parsed.rows += 1;
        let row = Row(line);
        if let Err(reason) = read(row, &mut parsed, &mut shares) {
            parsed.error(line.number(), reason);
        }
    }
    shares.finish(&mut parsed);
    parsed
}

fn read(row: Row<'_, '_>, parsed: &mut Parsed, shares: &mut Shares) -> Result<(), String> {
    let (category, kind) = (row.0.text("category").unwrap_or_default(), row.kind());
    let class = row.class();
    let meaning = meaning(category, kind, class);
    match meaning {
        Meaning::Skip(reason) => parsed.skip(row.0.number(), reason),
        Meaning::Unknown if !row.names_something() => {
            parsed.skip(row.0.number(), format!("{category} {kind} names no stock and moves no shares"));
        }
        Meaning::Unknown => {
            return Err(format!("{category} {kind} is not known here; {BY_HAND}"));
        }
        Meaning::Dividend if row.is_assumed_income()? => parsed.skip(row.0.number(), ASSUMED_INCOME),
        Meaning::Dividend => shares.dividend(payment::dividend(row)?),
        Meaning::Buy | Meaning::Sell | Meaning::Redemption => shares.trade(payment::trade(row, meaning)?, row.moment()?),
        Meaning::Moved | Meaning::Exchanged | Meaning::Split | Meaning::Migration | Meaning::Reinvestment => {
            shares.moved(shares::Move::of(row, meaning)?);
        }
    }
    Ok(())
}
