//! The figures of a row, with the signs and units of our ledger.

use ledger::{Decimal, Kind};

use super::money::Money;
use super::{Reader, key};
use crate::generic::field::Field;
use crate::generic::write::product;
use crate::reading::Row;
use crate::rows::Read;
use crate::{Reason, Record};

/// For our own export, which already has the ledger's signs.
pub fn as_written(reader: &Reader<'_>, row: Row<'_>, record: Record) -> Result<Record, Reason> {
    let money = Money::read(reader, row)?;
    let (shares, price, amount) =
        (money.plain(Field::Shares)?, money.in_currency(Field::Price)?, money.in_currency(Field::Amount)?);
    // Only written for other programs, so it is not a figure of its own.
    let filled_in = amount.is_some() && amount == shares.zip(price).and_then(|(shares, price)| product(shares, price));
    Ok(Record {
        shares,
        price,
        amount: amount.filter(|_| !filled_in),
        fees: money.in_currency(Field::Fees)?,
        tax: money.in_currency(Field::Tax)?,
        net: money.in_currency(Field::Net)?,
        currency: money.unit.map(|unit| unit.currency),
        fx_rate: money.plain(Field::FxRate)?,
        ..record
    })
}

pub fn trade(reader: &Reader<'_>, row: Row<'_>, record: Record, by_word: bool) -> Result<Record, Reason> {
    let money = Money::read(reader, row)?;
    let shares = money.plain(Field::Shares)?;
    let below = shares.is_some_and(|shares| shares < Decimal::ZERO);
    let leaves = matches!(record.kind, Kind::Sell | Kind::TransferOut);
    if let Some(shares) = shares.filter(|_| below && by_word && !leaves) {
        return Err(match record.kind {
            Kind::Buy => Reason::Reversal,
            _ => Reason::SharesNotPositive { shares },
        });
    }
    if record.kind == Kind::Sell && by_word && reader.sales_below_zero && !below {
        return Err(Reason::Reversal);
    }
    let (price, fees, tax) = (money.in_currency(Field::Price)?, money.cost(Field::Fees)?, money.cost(Field::Tax)?);
    let shares = shares.map(|shares| shares.abs());
    let whole = money.in_whole_units(shares, price)?;
    let taken = |figure: Result<Option<Decimal>, Reason>| figure.map(|figure| figure.map(|figure| figure.abs()));
    let (mut amount, net) = (taken(whole.in_currency(Field::Amount))?, taken(whole.in_currency(Field::Net))?);
    let (fees, tax) = if whole.unit == money.unit { (fees, tax) } else { (whole.cost(Field::Fees)?, whole.cost(Field::Tax)?) };
    if amount.is_none() && price.is_none() {
        amount = net.map(|net| before_costs(net, record.kind, fees, tax)).transpose()?;
    }
    let mut record = Record {
        shares,
        price,
        amount,
        fees,
        tax,
        net,
        currency: money.unit.map(|unit| unit.currency),
        fx_rate: money.plain(Field::FxRate)?,
        ..record
    };
    if record.kind == Kind::TransferIn && record.amount.is_none() && record.price.is_none() {
        let note = record.note.take().map(|note| format!("{note}; ")).unwrap_or_default();
        record.note = Some(format!("{note}the file tells no cost"));
    }
    Ok(record)
}

pub fn dividend(reader: &Reader<'_>, row: Row<'_>, record: Record) -> Result<Record, Reason> {
    let money = Money::read(reader, row)?;
    let shares = money.plain(Field::Shares)?.filter(|shares| !shares.is_zero());
    let price = money.in_currency(Field::Price)?.filter(|price| !price.is_zero());
    let positive = shares.map(|shares| shares.abs());
    let whole = money.in_whole_units(positive, price)?;
    let (mut amount, mut net) = (whole.in_currency(Field::Amount)?, whole.in_currency(Field::Net)?);
    let (fees, tax) = (whole.cost(Field::Fees)?, whole.cost(Field::Tax)?);
    // Some brokers write a zero if they only have the net amount.
    if amount.is_some_and(|amount| amount.is_zero()) && net.is_some_and(|net| !net.is_zero()) {
        amount = None;
    }
    if let (Some(amount), Some(net), Some(tax)) = (amount, net, tax) {
        let left = amount.saturating_sub(tax).saturating_sub(fees.unwrap_or_default());
        if !is_near(left, net) {
            return Err(Reason::NetMismatch { net: net.into(), expected: left.into() });
        }
    }
    // Both are given, so their sum is known.
    if let (None, Some(left), Some(taken)) = (amount, net, tax) {
        amount = left.checked_add(taken).and_then(|sum| sum.checked_add(fees.unwrap_or_default()));
    }
    let per_share = price.filter(|price| is_per_share(*price, positive, amount, net, fees, tax));
    if let (None, None, Some(price), Some(shares)) = (amount, net, per_share, shares.filter(|shares| *shares < Decimal::ZERO)) {
        amount = Some(shares.checked_mul(price).ok_or(Reason::FiguresTooLarge)?);
    }
    if record.kind == Kind::ReturnOfCapital && amount.is_none() && per_share.is_none() && tax.is_none_or(|tax| tax.is_zero()) {
        amount = net.take();
    }
    Ok(Record {
        shares: positive,
        price: per_share,
        amount,
        fees,
        tax,
        net,
        currency: money.unit.map(|unit| unit.currency),
        fx_rate: money.plain(Field::FxRate)?,
        ..record
    })
}

/// A row with only tax: positive if it was withheld.
pub fn tax(reader: &Reader<'_>, row: Row<'_>, record: Record) -> Result<Read, Reason> {
    let money = Money::read(reader, row)?;
    let in_its_column = money.cost(Field::Tax)?.filter(|tax| !tax.is_zero());
    let booked = money.in_currency(Field::Amount)?.or(money.in_currency(Field::Net)?);
    let withheld = in_its_column.or(booked.map(|booked| match reader.money_signed || booked < Decimal::ZERO {
        true => booked.saturating_mul(Decimal::NEGATIVE_ONE),
        false => booked,
    }));
    let withheld = withheld.ok_or_else(|| Reason::missing("tax"))?;
    let record = Record { kind: Kind::Dividend, currency: money.unit.map(|unit| unit.currency), ..record };
    Ok(Read::tax(key(&record), withheld, record))
}

/// Whether the price in a dividend's row is the dividend per share rather than the share price.
fn is_per_share(
    price: Decimal,
    shares: Option<Decimal>,
    amount: Option<Decimal>,
    net: Option<Decimal>,
    fees: Option<Decimal>,
    tax: Option<Decimal>,
) -> bool {
    let Some(product) = shares.and_then(|shares| shares.checked_mul(price)).map(|product| product.abs()) else {
        return amount.is_none();
    };
    let near = |sum: Decimal| is_near(product, sum.abs());
    let taken = fees.unwrap_or_default().saturating_add(tax.unwrap_or_default());
    match (amount, net) {
        (Some(amount), _) => near(amount),
        (None, Some(net)) if tax.is_some() => near(net.saturating_add(taken)),
        // No tax takes more than half.
        (None, Some(net)) => {
            net.abs() <= product.saturating_add(Decimal::new(2, 2)) && net.abs().saturating_mul(Decimal::TWO) >= product
        }
        (None, None) => true,
    }
}

/// Equal except for the rounding of printed figures.
fn is_near(one: Decimal, other: Decimal) -> bool {
    let tolerance = other.abs().saturating_mul(Decimal::new(1, 2)).max(Decimal::new(2, 2));
    one.saturating_sub(other).abs() <= tolerance
}

/// The value of a trade before fees and tax.
fn before_costs(net: Decimal, kind: Kind, fees: Option<Decimal>, tax: Option<Decimal>) -> Result<Decimal, Reason> {
    let costs = fees.unwrap_or_default().checked_add(tax.unwrap_or_default());
    let amount = match kind {
        Kind::Sell | Kind::TransferOut => costs.and_then(|costs| net.checked_add(costs)),
        _ => costs.and_then(|costs| net.checked_sub(costs)),
    };
    amount.ok_or(Reason::FiguresTooLarge)
}
