//! Saxo's transactions (CSV, or the same table as XLSX).

mod bookings;
mod money;
mod rows;

use std::collections::HashSet;

use ledger::{Decimal, Kind, Ratio};

use crate::joining::fills::Fills;
use crate::joining::payments::Payments;
use crate::reading::trade_text::{Side, TradeText};
use crate::reading::{Decimals, Words, folded, label};
use crate::{Opened, Parsed, Reason, Record};
use bookings::Bookings;
use money::Account;
use rows::Transaction;

static EVENTS: Words = Words::new(include_str!("events.txt"));

pub fn detect(file: &Opened) -> bool {
    rows::table(file).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = rows::table(file) else {
        return Parsed::refused(
            1,
            Reason::header_missing(&[
                "Trade Date",
                "Event",
                "Booked Amount",
                "Instrument Symbol",
                "Instrument ISIN",
                "Conversion Rate",
            ]),
        );
    };
    let mut parsed = Parsed::default();
    let mut transactions = Vec::new();
    for line in table.lines() {
        parsed.rows += 1;
        match Transaction::read(&line) {
            Ok(transaction) => transactions.push(transaction),
            Err(reason) => parsed.error(line.number(), reason),
        }
    }
    let taxed = transactions.iter().filter(|row| sort(row) == Sort::Tax).map(Transaction::key).collect();
    let mut books = Books {
        account: Account::of(&transactions),
        bookings: Bookings::of(file),
        taxed,
        payments: Payments::default(),
        fills: Fills::default(),
    };
    for row in transactions {
        let line = row.line();
        if let Err(reason) = books.take(row, &mut parsed) {
            parsed.error(line, reason);
        }
    }
    parsed.records.extend(books.payments.finish());
    parsed
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Sort {
    Trade,
    Dividend,
    Tax,
    Capital,
    Split,
    Skip(Reason),
    Unknown,
}

fn sort(row: &Transaction) -> Sort {
    match EVENTS.meaning_in(&folded(&row.event)) {
        _ if !row.named() => Sort::Skip(Reason::Cash),
        _ if row.derivative => Sort::Skip(Reason::unsupported_asset("derivative")),
        _ if row.bond => Sort::Skip(Reason::unsupported_asset("bond")),
        _ if TradeText::read(&row.event).is_some() => Sort::Trade,
        Some("tax") => Sort::Tax,
        Some("capital") => Sort::Capital,
        Some("split") => Sort::Split,
        // Saxo has many names for cash dividends, including those with reinvestment or choice.
        Some("dividend") => Sort::Dividend,
        Some("interest") => Sort::Skip(Reason::Interest),
        Some("fee") => Sort::Skip(Reason::AccountFee),
        Some("cash") => Sort::Skip(Reason::Cash),
        _ => Sort::Unknown,
    }
}

struct Books {
    account: Account,
    bookings: Bookings,
    /// Payments whose tax has a separate row: the booked amount is gross.
    taxed: HashSet<String>,
    payments: Payments,
    fills: Fills,
}

impl Books {
    fn take(&mut self, row: Transaction, parsed: &mut Parsed) -> Result<(), Reason> {
        match sort(&row) {
            Sort::Trade => {
                let record = self.trade(&row)?;
                parsed.records.push(record);
            }
            Sort::Dividend => {
                let dividend = self.dividend(&row)?;
                self.payments.dividend(row.key(), dividend);
            }
            Sort::Tax => {
                let (record, paid) = self.account.payment(&row, row.record(Kind::Dividend))?;
                self.payments.tax(row.key(), Decimal::ZERO.saturating_sub(paid), record);
            }
            Sort::Capital => {
                let (record, paid) = self.account.payment(&row, row.record(Kind::ReturnOfCapital))?;
                parsed.records.push(Record { amount: Some(paid), ..record });
            }
            Sort::Split => {
                let ratio = row
                    .event
                    .split_whitespace()
                    .find_map(|word| Ratio::parse(word.trim_matches(['(', ')', ','])))
                    .ok_or(Reason::SplitRatioUnknown)?;
                parsed.records.push(Record { ratio: Some(ratio), ..row.record(Kind::Split) });
            }
            Sort::Skip(reason) => parsed.skip(row.line(), reason),
            Sort::Unknown => return Err(unsupported(&row)),
        }
        Ok(())
    }

    fn dividend(&self, row: &Transaction) -> Result<Record, Reason> {
        if row.booked.is_some_and(|booked| booked.is_zero()) {
            return Err(Reason::DividendWithoutAmount);
        }
        let (record, paid) = self.account.payment(row, row.record(Kind::Dividend))?;
        if self.taxed.contains(&row.key()) {
            return Ok(Record { amount: Some(paid), ..record });
        }
        let mut record = Record { net: Some(paid), ..record };
        // Its parts are in the currency of the booking.
        if let Some((booked, id)) = row.booked.filter(|booked| *booked == paid).zip(row.booking.as_deref()) {
            self.bookings.complete(id, booked, &mut record);
        }
        Ok(record)
    }

    fn trade(&mut self, row: &Transaction) -> Result<Record, Reason> {
        let text = TradeText::read(&row.event).ok_or_else(|| unsupported(row))?;
        let figures = text.figures(Decimals::Point, None)?;
        let moved = Record { shares: Some(figures.shares), currency: Some(figures.currency), ..row.record(Kind::TransferIn) };
        match text.side() {
            _ if EVENTS.has("transfer out", &text.verb) => Ok(Record { kind: Kind::TransferOut, ..moved }),
            _ if EVENTS.has("transfer in", &text.verb) => Ok(Record { price: Some(figures.price), ..moved }),
            None => Err(unsupported(row)),
            Some(Side::Buy) if figures.price.is_zero() => {
                Ok(Record { amount: Some(Decimal::ZERO), note: label(&row.event), ..moved })
            }
            Some(Side::Sell) if figures.price.is_zero() => {
                Ok(Record { kind: Kind::TransferOut, note: label(&row.event), ..moved })
            }
            Some(side) => {
                let (amount, fees) = money::amount_and_fees(row, side, &figures);
                let kind = if side == Side::Buy { Kind::Buy } else { Kind::Sell };
                let id = moved.id.clone().or_else(|| self.fills.id(&row.order, figures.shares, figures.price));
                Ok(Record { kind, price: Some(figures.price), amount, fees, id, ..moved })
            }
        }
    }
}

fn unsupported(row: &Transaction) -> Reason {
    Reason::unsupported(label(&row.event).unwrap_or_default())
}
