//! Which payment something is about: an automatic entry has it in its id, a decision in its columns.

use jiff::civil::Date;
use ledger::{Currency, Payment};
use store::entries::Entry;
use store::payment_decisions::Decision;
use uuid::Uuid;

/// A payment of market data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub portfolio_id: Uuid,
    pub symbol: String,
    pub ex_date: Date,
    pub currency: Currency,
    pub special: bool,
}

impl Key {
    pub(crate) fn of_payment(portfolio_id: Uuid, symbol: &str, payment: &Payment) -> Key {
        let Payment { ex_date, currency, special, .. } = *payment;
        Key { portfolio_id, symbol: symbol.to_owned(), ex_date, currency, special }
    }

    pub(crate) fn of(decision: &Decision) -> Key {
        Key {
            portfolio_id: decision.portfolio_id,
            symbol: decision.symbol.clone(),
            ex_date: decision.ex_date,
            currency: decision.currency,
            special: decision.special,
        }
    }

    /// That of an automatic entry, from its id.
    pub(crate) fn of_entry(entry: &Entry) -> Option<Key> {
        let (currency, kind) = without_symbol(entry.source_id.as_deref()?)?;
        let (currency, ex_date) = (Currency::parse(currency).ok()?, entry.ex_date?);
        Some(Key { portfolio_id: entry.portfolio_id, symbol: entry.symbol.clone(), ex_date, currency, special: kind == SPECIAL })
    }

    /// The id of its entry.
    pub(super) fn id(&self) -> String {
        let kind = if self.special { SPECIAL } else { REGULAR };
        format!("{} {} {} {kind}", self.symbol, self.ex_date, self.currency)
    }

    fn decision(&self) -> Decision {
        Decision {
            portfolio_id: self.portfolio_id,
            symbol: self.symbol.clone(),
            ex_date: self.ex_date,
            currency: self.currency,
            special: self.special,
            pay_date: None,
            paid_in: None,
            shares: None,
            price: None,
            amount: None,
            fees: None,
            tax: None,
            net: None,
            note: None,
            bought_shares: None,
            bought_price: None,
            bought_amount: None,
        }
    }

    /// That it is not to be recorded.
    pub(crate) fn ignored(&self) -> Decision {
        self.decision()
    }

    /// That it is recorded with the figures of this entry, and of the purchase that reinvests it.
    pub(crate) fn recorded(&self, entry: &Entry, purchase: Option<&Entry>) -> Decision {
        Decision {
            bought_shares: purchase.and_then(|purchase| purchase.shares),
            bought_price: purchase.and_then(|purchase| purchase.price),
            bought_amount: purchase.and_then(|purchase| purchase.amount),
            pay_date: Some(entry.date),
            paid_in: Some(entry.currency),
            shares: entry.shares,
            price: entry.price,
            amount: entry.amount,
            fees: entry.fees,
            tax: entry.tax,
            net: entry.net,
            note: entry.note.clone(),
            ..self.decision()
        }
    }
}

/// Currency and kind of payment in the id of an automatic entry.
pub(crate) fn without_symbol(id: &str) -> Option<(&str, &str)> {
    let mut parts = id.rsplitn(3, ' ');
    let (kind, currency) = (parts.next()?, parts.next()?);
    Some((currency, kind))
}

const SPECIAL: &str = "special";
const REGULAR: &str = "regular";
