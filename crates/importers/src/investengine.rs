//! InvestEngine: the trading statement as CSV. It does not include dividends.

use ledger::Currency;

use crate::reading::{Line, Order, Table, fields, moment};
use crate::{Kind, Opened, Parsed, Reason, Record};

const COLUMNS: [&str; 5] = ["security / isin", "transaction type", "quantity", "share price", "trade date/time"];

pub fn detect(file: &Opened) -> bool {
    find(file).is_some()
}

fn find(file: &Opened) -> Option<Table<'_>> {
    Table::find(file, &COLUMNS)
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = find(file) else { return Parsed::refused(1, Reason::header_missing(&COLUMNS)) };
    let mut parsed = Parsed::default();
    for line in table.lines() {
        parsed.rows += 1;
        match read(line) {
            Ok(record) => parsed.records.push(record),
            Err(reason) => parsed.error(line.number(), reason),
        }
    }
    parsed
}

fn read(line: Line<'_, '_>) -> Result<Record, Reason> {
    let written = line.need("transaction type")?;
    let kind = match written.to_lowercase().as_str() {
        "buy" => Kind::Buy,
        "sell" => Kind::Sell,
        _ => {
            return Err(Reason::unsupported(written));
        }
    };
    let (date, time) = moment("trade date/time", line.need("trade date/time")?, Order::DayFirst)?;
    let security = line.need("security / isin")?;
    let (name, isin) = security.rsplit_once(" / ISIN ").unwrap_or((security, ""));
    let pounds = Currency::parse("GBP").map_err(|unknown| Reason::unknown_currency("currency", unknown))?;
    Ok(Record {
        time,
        name: fields::short(name),
        isin: fields::isin("isin", isin.trim()).ok(),
        shares: Some(line.figure_needed("quantity")?.abs()),
        price: line.figure("share price")?,
        amount: line.figure("total trade value")?.map(|value| value.abs()),
        currency: Some(pounds),
        ..Record::new(line.number(), date, kind)
    })
}
