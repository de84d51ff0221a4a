//! Dividend accruals: announced payments, and the ex-dates of paid ones.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::Decimal;

use super::book::{Book, day_digits};
use super::entry::Entry;
use super::instrument::{Instrument, no_share};
use crate::{Accrual, Parsed, Reason};

/// Ex-dates by share and payment date; `None` if the rows disagree.
#[derive(Default)]
pub struct ExDates {
    by_payment: HashMap<(String, Date), Option<Date>>,
}

impl ExDates {
    pub fn ex_date(&self, entry: &Entry, pay_date: Date) -> Option<Date> {
        names(entry).into_iter().find_map(|name| self.by_payment.get(&(name, pay_date)).copied()).flatten()
    }
}

pub fn changes<'b>(entries: impl Iterator<Item = &'b Entry>, parsed: &mut Parsed) -> ExDates {
    let mut dates = ExDates::default();
    for entry in entries {
        parsed.skip(entry.line, Reason::AccrualChange);
        if let (Ok(Some(ex_date)), Ok(Some(pay_date))) = (entry.day("exdate"), entry.day("paydate")) {
            for name in names(entry) {
                let known = dates.by_payment.entry((name, pay_date)).or_insert(Some(ex_date));
                *known = known.filter(|known| *known == ex_date);
            }
        }
    }
    dates
}

/// Sections may name a share in different ways.
fn names(entry: &Entry) -> Vec<String> {
    let isin = Instrument::of(entry).and_then(|instrument| instrument.isin);
    let conid = entry.text("conid").map(|conid| format!("conid {conid}"));
    conid.into_iter().chain(isin).chain(entry.text("symbol").map(|symbol| format!("symbol {symbol}"))).collect()
}

/// A report may have one statement per day: the last of each account shows what is still upcoming.
pub fn open<'b>(book: &Book, entries: impl Iterator<Item = &'b Entry>, parsed: &mut Parsed) -> Vec<Accrual> {
    let mut last: HashMap<&str, (String, usize)> = HashMap::new();
    for (place, statement) in book.statements.iter().enumerate() {
        let until = (day_digits(&statement.until), place);
        let known = last.entry(&statement.account).or_insert_with(|| until.clone());
        *known = until.max(known.clone());
    }
    let mut accruals = Vec::new();
    for entry in entries {
        let statement = book.statements.get(entry.statement);
        if statement
            .and_then(|statement| last.get(statement.account.as_str()))
            .is_some_and(|(_, place)| *place != entry.statement)
        {
            parsed.skip(entry.line, Reason::AnnouncedPaymentEarlier);
            continue;
        }
        match accrual(entry) {
            Ok(accrual) => {
                parsed.skip(entry.line, Reason::AnnouncedPayment);
                accruals.push(accrual);
            }
            Err(reason) => parsed.skip(entry.line, Reason::AnnouncedPaymentUnusable { reason: reason.into() }),
        }
    }
    accruals
}

fn accrual(entry: &Entry) -> Result<Accrual, Reason> {
    if let Some(reason) = no_share(entry) {
        return Err(reason);
    }
    let instrument = Instrument::named(entry).ok_or(Reason::NoSecurity)?;
    let unit = entry.unit()?;
    let money = |name: &str| -> Result<Option<Decimal>, Reason> { Ok(entry.figure(name)?.map(|figure| unit.normalise(figure))) };
    let shares = entry.figure_needed("quantity")?;
    if shares <= Decimal::ZERO {
        return Err(Reason::ShortSale);
    }
    let gross = money("grossamount")?.ok_or_else(|| Reason::missing("grossamount"))?;
    let tax = money("tax")?.unwrap_or_default().abs();
    let fee = money("fee")?.unwrap_or_default().abs();
    let net = money("netamount")?.unwrap_or(gross.saturating_sub(tax).saturating_sub(fee));
    Ok(Accrual {
        line: entry.line,
        ticker: instrument.ticker,
        suffix: instrument.suffix,
        isin: instrument.isin,
        cusip: instrument.cusip,
        name: instrument.name,
        currency: unit.currency,
        ex_date: entry.day("exdate")?.ok_or_else(|| Reason::missing("exdate"))?,
        pay_date: entry.day("paydate")?,
        shares,
        per_share: money("grossrate")?,
        gross,
        tax,
        net,
    })
}
