//! DEGIRO's account statement (Account.csv): every cash movement, described in a sentence each.

mod actions;
mod capital;
mod carried;
mod columns;
mod costs;
mod entries;
mod orders;
mod rates;
mod sorts;
pub mod transactions;

use std::collections::{HashMap, HashSet};

use ledger::{Currency, Decimal, Kind};

use crate::joining::payments::Payments;
use crate::reading::trade_text::{Side, TradeText};
use crate::reading::{Decimals, label};
use crate::{Opened, Parsed, Reason, Record};
use actions::Leg;
use entries::Entry;
use orders::Orders;
use sorts::{Action, Sort};

pub fn detect(file: &Opened) -> bool {
    columns::account(file).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(columns) = columns::account(file) else {
        return Parsed::refused(1, Reason::header_missing(&["Date", "Time", "Value date", "Product", "ISIN", "Description"]));
    };
    let mut parsed = Parsed::default();
    let mut books = Books::default();
    for entry in entries::read(&columns, &mut parsed) {
        books.take(entry, &mut parsed);
    }
    books.finish(&mut parsed);
    parsed
}

/// Bookings that wait for those they belong to.
#[derive(Default)]
struct Books {
    orders: Orders,
    legs: Vec<Leg>,
    capital: Vec<(Entry, Decimal, Currency)>,
    payments: Payments,
    /// Keys of the dividends, and by the minute of their booking.
    paid: HashSet<String>,
    paid_at: HashMap<String, String>,
    taxes: Vec<(Entry, Decimal, Record)>,
}

impl Books {
    fn take(&mut self, entry: Entry, parsed: &mut Parsed) {
        let sort = sorts::classify(&entry);
        if entry.instrument().is_empty()
            && matches!(sort, Sort::Unknown | Sort::Dividend | Sort::Gain | Sort::Tax | Sort::Capital)
        {
            return entry.skip(parsed, Reason::Cash);
        }
        let line = entry.clone();
        if let Err(reason) = self.sorted(sort, entry, parsed) {
            line.error(parsed, reason);
        }
    }

    fn sorted(&mut self, sort: Sort, entry: Entry, parsed: &mut Parsed) -> Result<(), Reason> {
        match sort {
            Sort::Trade(text) => return self.trade(entry, text, parsed),
            Sort::Action(action, text) => return self.action(entry, action, text, parsed),
            Sort::Dividend => self.dividend(entry, None)?,
            Sort::Gain => self.dividend(entry, Some("capital gain distribution"))?,
            Sort::Tax => {
                let (amount, currency) = entry.money()?;
                let record = Record { currency: Some(currency), ..entry.record(Kind::Dividend) };
                self.taxes.push((entry, Decimal::ZERO.saturating_sub(amount), record));
            }
            Sort::Capital => {
                let (amount, currency) = entry.money()?;
                self.capital.push((entry, amount, currency));
            }
            Sort::Cost => {
                let (amount, currency) = entry.money()?;
                self.orders.cost(entry, amount, currency);
            }
            Sort::Exchange => {
                self.orders.rates.add(&entry);
                entry.skip(parsed, Reason::CurrencyExchange);
            }
            Sort::Aside(reason) => entry.skip(parsed, reason),
            Sort::Unknown => {
                let words = label(&entry.description).unwrap_or_default();
                return Err(Reason::unsupported(words));
            }
        }
        Ok(())
    }

    fn dividend(&mut self, entry: Entry, note: Option<&str>) -> Result<(), Reason> {
        let (amount, currency) = entry.money()?;
        let record = Record {
            amount: Some(amount),
            currency: Some(currency),
            note: note.map(str::to_owned),
            ..entry.record(Kind::Dividend)
        };
        self.paid.insert(key(&entry));
        self.paid_at.insert(minute(&entry), key(&entry));
        self.payments.dividend(key(&entry), record);
        Ok(())
    }

    fn trade(&mut self, entry: Entry, text: TradeText, parsed: &mut Parsed) -> Result<(), Reason> {
        let side = text.side().ok_or(Reason::SideUnknown)?;
        let total = entry.amount.filter(|total| !total.is_zero());
        let figures = text.figures(style(&text), total)?;
        let times = total.and_then(|total| figures.times(total));
        match times {
            Some(times) if times > Decimal::ONE => entry.skip(parsed, Reason::unsupported_asset("derivative")),
            Some(times) if times < Decimal::ONE => entry.skip(parsed, Reason::unsupported_asset("bond")),
            None if total.is_none() && figures.price.is_zero() => {
                self.legs.push(leg(&entry, Action::Other, side, figures, label(&entry.description).unwrap_or_default()));
            }
            _ => {
                let differs = total.filter(|_| times.is_none());
                let note = differs
                    .map(|total| format!("DEGIRO booked {} {}, which is not shares × price", total.abs(), figures.currency));
                self.orders.fill(entry, side, figures, note);
            }
        }
        Ok(())
    }

    fn action(&mut self, entry: Entry, action: Action, text: TradeText, parsed: &mut Parsed) -> Result<(), Reason> {
        let total = entry.amount.filter(|total| !total.is_zero());
        // Without a verb, the money tells: if it comes in, it is a sale.
        let paid_for = total.map(|total| if total.is_sign_negative() { Side::Buy } else { Side::Sell });
        let side = text.side().or(paid_for).ok_or(Reason::SideUnknown)?;
        let figures = text.figures(style(&text), total)?;
        let words = label(&text.action).unwrap_or_default();
        let paid = total.is_some() && !figures.price.is_zero();
        match action {
            Action::Other if entry.isin().is_none() && figures.times(total.unwrap_or_default()) != Some(Decimal::ONE) => {
                entry.skip(parsed, Reason::NotListed);
            }
            Action::Other if paid => self.orders.fill(entry, side, figures, Some(words)),
            _ => self.legs.push(leg(&entry, action, side, figures, words)),
        }
        Ok(())
    }

    fn finish(mut self, parsed: &mut Parsed) {
        for (entry, tax, record) in self.taxes {
            let own = key(&entry);
            let beside = if self.paid.contains(&own) { None } else { self.paid_at.get(&minute(&entry)) };
            self.payments.tax(beside.cloned().unwrap_or(own), tax, record);
        }
        self.orders.finish(parsed);
        capital::net_out(self.capital, parsed);
        let exchanges = actions::pair_up(self.legs, parsed);
        carried::carry(&mut parsed.records, &exchanges);
        parsed.records.extend(self.payments.finish());
    }
}

fn leg(entry: &Entry, action: Action, side: Side, figures: crate::reading::trade_text::Figures, words: String) -> Leg {
    Leg { action, words, side, figures, record: entry.record(Kind::TransferIn) }
}

/// English sentences have a decimal point, the others a comma.
fn style(text: &TradeText) -> Decimals {
    if matches!(text.verb.as_str(), "buy" | "sell") { Decimals::Point } else { Decimals::Comma }
}

/// Dividends and taxes are grouped by instrument, value date and currency, because corrections are booked much later.
fn key(entry: &Entry) -> String {
    format!("{} {} {:?}", entry.instrument(), entry.value_date, entry.currency)
}

/// Occasionally a tax has another value date than the dividend it was booked with.
fn minute(entry: &Entry) -> String {
    format!("{} {} {:?} {:?}", entry.instrument(), entry.date, entry.time, entry.currency)
}
