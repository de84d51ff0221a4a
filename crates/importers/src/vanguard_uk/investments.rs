//! The investment table: the same trades again, with their prices.

use ledger::{Decimal, Kind};

use super::details::{Details, Instrument, unsupported};
use super::trades::{Trade, Trades};
use crate::reading::{Line, Order, day, fields};
use crate::{Reason, Record};

/// Returns the reason if the row is skipped.
pub fn read(line: Line<'_, '_>, trades: &mut Trades) -> Result<Option<Reason>, Reason> {
    let date = day("date", line.need("date")?, Order::DayFirst)?;
    let quantity = line.figure_needed("quantity")?;
    let currency = fields::currency("currency", "GBP")?;
    let text = line.text("transactiondetails").unwrap_or_default();
    let signed = |kinds: (Kind, Kind)| if quantity.is_sign_negative() { kinds.1 } else { kinds.0 };
    let record = |kind: Kind| -> Result<Record, Reason> {
        let price = line.figure("price")?.map(|price| price.abs());
        let amount = line.figure("cost")?.map(|cost| cost.abs());
        let shares = Some(quantity.abs());
        Ok(Record { shares, price, amount, currency: Some(currency), ..Record::new(line.number(), date, kind) })
    };
    let named = line.any(&["investmentname", "investment name"]).map(Instrument::named);
    match Details::read(text)? {
        _ if quantity.is_zero() => return Ok(Some(Reason::NoShares)),
        Details::Trade { kind, instrument, .. } => {
            trades.investments.push(Trade::of(named.unwrap_or(instrument).identify(record(kind)?), text));
        }
        Details::Reversal(of) => match Details::read(of)? {
            Details::Trade { kind, .. } => trades.investment_reversals.push(Trade::of(record(kind)?, of)),
            _ => return Err(unsupported(text)),
        },
        // Before autumn 2021 the details were empty.
        Details::Other if text.is_empty() => {
            let record = record(signed((Kind::Buy, Kind::Sell)))?;
            trades.investments.push(Trade::of(named.unwrap_or_default().identify(record), text));
        }
        Details::Other if text.starts_with("NameChange") => {
            let record = record(signed((Kind::TransferIn, Kind::TransferOut)))?;
            let amount = record.amount.or(Some(Decimal::ZERO));
            let moved = Record { note: fields::short(text), amount, price: None, ..record };
            trades.others.push(named.unwrap_or_default().identify(moved));
        }
        _ => return Err(unsupported(text)),
    }
    Ok(None)
}
