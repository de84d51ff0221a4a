//! What each type of entry needs, and what makes no sense for it, whichever format it came in.

use ledger::{Decimal, Kind};

use crate::Record;

/// The error is a reason for the row's owner.
pub fn check(record: &Record) -> Result<(), String> {
    let kind = record.kind.word();
    if [&record.symbol, &record.ticker, &record.isin, &record.cusip, &record.name].iter().all(|named| named.is_none()) {
        return Err("symbol and isin are both missing; give one of them".to_owned());
    }
    if record.kind != Kind::Split && record.ratio.is_some() {
        return Err(format!("a {kind} has no ratio; only a split does"));
    }
    if record.fx_rate.is_some_and(|rate| rate <= Decimal::ZERO) {
        return Err("fx_rate is not above zero".to_owned());
    }
    let priced = record.amount.is_some() || (record.shares.is_some() && record.price.is_some());
    match record.kind {
        Kind::Buy | Kind::Sell | Kind::TransferIn | Kind::TransferOut => check_trade(record, priced),
        Kind::Split if record.ratio.is_none() => Err("a split needs a ratio, such as 4:1".to_owned()),
        Kind::Split => Ok(()),
        Kind::Dividend if !priced && record.net.is_none() => Err("a dividend needs an amount (gross), or a net".to_owned()),
        Kind::Dividend => Ok(()),
        Kind::ReturnOfCapital if !priced => Err("a return_of_capital needs an amount".to_owned()),
        Kind::ReturnOfCapital if record.amount.or(record.price).is_some_and(|amount| amount < Decimal::ZERO) => {
            Err("the amount of a return_of_capital is below zero".to_owned())
        }
        Kind::ReturnOfCapital => Ok(()),
    }
}

fn check_trade(record: &Record, priced: bool) -> Result<(), String> {
    let kind = record.kind.word();
    let shares = record.shares.ok_or_else(|| format!("a {kind} needs shares"))?;
    if shares <= Decimal::ZERO {
        return Err(format!("shares {shares} is not above zero; the type says which way they go"));
    }
    if !priced && record.kind != Kind::TransferOut {
        return Err(format!("a {kind} needs a price per share, or an amount"));
    }
    let below_zero = [("price", record.price), ("amount", record.amount), ("fees", record.fees)];
    if let Some((name, _)) = below_zero.iter().find(|(_, figure)| figure.is_some_and(|figure| figure < Decimal::ZERO)) {
        return Err(format!("{name} is below zero; the type says which way the money goes"));
    }
    if let (Some(price), Some(amount)) = (record.price, record.amount) {
        let product = shares.checked_mul(price).ok_or("shares × price is too large")?;
        // Brokers round the price they print; a hundredth apart is rounding, more is another trade.
        let tolerance = amount.saturating_mul(Decimal::new(1, 2)).max(Decimal::new(2, 2));
        if product.saturating_sub(amount).abs() > tolerance {
            return Err(format!("amount {amount} is not shares × price ({}); give one of the two", product.normalize()));
        }
    }
    Ok(())
}
