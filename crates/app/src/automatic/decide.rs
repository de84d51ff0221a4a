//! What users decide: whether payments are recorded automatically, and about single ones.

use jiff::civil::Date;
use ledger::Decimal;
use store::entries::{self, Entry};
use store::payment_decisions;
use store::portfolios::{self, Automatic};
use store::{Tx, users};
use uuid::Uuid;

use super::decision::Key;
use super::reconcile::{self, Rules, all_unrecorded};
use crate::book::lots::is_automatic;
use crate::book::refresh;
use crate::entries::{Problem, Reason, export, fields_of};
use crate::portfolios::account;
use crate::{App, Error};

/// A payment to record, with figures that the user changed.
pub struct Chosen {
    pub key: Key,
    pub pay_date: Option<Date>,
    /// Gross.
    pub amount: Option<Decimal>,
    pub tax: Option<Decimal>,
    pub net: Option<Decimal>,
}

/// Records what is due at once, or removes what was recorded automatically and never confirmed.
pub async fn set_mode(app: &App, user_id: Uuid, portfolio: &str, mode: Automatic) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let id = account::find(&mut tx, user_id, portfolio).await?.id;
    portfolios::set_automatic(&mut tx, user_id, id, mode).await?;
    finish(app, tx, user_id).await
}

/// Records these payments as the user confirmed them; returns how many.
pub async fn record(app: &App, user_id: Uuid, chosen: &[Chosen]) -> Result<usize, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let rules = Rules::load(&mut tx, user_id).await?;
    let rows = entries::of_user(&mut tx, user_id).await?;
    let real: Vec<Entry> = rows.iter().filter(|row| !is_automatic(row)).cloned().collect();
    let unrecorded = all_unrecorded(app, &mut tx, &rules, &rows, &real).await?;
    let mut recorded = 0;
    for one in chosen {
        let Some(payment) = unrecorded.iter().find(|payment| payment.key == one.key) else { continue };
        let mut entry = payment.entry.clone();
        let changed = (one.amount, one.tax, one.net) != (entry.amount, entry.tax, entry.net);
        if changed && (one.amount.is_some() || one.net.is_some()) {
            (entry.amount, entry.tax, entry.net) = (one.amount, one.tax, one.net);
            entry.gross_known = one.amount.is_some();
        }
        entry.date = one.pay_date.unwrap_or(entry.date);
        let mut problems = fields_of(&export::record(entry.clone(), None), app.clock.today());
        problems.extend(negative(&entry));
        if !problems.is_empty() {
            return Err(Error::Entry(problems));
        }
        payment_decisions::put(&mut tx, user_id, &one.key.recorded(&entry)).await?;
        recorded += 1;
    }
    finish(app, tx, user_id).await?;
    Ok(recorded)
}

/// A reversal is recorded by hand; a payment is not negative.
fn negative(entry: &Entry) -> impl Iterator<Item = Problem> {
    let figures = [("amount", entry.amount), ("tax", entry.tax), ("net", entry.net)].into_iter();
    let negative = figures.filter(|(_, figure)| figure.is_some_and(|figure| figure < Decimal::ZERO));
    negative.map(|(field, _)| Problem { field, reason: Reason::Rule(importers::Reason::Negative { column: field }) })
}

/// Neither suggests nor records these payments any more.
pub async fn ignore(app: &App, user_id: Uuid, keys: &[Key]) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let portfolios = portfolios::list(&mut tx, user_id).await?;
    for key in keys.iter().filter(|key| portfolios.iter().any(|portfolio| portfolio.id == key.portfolio_id)) {
        payment_decisions::put(&mut tx, user_id, &key.ignored()).await?;
    }
    finish(app, tx, user_id).await
}

/// Forgets what was decided about these payments.
pub async fn unignore(app: &App, user_id: Uuid, keys: &[Key]) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    for key in keys {
        payment_decisions::remove(&mut tx, user_id, &key.ignored()).await?;
    }
    finish(app, tx, user_id).await
}

async fn finish(app: &App, mut tx: Tx, user_id: Uuid) -> Result<(), Error> {
    reconcile::everything(app, &mut tx, user_id).await?;
    refresh::all(app, &mut tx, user_id).await?;
    users::bump_version(&mut tx, user_id).await?;
    Ok(tx.commit().await?)
}
