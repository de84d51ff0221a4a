//! Trades: shares bought and sold.

use std::collections::{HashMap, VecDeque};

use jiff::civil::{Date, Time};
use ledger::{Currency, Decimal, QuoteUnit};

use super::book::Book;
use super::entry::Entry;
use super::instrument::{Instrument, no_share};
use crate::reading::fields;
use crate::{Kind, Parsed, Reason, Record};

pub fn read<'b>(book: &Book, entries: impl Iterator<Item = &'b Entry>, parsed: &mut Parsed) {
    let (mut booked, mut cancels) = (Vec::new(), Vec::new());
    for entry in entries {
        match trade(book, entry) {
            Ok(Some(Trade { record, quantity, cancels: true })) => cancels.push(Booked::of(entry, record, quantity, true)),
            Ok(Some(Trade { record, quantity, .. })) => booked.push(Booked::of(entry, record, quantity, false)),
            Ok(None) => parsed.skip(entry.line, skipped(entry)),
            Err(reason) => parsed.error(entry.line, reason),
        }
    }
    take_out(booked, cancels, parsed);
}

struct Trade {
    record: Record,
    /// Signed, as written.
    quantity: Decimal,
    cancels: bool,
}

/// `None` if it is not a trade of shares, or of zero shares.
fn trade(book: &Book, entry: &Entry) -> Result<Option<Trade>, Reason> {
    if no_share(entry).is_some() || is_conversion(entry) {
        return Ok(None);
    }
    let Some(instrument) = Instrument::named(entry) else { return Ok(None) };
    let quantity = entry.figure_needed("quantity")?;
    if quantity.is_zero() || (entry.text("assetcategory").is_none() && is_derivative(entry)?) {
        return Ok(None);
    }
    if is_derivative(entry)? {
        return Err(Reason::Multiplier);
    }
    let side = entry.lower("buysell");
    let cancels = side.contains("ca.") || entry.lower("transactiontype").contains("cancel") || entry.has_code("Ca");
    // A cancellation has the name of what it cancels, but moves the shares in the other direction.
    let bought = if side.is_empty() { quantity.is_sign_positive() != cancels } else { side.starts_with("buy") };
    let (date, time) = moment(entry)?;
    let unit = entry.unit()?;
    let mut record = Record { time, ..Record::new(entry.line, date, if bought { Kind::Buy } else { Kind::Sell }) };
    instrument.put(&mut record);
    record.currency = Some(unit.currency);
    record.shares = Some(quantity.abs());
    record.id = id(entry);
    let fees = fees(book, entry, &unit)?;
    price(entry, &unit, fees, &mut record)?;
    charge(fees, bought, &mut record)?;
    Ok(Some(Trade { record, quantity, cancels }))
}

/// Price and amount as stated; if they contradict each other, the amount that moved is right.
fn price(entry: &Entry, unit: &QuoteUnit, fees: Decimal, record: &mut Record) -> Result<(), Reason> {
    let shares = record.shares.unwrap_or_default();
    let price = entry.figure("tradeprice")?.map(|price| unit.normalise(price));
    let money = match entry.figure("trademoney")? {
        Some(money) => Some(money),
        None => entry.figure("proceeds")?,
    };
    let money = money
        .map(|money| unit.normalise(money.abs()))
        .filter(|money| !money.is_zero() || price.is_none_or(|price| price.is_zero()));
    (record.price, record.amount) = (price, money);
    if price.is_none() && money.is_none() && record.kind == Kind::Buy {
        // The cost of a purchase includes its commission.
        let cost = entry.figure("cost")?.map(|cost| unit.normalise(cost.abs()));
        record.amount = cost.and_then(|cost| cost.checked_sub(fees)).filter(|amount| *amount >= Decimal::ZERO);
    }
    if let (Some(price), Some(money)) = (price, money) {
        let product = shares.checked_mul(price).ok_or(Reason::FiguresTooLarge)?;
        let tolerance = money.checked_mul(Decimal::new(5, 3)).unwrap_or_default().max(Decimal::new(1, 2));
        if product.saturating_sub(money).abs() > tolerance {
            record.price = None;
            record.note = Some(format!("the price told, {}, does not lead to the money that moved", price.normalize()));
        }
    }
    match record.price.is_none() && record.amount.is_none() {
        true => Err(Reason::flex_field_missing("TradePrice")),
        false => Ok(()),
    }
}

/// The costs of the trade, in its own currency; negative if the exchange paid a rebate.
fn fees(book: &Book, entry: &Entry, unit: &QuoteUnit) -> Result<Decimal, Reason> {
    let commission = entry.figure("ibcommission")?.unwrap_or_default();
    let code = entry.text("ibcommissioncurrency").or(entry.text("currency")).unwrap_or_default();
    let own = fields::unit("ibcommissioncurrency", code)?;
    let commission = match commission.is_zero() {
        true => commission,
        false => book.convert(entry, own.normalise(commission), Currency::code(&own.currency), unit)?,
    };
    let taxes = unit.normalise(entry.figure("taxes")?.unwrap_or_default().abs());
    taxes.checked_sub(commission).ok_or(Reason::FiguresTooLarge)
}

fn charge(fees: Decimal, bought: bool, record: &mut Record) -> Result<(), Reason> {
    if fees >= Decimal::ZERO {
        record.fees = Some(fees);
        return Ok(());
    }
    let shares = record.shares.unwrap_or_default();
    let amount = record.amount.or_else(|| shares.checked_mul(record.price?)).ok_or(Reason::FiguresTooLarge)?;
    let amount = if bought { amount.checked_add(fees) } else { amount.checked_sub(fees) };
    record.amount = Some(amount.ok_or(Reason::FiguresTooLarge)?.max(Decimal::ZERO));
    record.price = None;
    record.note = Some(format!("a rebate of {} is part of the amount", fees.abs().normalize()));
    Ok(())
}

fn moment(entry: &Entry) -> Result<(Date, Option<Time>), Reason> {
    let (date, time) = entry.first_moment(&["tradedate", "datetime", "reportdate"])?;
    let clock = match (entry.text("tradetime"), entry.moment("datetime")?) {
        // Read together with its day: a time alone is not valid.
        (Some(clock), _) => crate::reading::moment("tradetime", &format!("{date};{clock}"), entry.order)?.1,
        (None, Some((day, clock))) if day == date => clock,
        _ => None,
    };
    Ok((date, time.or(clock)))
}

/// A transaction has the same id everywhere; several bookings of a trade may share one.
pub fn id(entry: &Entry) -> Option<String> {
    let given = |name: &str| entry.text(name).filter(|id| *id != "0").map(str::to_owned);
    given("transactionid").or_else(|| given("tradeid").map(|id| format!("trade-{id}")))
}

fn is_derivative(entry: &Entry) -> Result<bool, Reason> {
    Ok(entry.figure("multiplier")?.is_some_and(|multiplier| !multiplier.is_zero() && multiplier != Decimal::ONE))
}

/// `EUR.USD`: two currencies.
fn is_conversion(entry: &Entry) -> bool {
    let is_pair = |symbol: &str| {
        symbol.split_once('.').is_some_and(|(one, other)| Currency::parse(one).is_ok() && Currency::parse(other).is_ok())
    };
    entry.text("isin").is_none() && entry.text("symbol").is_some_and(is_pair)
}

fn skipped(entry: &Entry) -> Reason {
    match no_share(entry) {
        Some(reason) => reason,
        None if is_conversion(entry) => Reason::CurrencyExchange,
        None if Instrument::of(entry).is_none() => Reason::NoSecurity,
        None if is_derivative(entry).unwrap_or_default() => Reason::unsupported_asset("derivative"),
        None => Reason::NoShares,
    }
}

/// A trade, or the cancellation of one.
struct Booked {
    record: Record,
    /// How a cancellation may refer to the trade, the most certain first; for a cancellation, how it refers to its trade.
    names: Vec<String>,
}

impl Booked {
    fn of(entry: &Entry, record: Record, quantity: Decimal, cancels: bool) -> Booked {
        let named = |kind: &str, original: &str, own: &str| {
            let id = entry.text(if cancels { original } else { own }).filter(|id| *id != "0");
            id.map(|id| format!("{kind} {id}"))
        };
        let share = record.isin.as_ref().or(record.ticker.as_ref()).cloned().unwrap_or_default();
        let price = entry.text("tradeprice").or(entry.text("trademoney")).unwrap_or_default().trim_start_matches('-');
        // The same number of shares: always the whole trade is cancelled.
        let moved = (if cancels { Decimal::ZERO.saturating_sub(quantity) } else { quantity }).normalize();
        let names = [
            named("transaction", "origtransactionid", "transactionid"),
            named("trade", "origtradeid", "tradeid"),
            Some(format!("{share} {} {price}", record.date)),
        ];
        Booked { record, names: names.into_iter().flatten().map(|name| format!("{name} {moved}")).collect() }
    }
}

/// Both rows of a cancelled trade are skipped; the others stay trades.
fn take_out(booked: Vec<Booked>, cancels: Vec<Booked>, parsed: &mut Parsed) {
    let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
    if !cancels.is_empty() {
        for (place, trade) in booked.iter().enumerate() {
            trade.names.iter().for_each(|name| places.entry(name).or_default().push_back(place));
        }
    }
    let mut cancelled = vec![None; booked.len()];
    for cancel in &cancels {
        let found = cancel.names.iter().find_map(|name| {
            let named = places.get_mut(name.as_str())?;
            while named.front().is_some_and(|place| cancelled[*place].is_some()) {
                named.pop_front();
            }
            named.pop_front()
        });
        match found {
            Some(place) => {
                cancelled[place] = Some(cancel.record.line);
                parsed.skip(cancel.record.line, Reason::Cancels { line: booked[place].record.line });
            }
            None => parsed.error(cancel.record.line, Reason::ReversedMissing),
        }
    }
    for (trade, cancel) in booked.into_iter().zip(cancelled) {
        match cancel {
            Some(line) => parsed.skip(trade.record.line, Reason::Cancelled { line }),
            None => parsed.records.push(trade.record),
        }
    }
}
