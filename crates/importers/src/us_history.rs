//! What the histories of brokers in the United States have in common: rows with an action, a security and figures.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use ledger::{Currency, Decimal};

use crate::joining::cancelled_trades::{self, Leg};
use crate::joining::payments::Payments;
use crate::joining::{added_shares, moved_shares, reinvested};
use crate::reading::us_security;
use crate::{Kind, Parsed, Reason, Record};

/// What a row is, by its action alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Buy,
    Sell,
    CancelBuy,
    CancelSell,
    /// With further details from the action.
    Dividend(Option<&'static str>),
    Tax,
    /// For a security it is the fee of an ADR's bank, usually taken from a dividend.
    Fee,
    ReturnOfCapital,
    /// Shares in addition to those held.
    Split,
    ReverseSplit,
    Spinoff,
    CashInLieu,
    /// Shares for cash, in two rows: one with the shares, one with the cash.
    Payout,
    /// Shares added or removed for shares of another company, or for cash.
    Reorganisation,
    /// Shares or cash moved between accounts.
    Move,
    Option,
    Short,
    Interest,
    Cash,
    /// The cash of the account, in a fund or at a bank.
    Core,
    Unknown,
}

pub struct Entry {
    pub line: u64,
    pub date: Date,
    /// A dividend and its tax are booked together, even if they took effect on different days.
    pub booked: Date,
    pub account: String,
    /// The action as written.
    pub words: String,
    pub action: Action,
    pub symbol: Option<String>,
    pub description: String,
    pub quantity: Option<Decimal>,
    pub price: Option<Decimal>,
    pub fees: Option<Decimal>,
    pub amount: Option<Decimal>,
    pub currency: Option<Currency>,
}

impl Entry {
    pub fn record(&self, kind: Kind) -> Record {
        let mut record = Record::new(self.line, self.date, kind);
        us_security::identify(&mut record, self.symbol.as_deref(), &self.description);
        record.currency = self.currency;
        if record.currency != us_security::dollars() {
            record.suffix = None;
        }
        record
    }

    /// The amount is what was paid or received, including fees.
    pub fn trade(&self, kind: Kind) -> Record {
        let fees = self.fees.unwrap_or_default();
        let gross = self.amount.map(|amount| match kind {
            Kind::Buy => amount.abs().saturating_sub(fees),
            _ => amount.saturating_add(fees),
        });
        let shares = self.quantity.map(|quantity| quantity.abs());
        Record { shares, price: self.price, amount: gross, fees: self.fees, ..self.record(kind) }
    }

    fn leg(&self) -> Option<Leg> {
        let (is_buy, cancels) = match self.action {
            Action::Buy => (true, false),
            Action::Sell => (false, false),
            Action::CancelBuy => (true, true),
            Action::CancelSell => (false, true),
            _ => return None,
        };
        let (line, date, symbol) = (self.line, self.date, self.symbol.clone());
        Some(Leg { line, date, is_buy, cancels, symbol, shares: self.quantity, price: self.price })
    }
}

/// Leaves out options, bonds, and rows for which the broker's importer has a reason; then cancelled trades. `text` is where the
/// words of a bond may be.
pub fn select(
    entries: &mut Vec<Entry>,
    parsed: &mut Parsed,
    is_option: fn(&str) -> bool,
    text: fn(&Entry) -> String,
    skip_reason: fn(&Entry) -> Option<Reason>,
) {
    let of_bond = |entry: &&Entry| {
        let figures = [entry.quantity, entry.price, entry.amount];
        entry.symbol.as_deref().is_some_and(|symbol| is_bond(symbol, &text(entry), figures))
    };
    let bonds: HashSet<String> = entries.iter().filter(of_bond).filter_map(|entry| entry.symbol.clone()).collect();
    entries.retain(|entry| {
        let reason = match entry.symbol.as_deref() {
            _ if entry.action == Action::Option => Some(Reason::unsupported_asset("option")),
            Some(symbol) if is_option(symbol) => Some(Reason::unsupported_asset("option")),
            Some(symbol) if bonds.contains(symbol) => Some(Reason::unsupported_asset("bond")),
            _ => skip_reason(entry),
        };
        let kept = reason.is_none();
        reason.into_iter().for_each(|reason| parsed.skip(entry.line, reason));
        kept
    });
    cancelled_trades::take_out(entries, Entry::leg, parsed);
}

/// The records of the rows; `other` is for actions that only one broker has.
pub fn finish(entries: Vec<Entry>, mut parsed: Parsed, other: fn(&Entry) -> Result<Record, Reason>) -> Parsed {
    let (fees, entries): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(|entry| entry.action == Action::Fee);
    let mut payments = Payments::default();
    for entry in &entries {
        let key = format!("{}|{}|{}", entry.account, entry.symbol.as_deref().unwrap_or_default(), entry.booked);
        let paid = |kind| Record { amount: entry.amount, ..entry.record(kind) };
        match entry.action {
            Action::Buy => parsed.records.push(entry.trade(Kind::Buy)),
            Action::Sell | Action::CashInLieu => parsed.records.push(entry.trade(Kind::Sell)),
            Action::Dividend(note) => {
                payments.dividend(key, Record { note: note.map(str::to_owned), ..paid(Kind::Dividend) });
            }
            Action::Tax => match entry.amount {
                Some(amount) => payments.tax(key, Decimal::ZERO.saturating_sub(amount), entry.record(Kind::Dividend)),
                None => parsed.error(entry.line, Reason::missing("Amount")),
            },
            Action::ReturnOfCapital => parsed.records.push(paid(Kind::ReturnOfCapital)),
            _ => match other(entry) {
                Ok(record) => parsed.records.push(record),
                Err(reason) => parsed.error(entry.line, reason),
            },
        }
    }
    parsed.records.extend(payments.finish());
    let is_reinvested = |entry: &&Entry| entry.action == Action::Buy && entry.words.to_lowercase().contains("reinvest");
    let of_fee = |entry: &Entry| Record { amount: entry.amount, ..entry.record(Kind::Dividend) };
    charge_adr_fees(fees.iter().map(of_fee).collect(), &mut parsed);
    let purchases = entries.iter().filter(is_reinvested).map(|entry| entry.line).collect();
    reinvested::link(&mut parsed.records, &purchases);
    moved_shares::leave_out(&mut parsed);
    added_shares::work_out(&mut parsed);
    parsed
}

/// Fees of the bank behind an ADR have separate rows. Each is added to the dividend of its day; without one it is skipped. The
/// records are the fee rows, with the fee as their amount, negative if it was charged.
fn charge_adr_fees(fees: Vec<Record>, parsed: &mut Parsed) {
    let mut dividends: HashMap<(String, Date), usize> = HashMap::new();
    for (place, record) in parsed.records.iter().enumerate().filter(|(_, record)| record.kind == Kind::Dividend) {
        dividends.entry((us_security::key(record), record.date)).or_insert(place);
    }
    for row in fees {
        let fee = Decimal::ZERO.saturating_sub(row.amount.unwrap_or_default());
        match dividends.get(&(us_security::key(&row), row.date)).map(|place| &mut parsed.records[*place]) {
            Some(dividend) => {
                let before = dividend.net.or_else(|| dividend.amount?.checked_sub(dividend.tax.unwrap_or_default()));
                dividend.fees = Some(dividend.fees.unwrap_or_default().saturating_add(fee));
                dividend.net = before.map(|net| net.saturating_sub(fee));
                dividend.joined.push(row.line);
            }
            None => parsed.skip(row.line, Reason::FeeWithoutDividend),
        }
    }
}

/// A number instead of a ticker, and a text typical of bonds or a price in percent of the face value.
fn is_bond(symbol: &str, text: &str, [shares, price, amount]: [Option<Decimal>; 3]) -> bool {
    if !us_security::is_number(symbol) {
        return false;
    }
    let text = text.to_uppercase();
    let named = [" DUE ", "%", "TREAS", " BOND", " BDS", " NOTE", " BILL", " MUNI"].iter().any(|word| text.contains(word));
    named || in_per_cent(shares, price, amount).unwrap_or(false)
}

fn in_per_cent(shares: Option<Decimal>, price: Option<Decimal>, amount: Option<Decimal>) -> Option<bool> {
    let product = shares?.abs().checked_mul(price?)?;
    let paid = amount?.abs().checked_mul(Decimal::ONE_HUNDRED)?;
    // Accrued interest and fees are part of what was paid.
    let apart = product.checked_sub(paid)?.abs();
    Some(!product.is_zero() && apart <= product.checked_mul(Decimal::new(1, 1))?)
}
