//! Scalable Capital's transactions (CSV): every order, executed or not, and every cash booking.

mod moves;

use jiff::civil::{Date, Time};
use ledger::Decimal;
use moves::Moves;

use crate::joining::negative_purchase;
use crate::reading::{Line, Order, Table, fields, moment};
use crate::rows::{self, Read};
use crate::{Kind, Parsed, Reason, Record};

pub const COLUMNS: &[&str] = &["date", "status", "reference", "assettype", "type", "isin", "amount"];

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut moves = Moves::default();
    let mut parsed = rows::parse(table, |line| read(line, &mut moves));
    moves.finish(&mut parsed);
    parsed
}

fn read(line: Line<'_, '_>, moves: &mut Moves) -> Result<Read, Reason> {
    let status = line.text("status").unwrap_or_default().to_lowercase();
    let word = line.text("type").unwrap_or_default();
    match status.as_str() {
        "executed" | "settled" | "filled" | "confirmed" | "" => {}
        "cancelled" | "canceled" | "rejected" | "pending" | "expired" | "created" | "requested" => {
            return Ok(Read::Skip(Reason::NotExecuted { status: status.into() }));
        }
        _ => return Err(Reason::unsupported(status)),
    }
    if line.text("assettype").is_some_and(|class| class.eq_ignore_ascii_case("crypto")) {
        return Ok(Read::Skip(Reason::unsupported_asset("crypto")));
    }
    match word.to_lowercase().as_str() {
        "buy" | "savings plan" | "kauf" | "sparplan" => moves.trade(trade(line, Kind::Buy)?),
        "sell" | "verkauf" => moves.trade(trade(line, Kind::Sell)?),
        "distribution" | "dividend" | "ausschüttung" | "dividende" => moves.distribution(distribution(line)?),
        "security transfer" => {
            moves.transfer(base(line, Kind::TransferIn)?, line.figure_needed("shares")?, line.figure("price")?)
        }
        "corporate action" => match line.figure("shares")?.filter(|shares| !shares.is_zero()) {
            Some(shares) => moves.corporate_action(base(line, Kind::TransferIn)?, shares),
            None => moves.corporate_payment(base(line, Kind::Sell)?, line.figure_needed("amount")?),
        },
        "deposit" | "withdrawal" => return Ok(Read::Skip(Reason::Cash)),
        "interest" => return Ok(Read::Skip(Reason::Interest)),
        "fee" | "fees" => return Ok(Read::Skip(Reason::AccountFee)),
        "tax" | "taxes" => return Ok(Read::Skip(Reason::TaxWithoutDividend)),
        _ if line.text("isin").is_none() && line.figure("shares")?.unwrap_or_default().is_zero() => {
            return Ok(Read::Skip(Reason::NoShares));
        }
        _ => return Err(Reason::unsupported(word)),
    }
    Ok(Read::Kept)
}

/// The amount is shares × price, with separate fee and tax; in some versions the amount includes them.
fn trade(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let shares = negative_purchase::shares_moved(kind, line.figure_needed("shares")?)?;
    let price = line.figure("price")?;
    let amount = line.figure_needed("amount")?.abs();
    let taken = |name| -> Result<Option<Decimal>, Reason> { Ok(line.figure(name)?.map(|figure| figure.abs())) };
    let (fee, tax) = (taken("fee")?, taken("tax")?);
    let costs = fee.unwrap_or_default().saturating_add(tax.unwrap_or_default());
    let bare = match kind {
        Kind::Buy => amount.saturating_sub(costs),
        _ => amount.saturating_add(costs),
    };
    let product = price.and_then(|price| shares.checked_mul(price));
    let apart = |figure: Decimal| product.map_or(Decimal::ZERO, |product| product.saturating_sub(figure).abs());
    let holds_costs = apart(bare) < apart(amount) && apart(bare) <= Decimal::new(2, 2);
    let (fees, tax) = match kind {
        // Tax on a buy is a transaction tax, part of its cost.
        Kind::Buy => ((fee.is_some() || tax.is_some()).then_some(costs), None),
        _ => (fee, tax),
    };
    let amount = Some(if holds_costs { bare } else { amount });
    Ok(Record { shares: Some(shares), price, amount, fees, tax, ..base(line, kind)? })
}

/// The amount of a cash booking is what was received; if the tax is given, the gross is their sum. Scalable leaves the tax empty
/// if it is unknown.
fn distribution(line: Line<'_, '_>) -> Result<Record, Reason> {
    let net = line.figure_needed("amount")?;
    let signed = |figure: Decimal| if net.is_sign_negative() { -figure.abs() } else { figure.abs() };
    let tax = line.figure("tax")?.map(signed);
    let fee = line.figure("fee")?.filter(|fee| !fee.is_zero()).map(signed);
    let amount = tax.map(|tax| net.saturating_add(tax).saturating_add(fee.unwrap_or_default()));
    Ok(Record {
        shares: line.figure("shares")?.filter(|shares| !shares.is_zero()).map(|shares| shares.abs()),
        amount,
        fees: fee,
        tax,
        net: Some(net),
        ..base(line, Kind::Dividend)?
    })
}

fn base(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let (date, time) = day(line)?;
    let currency = line.text("currency").map(|code| fields::currency("currency", code)).transpose()?;
    Ok(Record {
        time,
        isin: line.isin("isin"),
        name: line.text("description").and_then(fields::short),
        currency,
        id: line.text("reference").map(|reference| fields::text("reference", reference, 200)).transpose()?,
        ..Record::new(line.number(), date, kind)
    })
}

fn day(line: Line<'_, '_>) -> Result<(Date, Option<Time>), Reason> {
    let both = format!("{} {}", line.need("date")?, line.text("time").unwrap_or_default());
    moment("date", &both, Order::DayFirst)
}
