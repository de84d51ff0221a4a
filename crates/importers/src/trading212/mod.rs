//! Trading 212: the history as CSV. Every generation of its header is read by column titles.

mod cells;
mod columns;
mod dividend;
mod ids;
mod split;
mod trade;

use std::collections::HashSet;

use crate::reading::{Table, Words};
use crate::rows::{self, Read};
use crate::{Kind, Opened, Parsed, Reason};
use cells::Cells;
use columns::Columns;
use split::Splits;

static ACTIONS: Words = Words::new(include_str!("actions.txt"));

pub const COLUMNS: &[&str] = &["Action", "Time", "ISIN", "Ticker", "No. of shares", "Price / share"];

pub fn parse(table: &Table<'_>) -> Parsed {
    let columns = Columns::of(table);
    let mut splits = Splits::default();
    let mut in_pence = HashSet::new();
    let mut parsed = rows::parse(table, |line| {
        let cells = Cells::of(&columns, line);
        if cells.is_in_pence() {
            in_pence.insert((cells.isin(), cells.ticker()));
        }
        read(&cells, &mut splits)
    });
    splits.finish(&mut parsed);
    ids::give(&mut parsed.records);
    // Prices in pence mean London; dividends of the same share may also come in other currencies.
    for record in parsed.records.iter_mut().filter(|_| !in_pence.is_empty()) {
        if in_pence.contains(&(record.isin.clone(), record.ticker.clone())) {
            record.suffix = Some(".L");
        }
    }
    parsed
}

pub fn table(file: &Opened) -> Option<Table<'_>> {
    file.sheets.iter().find_map(|sheet| {
        let table = Table::of(sheet, &["action"])?;
        let timed = table.has("time") || table.has("time (utc)");
        let of_shares = table.has_all(&["no. of shares", "price / share", "currency (price / share)"]);
        // An export of cash only has no columns for shares.
        let in_total =
            |name: &str| name.starts_with("Charge amount (") || ["Currency (Total)", "Currency (Gross Total)"].contains(&name);
        let of_cash = table.has("id") && table.names().any(in_total);
        (timed && (of_shares || of_cash)).then_some(table)
    })
}

fn read(cells: &Cells<'_, '_>, splits: &mut Splits) -> Result<Read, Reason> {
    let action = cells.action().ok_or_else(|| Reason::missing("action"))?;
    let plain = action.to_lowercase();
    let skip = |reason: Reason| Ok(Read::Skip(reason));
    if let Some(kind) = dividend::kind_of(&plain) {
        return dividend::dividend(cells, kind).map(Read::from);
    }
    let meaning = ACTIONS.meaning(&plain);
    match plain.as_str() {
        _ if meaning == Some("cash") => skip(Reason::Cash),
        _ if plain.ends_with(" buy") => trade::trade(cells, Kind::Buy).map(Read::from),
        _ if plain.ends_with(" sell") => trade::trade(cells, Kind::Sell).map(Read::from),
        _ if !cells.has_instrument() => skip(Reason::NoShares),
        "stock split open" => splits.opened(cells),
        "stock split close" => splits.closed(cells),
        _ if meaning == Some("shares for nothing") => {
            trade::received(cells, format!("{plain}: shares for nothing")).map(Read::from)
        }
        _ if meaning == Some("transfer in") => trade::trade(cells, Kind::TransferIn).map(Read::from),
        "transfer out" => trade::trade(cells, Kind::TransferOut).map(Read::from),
        "stock split" => Err(Reason::SplitRatioUnknown),
        _ => Err(Reason::unsupported(action)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;

    const BUY: [(&str, &str); 12] = [
        ("Action", "Market buy"),
        ("Time", "2024-01-02 10:20:30"),
        ("ISIN", "US1912161007"),
        ("Ticker", "KO"),
        ("Name", "Coca-Cola"),
        ("ID", "EOF1"),
        ("No. of shares", "10"),
        ("Price / share", "50.25"),
        ("Currency (Price / share)", "USD"),
        ("Exchange rate", "1.00000"),
        ("Total", "502.50"),
        ("Currency (Total)", "USD"),
    ];

    fn read_one(columns: &[(&str, &str)]) -> Record {
        let line = |part: fn(&(&str, &str)) -> String| columns.iter().map(part).collect::<Vec<_>>().join(",");
        let text = format!("{}\n{}\n", line(|column| column.0.to_owned()), line(|column| column.1.to_owned()));
        let file = Opened::open(text.as_bytes()).unwrap();
        let mut parsed = parse(&table(&file).unwrap());
        assert_eq!((parsed.rows, parsed.records.len(), &parsed.errors), (1, 1, &Vec::new()), "{text}");
        parsed.records.remove(0)
    }

    fn with(more: &[(&'static str, &'static str)]) -> Record {
        read_one(&[&BUY, more].concat())
    }

    fn without(name: &str) -> Record {
        read_one(&BUY.into_iter().filter(|column| column.0 != name).collect::<Vec<_>>())
    }

    #[test]
    fn columns_are_read_by_name_in_any_order() {
        let whole = read_one(&BUY);
        assert_eq!(whole.id.as_deref(), Some("EOF1 buy 10"));
        assert_eq!(read_one(&BUY.into_iter().rev().collect::<Vec<_>>()), whole);
        assert_eq!(with(&[("Ticker", "PEP"), ("No. of shares", "7")]), whole, "of equal names the first");
        assert_eq!(with(&[("Time (UTC)", "")]), whole);
        assert_eq!(with(&[("Time (UTC)", "2024-01-02 09:20:30")]).time.map(|time| time.hour()), Some(9));
        assert_eq!(with(&[("Notes", "a gift")]), Record { note: Some("a gift".to_owned()), ..whole });
    }

    #[test]
    fn a_missing_column_affects_only_its_own_field() {
        let whole = || read_one(&BUY);
        assert_eq!(without("Exchange rate"), whole());
        assert_eq!(without("Name"), Record { name: None, ..whole() });
        assert_eq!(without("Ticker"), Record { ticker: None, ..whole() });
        assert_eq!(without("ISIN"), Record { isin: None, ..whole() });
        assert_eq!(without("ID"), Record { id: None, ..whole() });
        let priced_in_total =
            Record { price: None, amount: whole().price.map(|price| price * whole().shares.unwrap()), ..whole() };
        assert_eq!(without("Price / share"), priced_in_total);
        assert_eq!(without("Currency (Price / share)"), priced_in_total);
    }
}
