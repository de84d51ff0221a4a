//! What the user decided about a payment.

use store::Tx;
use store::entries::{self, Entry};
use store::payment_decisions::{self, Decision};
use uuid::Uuid;

use super::key::Key;
use crate::Error;
use crate::book::lots::AUTOMATIC;
use crate::import::identity;

/// Whether the user gave figures for the payment.
pub(crate) fn is_recorded(decision: &Decision) -> bool {
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

/// The identity of an automatic entry once it is confirmed.
pub(crate) fn confirmed_identity(entry: &Entry) -> Option<String> {
    Some(identity::by_id(AUTOMATIC, entry.source_id.as_deref()?, false))
}
