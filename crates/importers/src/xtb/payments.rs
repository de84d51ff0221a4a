//! Dividends and their withholding tax: separate rows, one pair for each lot, all in the same second.

use std::collections::HashMap;

use ledger::{Currency, Decimal};

use super::comment::Comment;
use crate::{Kind, Parsed, Reason, Record};

#[derive(Default)]
pub struct Payments(Vec<Payment>);

pub struct Payment {
    pub record: Record,
    pub comment: Comment,
    /// In the account's currency.
    pub amount: Decimal,
    pub number: Option<u64>,
}

impl Payments {
    pub fn add(&mut self, payment: Payment) {
        self.0.push(payment);
    }

    /// A lot's tax has the number after its dividend: in the order of numbers, the first tax belongs to the first dividend.
    pub fn finish(mut self, account: Option<Currency>, parsed: &mut Parsed) {
        let Some(account) = account else {
            for payment in self.0 {
                parsed.error(payment.record.line, Reason::AccountCurrencyMissing);
            }
            return;
        };
        self.0.sort_by_key(|payment| payment.number);
        let totals = Totals::of(&self.0);
        let mut pairs = crate::joining::payments::Payments::default();
        for payment in self.0 {
            let key = key(&payment.record);
            let record = Record { currency: Some(account), ..payment.record };
            match payment.comment {
                Comment::Withheld(_) if record.kind == Kind::Dividend => {
                    let unsigned = totals.have_tax_with_the_sign_of_its_dividend(&key);
                    pairs.tax(key, if unsigned { payment.amount } else { -payment.amount }, record);
                }
                comment if record.kind == Kind::Dividend => pairs.dividend(key, paid(record, comment, payment.amount)),
                comment => parsed
                    .records
                    .push(Record { note: Some("a spin-off, paid in cash".to_owned()), ..paid(record, comment, payment.amount) }),
            }
        }
        parsed.records.extend(pairs.finish());
    }
}

/// What a tax and its dividend have in common: the share and the second.
fn key(record: &Record) -> String {
    format!("{} {:?} {} {:?}", record.ticker.as_deref().unwrap_or_default(), record.suffix, record.date, record.time)
}

/// By key: the amount paid, the tax withheld, and its rate.
#[derive(Default)]
struct Totals(HashMap<String, (Decimal, Decimal, Option<Decimal>)>);

impl Totals {
    fn of(payments: &[Payment]) -> Totals {
        let mut totals = Totals::default();
        for payment in payments {
            let (paid, withheld, rate) = totals.0.entry(key(&payment.record)).or_default();
            match payment.comment {
                Comment::Withheld(stated) => {
                    *withheld = withheld.saturating_add(payment.amount);
                    *rate = stated.or(*rate);
                }
                _ => *paid = paid.saturating_add(payment.amount),
            }
        }
        totals
    }

    /// Withheld tax has the opposite sign of the dividend. Some exports leave out the sign: in the same second as the dividend
    /// and at exactly its rate, it is still the tax on it, and not a refund.
    fn have_tax_with_the_sign_of_its_dividend(&self, key: &str) -> bool {
        let Some((paid, withheld, Some(rate))) = self.0.get(key) else { return false };
        let due = paid.saturating_mul(*rate).checked_div(Decimal::ONE_HUNDRED).unwrap_or_default();
        !withheld.is_zero() && due.saturating_sub(*withheld).abs() <= Decimal::new(1, 2)
    }
}

/// The amount per share is in the share's own currency; the total is in the account's.
fn paid(record: Record, comment: Comment, amount: Decimal) -> Record {
    let (price, note) = match comment {
        Comment::PerShare(currency, each) if record.currency == Some(currency) => (Some(each), None),
        Comment::PerShare(currency, each) => (None, Some(format!("{each} {currency} a share"))),
        _ => (None, None),
    };
    Record { amount: Some(amount), price, note, ..record }
}
