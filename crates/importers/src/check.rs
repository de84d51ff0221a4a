//! What each type of entry needs, and what makes no sense for it, whichever format it came in.

use ledger::{Decimal, Kind};

use crate::Record;

/// What is wrong with a record, and with which field of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub field: &'static str,
    /// For the record's owner.
    pub reason: String,
}

fn fault<T>(field: &'static str, reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { field, reason: reason.into() })
}

pub fn check(record: &Record) -> Result<(), Fault> {
    let kind = record.kind.word();
    if [&record.symbol, &record.ticker, &record.isin, &record.cusip, &record.name].iter().all(|named| named.is_none()) {
        return fault("symbol", "symbol and isin are both missing; give one of them");
    }
    if record.kind != Kind::Split && record.ratio.is_some() {
        return fault("ratio", format!("a {kind} has no ratio; only a split does"));
    }
    if record.fx_rate.is_some_and(|rate| rate <= Decimal::ZERO) {
        return fault("fx_rate", "fx_rate is not above zero");
    }
    let priced = record.amount.is_some() || (record.shares.is_some() && record.price.is_some());
    match record.kind {
        Kind::Buy | Kind::Sell | Kind::TransferIn | Kind::TransferOut => check_trade(record, priced),
        Kind::Split if record.ratio.is_none() => fault("ratio", "a split needs a ratio, such as 4:1"),
        Kind::Split => Ok(()),
        Kind::Dividend if !priced && record.net.is_none() => fault("amount", "a dividend needs an amount (gross), or a net"),
        Kind::Dividend => Ok(()),
        Kind::ReturnOfCapital if !priced => fault("amount", "a return_of_capital needs an amount"),
        Kind::ReturnOfCapital if record.amount.or(record.price).is_some_and(|amount| amount < Decimal::ZERO) => {
            fault("amount", "the amount of a return_of_capital is below zero")
        }
        Kind::ReturnOfCapital => Ok(()),
    }
}

fn check_trade(record: &Record, priced: bool) -> Result<(), Fault> {
    let kind = record.kind.word();
    let Some(shares) = record.shares else { return fault("shares", format!("a {kind} needs shares")) };
    if shares <= Decimal::ZERO {
        return fault("shares", format!("shares {shares} is not above zero; the type says which way they go"));
    }
    if !priced && record.kind != Kind::TransferOut {
        return fault("price", format!("a {kind} needs a price per share, or an amount"));
    }
    let below_zero = [("price", record.price), ("amount", record.amount), ("fees", record.fees)];
    if let Some((name, _)) = below_zero.iter().find(|(_, figure)| figure.is_some_and(|figure| figure < Decimal::ZERO)) {
        return fault(name, format!("{name} is below zero; the type says which way the money goes"));
    }
    if let (Some(price), Some(amount)) = (record.price, record.amount) {
        let Some(product) = shares.checked_mul(price) else { return fault("price", "shares × price is too large") };
        // Brokers round the price they print; a hundredth apart is rounding, more is another trade.
        let tolerance = amount.saturating_mul(Decimal::new(1, 2)).max(Decimal::new(2, 2));
        if product.saturating_sub(amount).abs() > tolerance {
            let product = product.normalize();
            return fault("amount", format!("amount {amount} is not shares × price ({product}); give one of the two"));
        }
    }
    Ok(())
}
