//! Rabobank's investment movements: `Portefeuille; Naam; Datum; Type mutatie; …; Volume; Koers; …; Waarde; Bedrag; Isin code; …`.

use ledger::{Decimal, Kind};

use crate::joining::negative_purchase;
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, fields, moment};
use crate::rows::{self, Read};
use crate::{Parsed, Reason, Record};

pub const COLUMNS: &[&str] = &["naam", "datum", "type mutatie", "volume", "koers", "waarde", "bedrag", "isin code"];

pub fn parse(table: &Table<'_>) -> Parsed {
    rows::parse(table, |line| read(&line))
}

fn read(line: &Line<'_, '_>) -> Result<Read, Reason> {
    let kind = line.need("type mutatie")?;
    let lower = kind.to_lowercase();
    if line.text("isin code").is_none() && line.text("naam").is_none() {
        return Ok(Read::Skip(Reason::Cash));
    }
    let record_kind = match lower.split_whitespace().next().unwrap_or_default() {
        "koop" | "aankoop" => Kind::Buy,
        "verkoop" => Kind::Sell,
        _ if lower == "contant dividend" || lower == "dividend" => Kind::Dividend,
        _ => {
            return Err(Reason::unsupported(kind));
        }
    };
    let own = line.need("valuta mutatie")?;
    let at = [line.need("datum")?, line.text("tijd").unwrap_or_default()].join(" ");
    let (date, time) = moment("Datum", &at, Order::DayFirst)?;
    let record = Record {
        time,
        name: line.text("naam").and_then(short),
        isin: line.isin("isin code"),
        currency: Some(fields::currency("Valuta mutatie", own)?),
        shares: Some(negative_purchase::shares_moved(record_kind, line.figure_needed("volume")?)?),
        ..Record::new(line.number(), date, record_kind)
    };
    let abroad = line.text("valuta koers").is_some_and(|quoted| quoted != own);
    money(line, record, abroad).map(Read::from)
}

/// `Waarde` is before costs and tax, `Bedrag` after them. If the price is in another currency, only the latter is reliable.
fn money(line: &Line<'_, '_>, record: Record, abroad: bool) -> Result<Record, Reason> {
    let (worth, sum) = (line.figure_needed("waarde")?, line.figure_needed("bedrag")?);
    let difference = |more: Decimal, less: Decimal| more.checked_sub(less).ok_or(Reason::FiguresTooLarge);
    let record = match (record.kind, abroad) {
        (Kind::Dividend, true) => Record { net: Some(sum), ..record },
        (Kind::Dividend, false) => {
            let gross = if sum < Decimal::ZERO { -worth.abs() } else { worth };
            let price = line.figure("koers")?.filter(|_| gross > Decimal::ZERO);
            Record { amount: Some(gross), tax: Some(difference(gross, sum)?), net: Some(sum), price, ..record }
        }
        (_, true) => Record { amount: Some(sum.abs()), ..record },
        (Kind::Sell, false) => Record { amount: Some(worth.abs()), fees: Some(difference(worth.abs(), sum.abs())?), ..record },
        (_, false) => Record { amount: Some(worth.abs()), fees: Some(difference(sum.abs(), worth.abs())?), ..record },
    };
    Ok(record)
}
