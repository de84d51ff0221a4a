//! What the user decided about a payment, and how automatic entries name theirs.

use jiff::civil::Date;
use ledger::Currency;
use store::Tx;
use store::entries::{self, Entry};
use store::payment_decisions::{self, Decision};
use uuid::Uuid;

use crate::Error;
use crate::book::lots::AUTOMATIC;
use crate::import::identity;

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
    pub(super) fn of(decision: &Decision) -> Key {
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
        let id = entry.source_id.as_deref()?;
        let mut parts = id.rsplitn(3, ' ').collect::<Vec<_>>().into_iter();
        let (kind, currency, ex_date) = (parts.next()?, parts.next()?, entry.ex_date?);
        let currency = Currency::parse(currency).ok()?;
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
        }
    }

    /// That it is not to be recorded.
    pub(super) fn ignored(&self) -> Decision {
        self.decision()
    }

    /// That it is recorded with the figures of this entry.
    pub(super) fn recorded(&self, entry: &Entry) -> Decision {
        Decision {
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

/// The identity of an automatic entry once it is confirmed.
pub(crate) fn confirmed_identity(entry: &Entry) -> Option<String> {
    Some(identity::by_id(AUTOMATIC, entry.source_id.as_deref()?, false))
}

const SPECIAL: &str = "special";
const REGULAR: &str = "regular";

/// Whether the user gave figures for the payment.
pub(super) fn is_recorded(decision: &Decision) -> bool {
    decision.pay_date.is_some()
}

/// Replaces an automatic entry with these figures; with `None`, it goes and does not come back.
pub(crate) async fn change(tx: &mut Tx, user_id: Uuid, entry: &Entry, to: Option<&Entry>) -> Result<(), Error> {
    let Some(key) = Key::of_entry(entry) else { return Ok(()) };
    let decision = match to {
        Some(to) => key.recorded(to),
        None => key.ignored(),
    };
    entries::delete(tx, user_id, entry.sequence).await?;
    Ok(payment_decisions::put(tx, user_id, &decision).await?)
}
