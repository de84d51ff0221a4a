//! A Yahoo Finance portfolio: one line per lot, next to the quotes of the export date.

use jiff::civil::Date;
use ledger::{Decimal, Kind};

use crate::positions::mark_openings;
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, day, fields};
use crate::rows::{self, Read};
use crate::{Opened, Parsed, Reason, Record};

const COLUMNS: &[&str] = &["symbol", "trade date", "purchase price", "quantity"];

pub fn detect(file: &Opened) -> bool {
    Table::find(file, COLUMNS).is_some_and(|table| table.has("commission") || table.has("current price"))
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = Table::find(file, COLUMNS) else {
        return Parsed::refused(1, Reason::header_missing(COLUMNS));
    };
    let order = Order::sniffed(table.lines().filter_map(|line| line.text("trade date")));
    let mut parsed = rows::parse(&table, |line| read(&line, order, file.import_date));
    mark_openings(parsed.records.iter_mut().filter(|record| record.kind == Kind::TransferIn));
    parsed
}

fn read(line: &Line<'_, '_>, order: Order, imported: Option<Date>) -> Result<Read, Reason> {
    let symbol = line.need("symbol")?;
    if symbol.starts_with("$$") {
        return Ok(Read::Skip(Reason::Cash));
    }
    let shares = line.figure("quantity")?.filter(|shares| !shares.is_zero());
    let Some(shares) = shares else { return Ok(Read::Skip(Reason::NoShares)) };
    let traded = line.text("trade date").filter(|text| *text != "-").map(|text| day("Trade Date", text, order)).transpose()?;
    let kind = match line.text("transaction type").unwrap_or("BUY").to_uppercase().as_str() {
        // Without a date it is a position on the day of the export.
        "BUY" if traded.is_none() && shares > Decimal::ZERO => Kind::TransferIn,
        "BUY" if shares < Decimal::ZERO => Kind::Sell,
        "BUY" => Kind::Buy,
        "SELL" => Kind::Sell,
        other => return Err(Reason::unsupported(other)),
    };
    let exported = line.text("date").and_then(|text| day("Date", text, order).ok());
    let held = exported.or(imported).filter(|_| kind == Kind::TransferIn);
    let date = traded.or(held).ok_or_else(|| Reason::missing("Trade Date"))?;
    let symbol = fields::symbol("Symbol", symbol)?;
    let stated = line.text("currency").map(|code| fields::unit("Currency", code)).transpose()?;
    let money =
        |name: &str| Ok::<_, Reason>(line.figure(name)?.map(|figure| stated.map_or(figure, |unit| unit.normalise(figure))));
    let price = money("purchase price")?;
    if price.is_none() && kind != Kind::TransferIn {
        return Err(Reason::missing("Purchase Price"));
    }
    Ok(Record {
        symbol: Some(symbol),
        shares: Some(shares.abs()),
        price,
        fees: money("commission")?,
        currency: stated.map(|unit| unit.currency),
        // Lots are entered in Yahoo's quote unit: in pence in London, but not for every fund there.
        quoted: stated.is_none(),
        note: line.text("comment").and_then(short),
        ..Record::new(line.number(), date, kind)
    }
    .into())
}
