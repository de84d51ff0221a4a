//! What the user decided about a payment.

use store::Tx;
use store::entries::{self, Entry};
use store::payment_decisions::{self, Decision};
use uuid::Uuid;

use super::key::Key;
use crate::Error;
use crate::book::lots::{AUTOMATIC, is_automatic};
use crate::entries::reference::is_reinvestment;
use crate::import::identity;

/// Whether the user gave figures for the payment.
pub(crate) fn is_recorded(decision: &Decision) -> bool {
    decision.pay_date.is_some()
}

/// Replaces an automatic dividend with these figures and those of its purchase; with `None`, it goes and does not come back.
pub(crate) async fn change(tx: &mut Tx, user_id: Uuid, entry: &Entry, to: Option<(&Entry, Option<&Entry>)>) -> Result<(), Error> {
    entries::delete(tx, user_id, entry.sequence).await?;
    let Some(key) = Key::of_entry(entry) else { return Ok(()) };
    let decision = match to {
        Some((to, purchase)) => key.recorded(to, purchase),
        None => key.ignored(),
    };
    Ok(payment_decisions::put(tx, user_id, &decision).await?)
}

/// Records the dividend that an automatic purchase reinvests as it is, with that purchase or without one.
pub(crate) async fn reinvest(tx: &mut Tx, user_id: Uuid, purchase: &Entry, is_bought: bool) -> Result<(), Error> {
    let of_symbol = entries::of_symbols(tx, user_id, &[&purchase.symbol]).await?;
    let dividend = of_symbol.iter().find(|entry| is_automatic(entry) && is_reinvestment(purchase, entry));
    if let Some((dividend, key)) = dividend.and_then(|dividend| Some((dividend, Key::of_entry(dividend)?))) {
        payment_decisions::put(tx, user_id, &key.recorded(dividend, is_bought.then_some(purchase))).await?;
    }
    Ok(())
}

/// The automatic purchase that reinvests a dividend, among these entries.
pub(crate) fn automatic_purchase<'a>(rows: &'a [Entry], dividend: &Entry) -> Option<&'a Entry> {
    rows.iter().find(|row| is_automatic(row) && is_reinvestment(row, dividend))
}

/// The identity of an automatic entry once it is confirmed.
pub(crate) fn confirmed_identity(entry: &Entry) -> Option<String> {
    Some(identity::by_id(AUTOMATIC, entry.source_id.as_deref()?, false))
}
