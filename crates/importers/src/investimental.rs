//! Investimental's orders (CSV): each change of an order is a row, and only some of them are trades.

use std::collections::HashMap;

use ledger::Decimal;

use crate::reading::{Line, Order, Table, fields, moment};
use crate::rows::{Read, Rows};
use crate::{Kind, Parsed, Reason, Record};

pub const COLUMNS: &[&str] =
    &["order number", "side", "exchange", "symbol", "price", "volume", "fee", "status", "update type", "update time"];

/// What is left of an order: its shares and its fee.
type Rest = (Decimal, Decimal);

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut lines: Vec<Line<'_, '_>> = table.lines().collect();
    let time = |line: &Line<'_, '_>| moment("update time", line.text("update time").unwrap_or_default(), Order::DayFirst).ok();
    lines.sort_by_key(time);
    let mut rest: HashMap<String, Rest> = HashMap::new();
    let mut rows = Rows::default();
    for line in lines {
        rows.add(line.number(), read(line, &mut rest));
    }
    rows.finish()
}

fn read(line: Line<'_, '_>, rest: &mut HashMap<String, Rest>) -> Result<Read, Reason> {
    let left = (line.figure_needed("volume")?, line.figure("fee")?.unwrap_or_default());
    let before = rest.insert(line.need("order number")?.to_owned(), left);
    let update = line.need("update type")?;
    if !update.eq_ignore_ascii_case("fil") {
        return Ok(Read::Skip(Reason::NotExecuted { status: update.into() }));
    }
    // A public offer of bonds.
    if line.text("market") == Some("POFB") {
        return Ok(Read::Skip(Reason::unsupported_asset("bond")));
    }
    let (date, time) = moment("update time", line.need("update time")?, Order::DayFirst)?;
    let kind = match line.need("side")?.to_uppercase().as_str() {
        "BUY" => Kind::Buy,
        "SELL" => Kind::Sell,
        side => return Err(Reason::unsupported(side)),
    };
    // The last row of an order has the shares of its last trade, the others what is left after theirs.
    let is_last = line.need("status")?.eq_ignore_ascii_case("inactive");
    let shares = match (is_last, before) {
        (true, _) => left.0,
        (false, Some((shares, _))) => shares.saturating_sub(left.0),
        (false, None) => return Err(Reason::CounterpartMissing),
    };
    let fees = before.map(|(_, fee)| if is_last { fee } else { fee.saturating_sub(left.1) });
    let account = line.text("account name").unwrap_or_default();
    let code = account.rsplit_once('[').and_then(|(_, code)| code.strip_suffix(']')).ok_or(Reason::AccountCurrencyMissing)?;
    Ok(Record {
        time,
        ticker: Some(fields::symbol("symbol", line.need("symbol")?)?),
        suffix: line.text("exchange").filter(|exchange| *exchange == "BVB").map(|_| ".RO"),
        shares: Some(shares),
        price: Some(line.figure_needed("price")?),
        fees: fees.filter(|fees| !fees.is_zero()),
        currency: Some(fields::currency("account name", code)?),
        id: line.text("last trade ticket").filter(|ticket| *ticket != "0").and_then(fields::short),
        ..Record::new(line.number(), date, kind)
    }
    .into())
}
