//! The cash table: what everything cost and paid.

use ledger::Kind;

use super::details::{Details, unsupported};
use super::trades::{Trade, Trades};
use crate::reading::{Line, Order, day, fields};
use crate::{Reason, Record};

/// Returns the reason if the row is skipped.
pub fn read(line: Line<'_, '_>, trades: &mut Trades) -> Result<Option<Reason>, Reason> {
    let date = day("date", line.need("date")?, Order::DayFirst)?;
    let text = line.need("details")?;
    let amount = line.figure_needed("amount")?;
    let currency = fields::currency("currency", "GBP")?;
    let record = |kind: Kind| Record { currency: Some(currency), ..Record::new(line.number(), date, kind) };
    match Details::read(text)? {
        Details::Trade { kind, shares, instrument } => {
            let paid = Some(amount.abs());
            let record = instrument.identify(Record { shares: Some(shares), amount: paid, ..record(kind) });
            trades.cash.push(Trade::of(record, text));
        }
        Details::DealingFee { kind, name } => trades.fee(record(kind), name, amount.abs()),
        Details::Dividend { .. } => trades.others.push(dividend(record(Kind::Dividend), text, amount)?),
        Details::Reversal(of) => match Details::read(of)? {
            Details::Dividend { .. } => {
                let reversal = dividend(record(Kind::Dividend), of, amount)?;
                trades.others.push(Record { note: Some("reversal".to_owned()), ..reversal });
            }
            Details::Trade { kind, .. } => {
                let reversal = Record { amount: Some(amount.abs()), ..record(kind) };
                trades.cash_reversals.push(Trade::of(reversal, of));
            }
            _ => return Ok(Some(Reason::Cash)),
        },
        Details::Other => return other(text),
    }
    Ok(None)
}

/// The amount has the sign of the cash: a reversal is negative.
fn dividend(record: Record, text: &str, amount: ledger::Decimal) -> Result<Record, Reason> {
    let Details::Dividend { instrument, per_share } = Details::read(text)? else {
        return Err(unsupported(text));
    };
    let in_pounds = per_share.filter(|(_, unit)| Some(unit.currency) == record.currency);
    let note = per_share.filter(|_| in_pounds.is_none()).map(|(rate, unit)| format!("{} {rate} per share", unit.name()));
    let price = in_pounds.map(|(rate, unit)| unit.normalise(rate));
    Ok(instrument.identify(Record { price, amount: Some(amount), note, ..record }))
}

fn other(text: &str) -> Result<Option<Reason>, Reason> {
    let plain = text.to_lowercase();
    let names_shares = OF_SHARES.iter().any(|word| plain.contains(word));
    match names_shares && !OF_CASH.iter().any(|start| plain.starts_with(start)) {
        true => Err(unsupported(text)),
        false => Ok(Some(Reason::Cash)),
    }
}

/// Words that no skipped row may contain.
const OF_SHARES: &[&str] = &["dividend", "distribution", "income", "name change", "namechange", "split", "merger", ".xlon"];
const OF_CASH: &[&str] =
    &["cash ", "deposit", "regular deposit", "transfer ", "payment by", "withdrawal", "account fee", "reversal"];
