//! The result of shares added or removed without a trade.

use ledger::{Decimal, Ratio};

use crate::{Kind, Record};

pub fn split(rows: Vec<(Record, Decimal)>, ratio: Ratio, held: Decimal, gone: Decimal, come: Decimal) -> Option<Record> {
    let note = match gone.is_zero() {
        true => format!("{} shares held in this file, {} added", held.normalize(), come.normalize()),
        false => format!("{} shares taken, {} given", (-gone).normalize(), come.normalize()),
    };
    let mut rows = rows.into_iter();
    let (first, _) = rows.next()?;
    let joined = rows.map(|(record, _)| record.line).collect();
    let split =
        Record { kind: Kind::Split, ratio: Some(ratio), ratio_worked_out: gone.is_zero(), joined, note: Some(note), ..first };
    Some(Record { id: of_instrument(&split), ..split })
}

pub fn instrument(record: &Record) -> &str {
    record.isin.as_deref().or(record.name.as_deref()).unwrap_or_default()
}

/// One reference may cover several instruments, such as the old and the new one.
fn of_instrument(record: &Record) -> Option<String> {
    record.id.as_ref().map(|reference| format!("{reference} {}", instrument(record)))
}

/// Shares removed for the money that was paid on the same day.
pub fn redeemed(record: Record, shares: Decimal, payment: Record) -> Record {
    Record {
        id: of_instrument(&record),
        kind: Kind::Sell,
        shares: Some(shares.abs()),
        amount: payment.amount.or(payment.net),
        tax: payment.tax,
        fees: payment.fees,
        currency: payment.currency.or(record.currency),
        joined: vec![payment.line],
        note: Some("corporate action: the shares were redeemed".to_owned()),
        ..record
    }
}

pub fn transferred(record: Record, shares: Decimal, price: Option<Decimal>, word: &str) -> Record {
    let note = Some(match (shares.is_sign_negative(), price) {
        (false, None) => format!("{word}; recorded at no cost"),
        _ => word.to_owned(),
    });
    let record = Record { id: of_instrument(&record), ..record };
    match shares.is_sign_negative() {
        true => Record { kind: Kind::TransferOut, shares: Some(shares.abs()), note, ..record },
        false => Record {
            kind: Kind::TransferIn,
            shares: Some(shares),
            price,
            amount: price.is_none().then_some(Decimal::ZERO),
            note,
            ..record
        },
    }
}
