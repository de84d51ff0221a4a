//! The currency of a booked amount: Saxo gives a rate but no currency.

use std::collections::HashSet;

use ledger::{Currency, Decimal};

use super::rows::Transaction;
use crate::reading::trade_text::{Figures, Side};
use crate::{Reason, Record};

/// The account's own currencies, as far as the file shows them: amounts in them are booked at a rate of 1.
pub struct Account(HashSet<Currency>);

impl Account {
    pub fn of(rows: &[Transaction]) -> Account {
        let own = rows.iter().filter(|row| row.rate == Some(Decimal::ONE)).filter_map(|row| row.currency);
        Account(own.collect())
    }

    /// A payment with nothing but its booked amount.
    pub fn payment(&self, row: &Transaction, record: Record) -> Result<(Record, Decimal), Reason> {
        let booked = row.booked.ok_or_else(|| Reason::missing("booked amount"))?;
        let trades_in = row.currency.ok_or_else(|| Reason::missing("currency of the instrument"))?;
        let rate = row.rate.filter(|rate| *rate != Decimal::ONE);
        let only = if self.0.len() == 1 { self.0.iter().next().copied() } else { None };
        let own = self.0.contains(&trades_in).then_some(trades_in);
        match (row.account.or(own).or(only), rate) {
            // Paid in another currency, and converted.
            (Some(account), _) if account == trades_in => Ok((Record { currency: Some(account), ..record }, booked)),
            (Some(account), Some(rate)) => {
                let fx_rate = Decimal::ONE.checked_div(rate).map(|rate| rate.round_dp(10).normalize());
                Ok((Record { currency: Some(account), fx_rate, ..record }, booked))
            }
            (None, Some(rate)) if !self.0.is_empty() => {
                let paid = booked.checked_div(rate).ok_or(Reason::FiguresTooLarge)?.round_dp(10).normalize();
                let note = Some(format!("{} booked at a rate of {rate}", booked.normalize()));
                Ok((Record { currency: Some(trades_in), note, ..record }, paid))
            }
            (None, Some(_)) => Err(Reason::BookedCurrencyUnknown),
            (account, None) => Ok((Record { currency: account.or(Some(trades_in)), ..record }, booked)),
        }
    }
}

/// Amount and costs in the currency of the price. The rate may be given in either direction, or be for something else: the
/// direction is used in which the booked amount is closest to shares × price. The amount is only returned if it is more exact
/// than the price, which Saxo prints with two decimals.
pub fn amount_and_fees(row: &Transaction, side: Side, figures: &Figures) -> (Option<Decimal>, Option<Decimal>) {
    let given = || -> Option<(Decimal, Decimal)> {
        let value = figures.shares.checked_mul(figures.price).filter(|value| !value.is_zero())?;
        Some((value, row.booked?.abs()))
    };
    let Some((value, booked)) = given() else { return (None, None) };
    let rate = row.rate.unwrap_or(Decimal::ONE);
    let ways = |amount: Decimal| [amount.checked_div(rate), Some(amount), amount.checked_mul(rate)].into_iter().flatten();
    let cost = |booked: Decimal| match side {
        Side::Buy => booked.saturating_sub(value),
        Side::Sell => value.saturating_sub(booked),
    };
    let rounding = value.saturating_mul(Decimal::new(5, 3));
    let fits = |cost: &Decimal| *cost >= Decimal::ZERO.saturating_sub(rounding) && *cost <= value;
    let Some(residue) = ways(booked).map(cost).filter(fits).min_by_key(|cost| cost.abs()) else { return (None, None) };
    let Some(costs) = row.costs.map(|costs| costs.abs()) else {
        let fees = if rate == Decimal::ONE { residue } else { residue.round_dp(2) };
        return (None, Some(fees).filter(|fees| *fees >= Decimal::ZERO));
    };
    // Costs may be in another currency than the booking: use the direction that explains the rest.
    let costs = ways(costs).min_by_key(|costs| costs.saturating_sub(residue).abs()).unwrap_or(costs).round_dp(2);
    let exact = match side {
        Side::Buy => booked.saturating_sub(costs),
        Side::Sell => booked.saturating_add(costs),
    };
    let as_printed = figures.shares.saturating_mul(Decimal::new(1, 2));
    let direct = cost(booked) == residue && exact != value && exact.saturating_sub(value).abs() <= as_printed;
    (Some(exact).filter(|_| direct), Some(costs.normalize()))
}
