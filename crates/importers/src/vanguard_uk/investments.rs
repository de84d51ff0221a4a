//! The table of investments: the same trades again, with their prices.

use ledger::{Currency, Decimal, Kind};

use super::Details;
use super::details::Instrument;
use super::trades::{Trade, Trades};
use crate::Record;
use crate::reading::{Line, Order, day, fields};

/// A reason why the row is left aside, when it is.
pub fn read(line: Line<'_, '_>, trades: &mut Trades) -> Result<Option<String>, String> {
    let date = day("date", line.need("date")?, Order::DayFirst)?;
    let quantity = line.figure_needed("quantity")?;
    let currency = Currency::parse("GBP").map_err(|unknown| unknown.to_string())?;
    let text = line.text("transactiondetails").unwrap_or_default();
    let signed = |kinds: (Kind, Kind)| if quantity.is_sign_negative() { kinds.1 } else { kinds.0 };
    let record = |kind: Kind| -> Result<Record, String> {
        let price = line.figure("price")?.map(|price| price.abs());
        let amount = line.figure("cost")?.map(|cost| cost.abs());
        let shares = Some(quantity.abs());
        Ok(Record { shares, price, amount, currency: Some(currency), ..Record::new(line.number(), date, kind) })
    };
    let named = line.any(&["investmentname", "investment name"]).map(Instrument::named);
    match Details::of(text)? {
        _ if quantity.is_zero() => return Ok(Some("no shares in it".to_owned())),
        Details::Trade { kind, instrument, .. } => {
            trades.investments.push(Trade::of(named.unwrap_or(instrument).of(record(kind)?), text));
        }
        Details::Reversal(of) => match Details::of(of)? {
            Details::Trade { kind, .. } => trades.investment_reversals.push(Trade::of(record(kind)?, of)),
            _ => return Err(unknown(text)),
        },
        // Before the autumn of 2021 nothing was said.
        Details::Other if text.is_empty() => {
            let record = record(signed((Kind::Buy, Kind::Sell)))?;
            trades.investments.push(Trade::of(named.unwrap_or_default().of(record), text));
        }
        Details::Other if text.starts_with("NameChange") => {
            let record = record(signed((Kind::TransferIn, Kind::TransferOut)))?;
            let amount = record.amount.or(Some(Decimal::ZERO));
            let moved = Record { note: fields::short(text), amount, price: None, ..record };
            trades.others.push(named.unwrap_or_default().of(moved));
        }
        _ => return Err(unknown(text)),
    }
    Ok(None)
}

fn unknown(text: &str) -> String {
    let text = fields::short(text).unwrap_or_default();
    format!("\"{text}\" is not known here; take the row out and enter by hand what it did to the shares")
}
