//! What users decide: whether payments are recorded automatically, and about single ones.

use jiff::civil::Date;
use ledger::{Decimal, Kind, Overflow, money};
use store::entries::{self, Entry};
use store::payment_decisions;
use store::portfolios::{self, Automatic, Reinvest};
use store::reinvest_rules::{self, Rule};
use store::{Tx, users};
use uuid::Uuid;

use super::decision;
use super::key::Key;
use super::reconcile::{self, Rules, all_unrecorded};
use super::reinvest::at_price;
use crate::book::lots::{is_automatic, is_estimated};
use crate::book::refresh;
use crate::entries::{Problem, Reason, export, fields_of};
use crate::portfolios::account;
use crate::{App, Error, refusal};

/// A payment to record, with the figures that the user saw and may have changed. Without amount and net, they are as suggested.
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

/// How the dividends of a portfolio are reinvested if they are recorded automatically, or those of one of its stocks. `None` means as
/// the rest of the portfolio.
pub async fn set_reinvest(
    app: &App,
    user_id: Uuid,
    portfolio: &str,
    symbol: Option<&str>,
    reinvest: Option<Reinvest>,
) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let portfolio_id = account::find(&mut tx, user_id, portfolio).await?.id;
    match (symbol, reinvest) {
        (None, reinvest) => {
            portfolios::set_reinvest(&mut tx, user_id, portfolio_id, reinvest.unwrap_or_default()).await?;
        }
        (Some(symbol), Some(reinvest)) => {
            let symbol = symbol.trim().to_uppercase();
            let entries = entries::of_symbols(&mut tx, user_id, &[&symbol]).await?;
            if entries.iter().all(|entry| entry.portfolio_id != portfolio_id) {
                return Err(refusal::Portfolio::WithoutStock { symbol }.into());
            }
            reinvest_rules::put(&mut tx, user_id, &Rule { portfolio_id, symbol, reinvest }).await?;
        }
        (Some(symbol), None) => {
            reinvest_rules::remove(&mut tx, user_id, portfolio_id, &symbol.trim().to_uppercase()).await?;
        }
    }
    finish(app, tx, user_id).await
}

/// Records these payments as the user confirmed them; returns how many.
pub async fn record(app: &App, user_id: Uuid, chosen: &[Chosen]) -> Result<usize, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let rules = Rules::load(&mut tx, user_id).await?;
    let rows = entries::of_user(&mut tx, user_id).await?;
    let real: Vec<Entry> = rows.iter().filter(|row| !is_automatic(row)).cloned().collect();
    let unrecorded = all_unrecorded(app, &mut tx, &rules, &rows, &real).await?;
    let (mut recorded, mut problems) = (0, Vec::new());
    for one in chosen {
        let Some(payment) = unrecorded.iter().find(|payment| payment.key == one.key) else { continue };
        let entry = with_figures(payment.entry.clone(), one)?;
        let wrong = wrong(&entry, app.clock.today());
        if wrong.is_empty() {
            let rule = rules.reinvest(one.key.portfolio_id, &one.key.symbol);
            let price = payment.purchase.as_ref().and_then(|purchase| purchase.price);
            let purchase = price.map(|price| at_price(&entry, price, rule)).transpose()?.flatten();
            payment_decisions::put(&mut tx, user_id, &one.key.recorded(&entry, purchase.as_ref())).await?;
            recorded += 1;
        } else {
            problems.push((one.key.clone(), wrong));
        }
    }
    if !problems.is_empty() {
        return Err(Error::Payments(problems));
    }
    finish(app, tx, user_id).await?;
    Ok(recorded)
}

/// If the gross or the tax was changed, but not the net, the net follows from them. If the net was changed, but not the tax, the tax
/// is the rest.
fn with_figures(mut entry: Entry, chosen: &Chosen) -> Result<Entry, Overflow> {
    let Chosen { pay_date, amount, mut tax, mut net, .. } = *chosen;
    let (is_tax_changed, is_net_changed) = (tax != entry.tax, net != entry.net);
    if let (Some(amount), Some(given_tax), Some(given_net)) = (amount, tax, net) {
        match (is_tax_changed, is_net_changed) {
            (_, false) => net = Some(money::sub(amount, given_tax)?),
            (false, true) => tax = Some(money::sub(amount, given_net)?),
            (true, true) => {}
        }
    }
    if amount.is_some() || net.is_some() {
        (entry.amount, entry.tax, entry.net) = (amount, tax, net);
        entry.gross_known = amount.is_some();
    }
    entry.date = pay_date.unwrap_or(entry.date);
    Ok(entry)
}

fn wrong(entry: &Entry, today: Date) -> Vec<Problem> {
    let mut problems = fields_of(&export::record(entry.clone(), None), today);
    if entry.date > today && problems.iter().all(|problem| problem.field != "date") {
        problems.push(Problem { field: "date", reason: Reason::NotPaidYet { date: entry.date } });
    }
    let figures = [("amount", entry.amount), ("tax", entry.tax), ("net", entry.net)];
    let above = figures.iter().find(|(_, figure)| figure.is_some_and(|figure| entry.amount.is_some_and(|gross| figure > gross)));
    let negative = figures.iter().find(|(_, figure)| figure.is_some_and(|figure| figure < Decimal::ZERO));
    problems.extend(above.or(negative).map(|(field, _)| Problem { field, reason: Reason::NotPartOfGross }));
    problems
}

/// Records the dividends with these sequences as they are, if they are estimates; returns how many were.
pub async fn confirm(app: &App, user_id: Uuid, sequences: &[i64]) -> Result<usize, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let mut confirmed = 0;
    let purchases = entries::reinvestments(&mut tx, user_id).await?;
    for sequence in sequences {
        if let Some(entry) = entries::one(&mut tx, user_id, *sequence).await?.filter(is_estimated)
            && entry.kind == Kind::Dividend
        {
            let purchase = decision::automatic_purchase(&purchases, &entry);
            decision::change(&mut tx, user_id, &entry, Some((&entry, purchase))).await?;
            confirmed += 1;
        }
    }
    finish(app, tx, user_id).await?;
    Ok(confirmed)
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
