//! A portfolio of Yahoo Finance: one line per lot, beside the quotes of the day on which it was exported.

use ledger::{Decimal, Kind, QuoteUnit};

use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, day, fields};
use crate::{Opened, Parsed, Record};

const COLUMNS: &[&str] = &["symbol", "trade date", "purchase price", "quantity"];

pub fn detect(file: &Opened) -> bool {
    Table::find(file, COLUMNS).is_some_and(|table| table.has("commission") || table.has("current price"))
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = Table::find(file, COLUMNS) else {
        return Parsed::refused(1, "the columns Symbol, Trade Date, Purchase Price and Quantity are not in this file");
    };
    let order = Order::sniffed(table.lines().filter_map(|line| line.text("trade date")));
    let mut parsed = Parsed::default();
    for line in table.lines() {
        parsed.take(line.number(), read(&line, order));
    }
    parsed
}

/// The inner error is the reason to leave the line out.
fn read(line: &Line<'_, '_>, order: Order) -> Result<Result<Record, &'static str>, String> {
    let symbol = line.need("symbol")?;
    if symbol.starts_with("$$") {
        return Ok(Err("cash, not shares"));
    }
    let shares = line.figure("quantity")?.filter(|shares| !shares.is_zero());
    let date = match (line.text("trade date").filter(|text| *text != "-"), shares) {
        (Some(text), Some(_)) => day("Trade Date", text, order)?,
        (None, Some(_)) => {
            return Err("the lot has no Trade Date; give it one in Yahoo, or in this line, as in 20240131".to_owned());
        }
        (_, None) => return Ok(Err("watched only: no shares were bought")),
    };
    let shares = shares.unwrap_or_default();
    let kind = match line.text("transaction type").unwrap_or("BUY").to_uppercase().as_str() {
        "BUY" if shares < Decimal::ZERO => Kind::Sell,
        "BUY" => Kind::Buy,
        "SELL" => Kind::Sell,
        other => return Err(format!("the Transaction Type \"{other}\" is not known here; it is BUY or SELL")),
    };
    let symbol = fields::symbol("Symbol", symbol)?;
    let stated = line.text("currency").map(QuoteUnit::parse).transpose().map_err(|unknown| format!("Currency {unknown}"))?;
    let money =
        |name: &str| Ok::<_, String>(line.figure(name)?.map(|figure| stated.map_or(figure, |unit| unit.normalise(figure))));
    Ok(Ok(Record {
        symbol: Some(symbol),
        shares: Some(shares.abs()),
        price: Some(money("purchase price")?.ok_or("Purchase Price is missing; give the lot one")?),
        fees: money("commission")?,
        currency: stated.map(|unit| unit.currency),
        // Lots are entered as Yahoo quotes: in pence in London, but not for every fund there.
        quoted: stated.is_none(),
        note: line.text("comment").and_then(short),
        ..Record::new(line.number(), date, kind)
    }))
}
