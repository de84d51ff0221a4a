//! What each type of entry requires, and what is invalid for it, in any format.

use ledger::{Decimal, Kind};

use crate::{Reason, Record};

/// What is wrong with a record, and with which of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub field: &'static str,
    pub reason: Reason,
}

fn fault<T>(field: &'static str, reason: Reason) -> Result<T, Fault> {
    Err(Fault { field, reason })
}

pub fn check(record: &Record) -> Result<(), Fault> {
    let kind = record.kind;
    if [&record.symbol, &record.ticker, &record.isin, &record.cusip, &record.name].iter().all(|named| named.is_none()) {
        return fault("symbol", Reason::NoSecurity);
    }
    if kind != Kind::Split && record.ratio.is_some() {
        return fault("ratio", Reason::RatioNotSplit { kind });
    }
    if record.fx_rate.is_some_and(|rate| rate <= Decimal::ZERO) {
        return fault("fx_rate", Reason::RateNotPositive);
    }
    let priced = record.amount.is_some() || (record.shares.is_some() && record.price.is_some());
    match kind {
        Kind::Buy | Kind::Sell | Kind::TransferIn | Kind::TransferOut => check_trade(record, priced),
        Kind::Split if record.ratio.is_none() => fault("ratio", Reason::NeedsRatio),
        Kind::Split => Ok(()),
        Kind::Dividend if !priced && record.net.is_none() => fault("amount", Reason::NeedsAmount { kind }),
        Kind::Dividend => Ok(()),
        Kind::ReturnOfCapital if !priced => fault("amount", Reason::NeedsAmount { kind }),
        Kind::ReturnOfCapital if record.amount.or(record.price).is_some_and(|amount| amount < Decimal::ZERO) => {
            fault("amount", Reason::Negative { column: "amount" })
        }
        Kind::ReturnOfCapital => Ok(()),
    }
}

fn check_trade(record: &Record, priced: bool) -> Result<(), Fault> {
    let kind = record.kind;
    let Some(shares) = record.shares else { return fault("shares", Reason::NeedsShares { kind }) };
    if shares <= Decimal::ZERO {
        return fault("shares", Reason::SharesNotPositive { shares });
    }
    // Without a price, the cost of shares that were transferred is unknown.
    if !priced && !matches!(kind, Kind::TransferIn | Kind::TransferOut) {
        return fault("price", Reason::NeedsPrice { kind });
    }
    let below_zero = [("price", record.price), ("amount", record.amount), ("fees", record.fees)];
    if let Some((column, _)) = below_zero.iter().find(|(_, figure)| figure.is_some_and(|figure| figure < Decimal::ZERO)) {
        return fault(column, Reason::Negative { column });
    }
    if let (Some(price), Some(amount)) = (record.price, record.amount) {
        let Some(product) = shares.checked_mul(price) else { return fault("price", Reason::FiguresTooLarge) };
        // Brokers round the printed price; a difference of a hundredth is rounding, more is another trade.
        let tolerance = amount.saturating_mul(Decimal::new(1, 2)).max(Decimal::new(2, 2));
        if product.saturating_sub(amount).abs() > tolerance {
            let (amount, product) = (amount.into(), product.normalize().into());
            return fault("amount", Reason::AmountMismatch { amount, product });
        }
    }
    Ok(())
}
