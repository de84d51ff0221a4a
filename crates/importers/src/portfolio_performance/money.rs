//! The figures of one booking: its amount is what moved on the cash account; its units are tax, fees and foreign currency.

use ledger::{Currency, Decimal, QuoteUnit};

use super::client::{Booking, Client, Side, scaled_integer};
use super::tree::{NodeId, Tree};
use crate::Reason;
use crate::reading::fields;
use crate::reason::Cell;

/// Tax and fees are in the currency of the amount.
pub struct Money {
    pub currency: Currency,
    pub gross: Decimal,
    /// `None` if the file has no unit for it.
    pub tax: Option<Decimal>,
    pub fees: Option<Decimal>,
}

/// How the booked amount relates to the gross.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// A purchase also costs its fees and taxes.
    WithCosts,
    /// They are deducted from a sale or dividend.
    LessCosts,
}

struct Unit {
    kind: String,
    amount: Decimal,
    forex: Option<(Currency, Decimal)>,
    /// Units of the booking's currency per unit of the foreign one.
    rate: Option<Decimal>,
}

pub fn money(client: &Client, booking: &Booking, amount: Amount) -> Result<Money, Reason> {
    let tree = &client.tree;
    let booked = scaled_integer("amount", tree.text(booking.at, "amount").ok_or_else(|| Reason::missing("amount"))?, 2)?;
    let own = unit(code(client, booking).ok_or(Reason::PortfolioDamaged)?)?;
    let (booked, currency) = (own.normalise(booked), own.currency);
    let units = units(tree, booking.at, own)?;
    let (tax, fees) = (total(&units, "TAX", None)?, total(&units, "FEE", None)?);
    let costs = tax.unwrap_or_default().saturating_add(fees.unwrap_or_default());
    let gross = match amount {
        Amount::WithCosts => booked.saturating_sub(costs),
        Amount::LessCosts => booked.saturating_add(costs),
    };
    match units.iter().filter(|unit| unit.kind == "GROSS_VALUE").find_map(|unit| foreign(unit, gross, currency)) {
        None => Ok(Money { currency, gross, tax, fees }),
        Some(foreign) => {
            let (tax, fees) = (total(&units, "TAX", Some(foreign))?, total(&units, "FEE", Some(foreign))?);
            Ok(Money { currency: foreign.currency, gross: foreign.gross, tax, fees })
        }
    }
}

/// A transaction is in the currency of its account; newer versions store it with the transaction.
fn code<'c>(client: &'c Client, booking: &Booking) -> Option<&'c str> {
    let account = match booking.side {
        Side::Account(account) => Some(account),
        Side::Depot(depot) => client.depots.get(depot).and_then(|depot| depot.account),
    };
    let places = [Some(booking.at), account, booking.security];
    let named = places.into_iter().flatten().find_map(|place| client.tree.text(place, "currencyCode"));
    named.or_else(|| client.tree.text(client.tree.root(), "baseCurrency"))
}

/// The currency in which the security was traded or paid, if it differs from the account's.
#[derive(Clone, Copy)]
struct Foreign {
    currency: Currency,
    gross: Decimal,
    rate: Decimal,
}

fn foreign(unit: &Unit, gross: Decimal, of_booking: Currency) -> Option<Foreign> {
    let (currency, amount) = unit.forex.filter(|(currency, _)| *currency != of_booking)?;
    let rate = unit.rate.filter(|rate| *rate > Decimal::ZERO)?;
    // In some files fees were left out of the unit; the program then trusts the booked amount.
    let spread = Decimal::new(3, 3).checked_mul(amount.abs())?.saturating_add(Decimal::new(1, 2));
    let is_close = rate.checked_mul(amount)?.saturating_sub(gross).abs() <= spread;
    let amount = if unit.amount == gross || is_close { amount } else { gross.checked_div(rate)?.round_dp(2) };
    Some(Foreign { currency, gross: amount, rate })
}

/// The sum of all units of a kind; `None` if there are none.
fn total(units: &[Unit], kind: &str, foreign: Option<Foreign>) -> Result<Option<Decimal>, Reason> {
    let mut sum = None;
    for unit in units.iter().filter(|unit| unit.kind == kind) {
        let figure = match (foreign, unit.forex) {
            (None, _) => Some(unit.amount),
            (Some(foreign), Some((currency, amount))) if foreign.currency == currency => Some(amount),
            (Some(foreign), _) => unit.amount.checked_div(foreign.rate).map(|figure| figure.round_dp(10).normalize()),
        };
        let added = figure.and_then(|figure| sum.unwrap_or(Decimal::ZERO).checked_add(figure));
        sum = Some(added.ok_or(Reason::FiguresTooLarge)?);
    }
    Ok(sum)
}

/// In whole units of currencies: the program treats pence (`GBX`) as a separate currency.
fn units(tree: &Tree, booking: NodeId, own: QuoteUnit) -> Result<Vec<Unit>, Reason> {
    let damaged = |problem: crate::Problem| problem.reason;
    let mut units = Vec::new();
    if let Some(list) = tree.child(booking, "units") {
        for unit in tree.children(list) {
            units.push(unit_of(tree, unit.map_err(damaged)?, own)?);
        }
    }
    // From before there were units; zero means that nothing was entered.
    for (name, kind) in [("fees", "FEE"), ("taxes", "TAX")] {
        let amount = tree.text(booking, name).map(|text| scaled_integer(name, text, 2)).transpose()?;
        if let Some(amount) = amount.filter(|amount| !amount.is_zero()) {
            units.push(Unit { kind: kind.to_owned(), amount: own.normalise(amount), forex: None, rate: None });
        }
    }
    Ok(units)
}

fn unit_of(tree: &Tree, place: NodeId, own: QuoteUnit) -> Result<Unit, Reason> {
    let kind = tree.attribute(place, "type").unwrap_or_default().to_owned();
    let figure = |name: &str| -> Result<Option<(&str, Decimal)>, Reason> {
        let Some(place) = tree.child(place, name) else { return Ok(None) };
        let text = tree.attribute(place, "amount").ok_or_else(|| Reason::missing(name))?;
        Ok(Some((tree.attribute(place, "currency").unwrap_or_default(), scaled_integer(name, text, 2)?)))
    };
    let (_, amount) = figure("amount")?.ok_or_else(|| Reason::missing("amount"))?;
    let rate = tree.text(place, "exchangeRate").map(rate).transpose()?;
    let Some((code, forex)) = figure("forex")? else {
        return Ok(Unit { kind, amount: own.normalise(amount), forex: None, rate });
    };
    let theirs = unit(code)?;
    let rate = rate.and_then(|rate| own.normalise(rate).checked_div(theirs.normalise(Decimal::ONE)));
    Ok(Unit { kind, amount: own.normalise(amount), forex: Some((theirs.currency, theirs.normalise(forex))), rate })
}

/// Rates are stored with as many digits as a division gave.
fn rate(text: &str) -> Result<Decimal, Reason> {
    let read = text.parse::<Decimal>().or_else(|_| Decimal::from_scientific(text));
    read.map(|rate| rate.round_dp(18)).map_err(|_| Reason::NotANumber(Cell::new("exchange rate", text)))
}

pub fn unit(code: &str) -> Result<QuoteUnit, Reason> {
    fields::unit("currency", code)
}
