//! finpension's transactions: `Date; Category; Asset Name; ISIN; Number of Shares; …; Asset Price in CHF; Cash Flow; Balance`.

use ledger::{Currency, Decimal, Kind};

use crate::joining::negative_purchase;
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, day, fields};
use crate::rows::{self, Read};
use crate::{Parsed, Reason, Record};

pub const COLUMNS: &[&str] = &["date", "category", "asset name", "isin", "number of shares", "cash flow"];

pub fn parse(table: &Table<'_>) -> Parsed {
    rows::parse(table, |line| read(&line))
}

fn read(line: &Line<'_, '_>) -> Result<Read, Reason> {
    let category = line.need("category")?;
    if line.text("isin").is_none() && line.text("asset name").is_none() {
        return Ok(Read::Skip(Reason::Cash));
    }
    let shares = line.figure("number of shares")?.filter(|shares| !shares.is_zero());
    let flow = line.figure_needed("cash flow")?;
    let kind = match (category.to_lowercase().as_str(), shares) {
        ("buy", Some(_)) => Kind::Buy,
        ("sell", Some(_)) => Kind::Sell,
        ("portfolio transaction", Some(shares)) if shares > Decimal::ZERO => Kind::Buy,
        ("portfolio transaction", Some(_)) => Kind::Sell,
        ("dividend" | "dividends" | "dividend and interest distributions" | "distribution", _) => Kind::Dividend,
        _ => {
            return Err(Reason::unsupported(category));
        }
    };
    let record = Record {
        name: line.text("asset name").and_then(short),
        isin: line.isin("isin"),
        currency: Some(currency(line)?),
        ..Record::new(line.number(), day("Date", line.need("date")?, Order::DayFirst)?, kind)
    };
    Ok(match kind {
        // The amount received: the file does not say whether tax was deducted from it.
        Kind::Dividend => Record { net: Some(flow), ..record },
        _ => Record {
            shares: shares.map(|shares| negative_purchase::shares_moved(kind, shares)).transpose()?,
            amount: Some(flow.abs()),
            ..record
        },
    }
    .into())
}

/// The account's currency is part of the title of the price column.
fn currency(line: &Line<'_, '_>) -> Result<Currency, Reason> {
    let price = line.table.names().find_map(|name| name.strip_prefix("Asset Price in "));
    fields::currency("Asset Price", price.map_or("CHF", str::trim))
}
