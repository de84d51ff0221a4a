//! Avanza's transactions: `Datum; Konto; Typ av transaktion; Värdepapper/beskrivning; Antal; Kurs; Belopp; …; ISIN`.

use std::collections::BTreeMap;

use jiff::civil::Date;
use ledger::{Currency, Decimal};

use crate::joining::moved_shares::{as_split, sum};
use crate::joining::negative_purchase;
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, day, fields};
use crate::rows::{self, Read};
use crate::{Kind, Parsed, Reason, Record};

pub const COLUMNS: &[&str] =
    &["datum", "konto", "typ av transaktion", "värdepapper/beskrivning", "antal", "kurs", "belopp", "isin"];

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut moves = Moves::new();
    let mut parsed = rows::parse(table, |line| read(&line, &mut moves));
    moves.into_values().for_each(|rows| finish(rows, &mut parsed));
    parsed
}

/// Shares of one instrument that were removed and added on one day: moved between the user's accounts, or split.
type Moves = BTreeMap<(String, Date), Vec<Record>>;

fn key(line: &Line<'_, '_>) -> String {
    ["datum", "konto", "isin"].map(|name| line.text(name).unwrap_or_default()).join(" ")
}

fn read(line: &Line<'_, '_>, moves: &mut Moves) -> Result<Read, Reason> {
    let kind = line.need("typ av transaktion")?;
    let lower = kind.to_lowercase();
    let shares = line.figure("antal")?.filter(|shares| !shares.is_zero());
    let isin = line.text("isin").filter(|isin| *isin != "-");
    let record = |kind: Kind| blank(line, kind, isin);
    match lower.as_str() {
        "köp" | "köpt" => trade(line, record(Kind::Buy)?).map(Read::from),
        "sälj" | "sålt" => trade(line, record(Kind::Sell)?).map(Read::from),
        "utdelning" => {
            let amount = Some(line.figure_needed("belopp")?);
            Ok(Read::dividend(key(line), Record { amount, shares, ..record(Kind::Dividend)? }))
        }
        _ if isin.is_some() && (lower.contains("källskatt") || lower.starts_with("prelskatt utdelning")) => {
            let tax = line.figure_needed("belopp")?;
            // It names the payment, not the company.
            Ok(Read::tax(key(line), -tax, Record { name: None, ..record(Kind::Dividend)? }))
        }
        _ => match shares {
            None => Ok(Read::Skip(Reason::Cash)),
            Some(shares) if lower.contains("överföring") || lower == "övrigt" || lower.contains("split") => {
                let record = moved(record, shares)?;
                let instrument = record.isin.clone().or_else(|| record.name.clone()).unwrap_or_default();
                moves.entry((instrument, record.date)).or_default().push(record);
                Ok(Read::Kept)
            }
            Some(_) => Err(Reason::unsupported(kind)),
        },
    }
}

fn blank(line: &Line<'_, '_>, kind: Kind, isin: Option<&str>) -> Result<Record, Reason> {
    let currency = line.any(&["transaktionsvaluta", "valuta"]).unwrap_or("SEK");
    let currency = fields::currency("Transaktionsvaluta", currency)?;
    Ok(Record {
        name: line.text("värdepapper/beskrivning").and_then(short),
        isin: isin.and_then(|isin| fields::isin("ISIN", isin).ok()),
        currency: Some(currency),
        ..Record::new(line.number(), day("Datum", line.need("datum")?, Order::DayFirst)?, kind)
    })
}

/// The total is in the account's currency and includes the fee. The price is in the instrument's currency, and so is the record
/// if the rate between them (units of the account's currency per unit of the instrument's) is given.
fn trade(line: &Line<'_, '_>, record: Record) -> Result<Record, Reason> {
    let shares = Some(negative_purchase::shares_moved(record.kind, line.figure_needed("antal")?)?);
    let fees = line.figure("courtage")?.or(line.figure("courtage (sek)")?).map(|fees| fees.abs());
    let quoted = line
        .text("instrumentvaluta")
        .and_then(|code| Currency::parse(code).ok())
        .filter(|quoted| record.currency != Some(*quoted));
    let rate = line.figure("valutakurs")?.filter(|rate| *rate > Decimal::ZERO && *rate != Decimal::ONE);
    if let (Some(quoted), Some(rate), Some(price)) = (quoted, rate, line.figure("kurs")?) {
        let fees = fees.map(|fees| fees.checked_div(rate).ok_or(Reason::FiguresTooLarge)).transpose()?;
        let fees = fees.map(|fees| fees.round_dp(10).normalize());
        return Ok(Record { shares, price: Some(price), fees, currency: Some(quoted), ..record });
    }
    let sum = line.figure_needed("belopp")?;
    if record.kind == Kind::Sell && sum < Decimal::ZERO {
        return Err(Reason::Reversal);
    }
    let sum = sum.abs();
    let amount = match record.kind {
        Kind::Sell => sum.checked_add(fees.unwrap_or_default()),
        _ => sum.checked_sub(fees.unwrap_or_default()),
    };
    Ok(Record { shares, amount, fees, ..record })
}

/// Shares added or removed without money: from another bank, or under another ISIN.
fn moved(record: impl Fn(Kind) -> Result<Record, Reason>, shares: Decimal) -> Result<Record, Reason> {
    let (kind, amount, note) = match shares > Decimal::ZERO {
        true => (Kind::TransferIn, Some(Decimal::ZERO), "Received without money; its cost is not in the file"),
        false => (Kind::TransferOut, None, "Given up without money"),
    };
    let note = Some(note.to_owned());
    Ok(Record { shares: Some(shares.abs()), amount, note, ..record(kind)? })
}

fn finish(rows: Vec<Record>, parsed: &mut Parsed) {
    let (gone, come) = (sum(&rows, Kind::TransferOut), sum(&rows, Kind::TransferIn));
    if gone == come {
        rows.iter().for_each(|row| parsed.skip(row.line, Reason::MovedInside));
    } else {
        parsed.records.extend(as_split(rows));
    }
}
