//! Trade Republic's own export of transactions (CSV): one row each, amounts in euros, signed as they change the account.

mod meaning;
mod moves;
mod payment;
mod reinvested;
mod row;
mod shares;

use meaning::{Meaning, meaning};
use row::Row;
use shares::Shares;

use crate::reading::Table;
use crate::{Opened, Parsed, Reason};

const COLUMNS: [&str; 7] = ["category", "type", "symbol", "shares", "amount", "currency", "transaction_id"];

pub fn detect(file: &Opened) -> bool {
    Table::find(file, &COLUMNS).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = Table::find(file, &COLUMNS) else {
        return Parsed::refused(1, Reason::header_missing(&COLUMNS));
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

fn read(row: Row<'_, '_>, parsed: &mut Parsed, shares: &mut Shares) -> Result<(), Reason> {
    let (category, kind) = (row.0.text("category").unwrap_or_default(), row.kind());
    let class = row.class();
    let meaning = meaning(category, kind, class);
    match meaning {
        Meaning::Skip(reason) => parsed.skip(row.0.number(), reason),
        Meaning::Unknown if !row.names_something() => parsed.skip(row.0.number(), Reason::NoShares),
        Meaning::Unknown => return Err(Reason::unsupported(format!("{category} {kind}"))),
        Meaning::Dividend if row.is_assumed_income()? => parsed.skip(row.0.number(), Reason::AssumedIncome),
        Meaning::Dividend => shares.dividend(payment::dividend(row)?),
        Meaning::Buy | Meaning::Sell | Meaning::Redemption => shares.trade(payment::trade(row, meaning)?, row.moment()?),
        Meaning::Moved | Meaning::Exchanged | Meaning::Split | Meaning::Migration | Meaning::Reinvestment => {
            shares.moved(moves::Move::read(row, meaning)?);
        }
    }
    Ok(())
}
