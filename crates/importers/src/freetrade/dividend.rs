//! Dividends, with nearly all details.

use ledger::Decimal;

use super::{record, unit};
use crate::reading::{Line, Order, day, fields};
use crate::{Kind, Reason, Record};

pub fn dividend(line: Line<'_, '_>, kind: Kind, note: Option<&str>) -> Result<Record, Reason> {
    let booked = record(line, kind)?;
    let on = |name: &str| line.text(name).map(|text| day(name, text, Order::DayFirst)).transpose();
    let date = on("dividend pay date")?.unwrap_or(booked.date);
    let time = booked.time.filter(|_| date == booked.date);
    let shares = line.figure("dividend eligible quantity")?.or(line.figure("quantity")?);
    let note = note.and_then(fields::short);
    let paid = Record { date, time, shares, note, ex_date: on("dividend ex date")?, ..booked };
    in_instrument_currency(line, paid)
}

fn in_instrument_currency(line: Line<'_, '_>, record: Record) -> Result<Record, Reason> {
    let account = unit(line, "account currency")?;
    let total = line.figure("total amount")?.or(line.figure("total amount in account currency")?);
    let total = total.map(|total| account.normalise(total));
    let per_share = line.figure("dividend amount per share")?;
    let gross = line.figure("dividend gross distribution amount")?;
    if per_share.is_none() && gross.is_none() {
        let net = Some(total.ok_or_else(|| Reason::missing("total amount"))?);
        let amount = net.filter(|_| record.kind == Kind::ReturnOfCapital);
        return Ok(Record { amount, net, currency: Some(account.currency), ..record });
    }
    let unit = unit(line, "instrument currency")?;
    let whole = |figure: Option<Decimal>| figure.map(|figure| unit.normalise(figure));
    let price = whole(per_share);
    let amount = match (whole(gross), price, record.shares) {
        (Some(gross), _, _) => gross,
        (None, Some(price), Some(shares)) => shares.checked_mul(price).ok_or(Reason::FiguresTooLarge)?.round_dp(10).normalize(),
        _ => return Err(Reason::missing("dividend eligible quantity")),
    };
    let came = total.filter(|_| unit.currency == account.currency);
    Ok(Record {
        price,
        amount: Some(amount),
        tax: whole(line.figure("dividend withheld tax amount")?),
        net: whole(line.figure("dividend net distribution amount")?).or(came),
        currency: Some(unit.currency),
        ..record
    })
}
