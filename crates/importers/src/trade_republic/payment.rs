//! Rows with money: trades and dividends.

use super::meaning::Meaning;
use super::row::Row;
use crate::joining::{negative_purchase, sum};
use crate::{Kind, Reason, Record};

pub fn trade(row: Row<'_, '_>, meaning: Meaning) -> Result<Record, Reason> {
    let kind = if meaning == Meaning::Buy { Kind::Buy } else { Kind::Sell };
    let (fee, tax) = (row.deducted("fee")?, row.deducted("tax")?);
    // Tax on a buy is a transaction tax, part of its cost; on a sale it is tax on the gain.
    let (fees, tax) = match kind {
        Kind::Buy => (sum(fee, tax), None),
        _ => (fee, tax),
    };
    Ok(Record {
        shares: Some(negative_purchase::shares_moved(kind, row.figure_needed("shares")?)?),
        price: row.figure("price")?,
        amount: Some(row.figure_needed("amount")?.abs()),
        fees,
        tax,
        note: (meaning == Meaning::Redemption).then(|| format!("{}: the shares were redeemed", row.kind())),
        ..row.record(kind)?
    })
}

/// `amount` is the gross. Gross and tax are in the account's currency, and the tax in no other, so the euros are kept: the three
/// figures add up, and the original amount goes into a note. The rate is not used, because the file does not say in which
/// currency the share trades.
///
/// The tax is everything Trade Republic withheld, foreign and German together: the file does not separate them. It is recorded as
/// withheld, because it is what was missing from the payment.
pub fn dividend(row: Row<'_, '_>) -> Result<Record, Reason> {
    let stated = match (row.0.figure("original_amount")?, row.0.text("original_currency")) {
        (Some(amount), Some(currency)) => Some(format!("stated as {} {currency}", amount.normalize())),
        _ => None,
    };
    let special = (!matches!(row.kind(), "DIVIDEND" | "DISTRIBUTION")).then(|| row.kind().to_lowercase().replace('_', " "));
    let note: Vec<String> = special.into_iter().chain(stated).collect();
    Ok(Record {
        shares: row.figure("shares")?.map(|shares| shares.abs()),
        amount: Some(row.figure_needed("amount")?),
        fees: row.deducted("fee")?,
        tax: row.deducted("tax")?,
        note: (!note.is_empty()).then(|| note.join(", ")),
        ..row.record(Kind::Dividend)?
    })
}
