//! The list of payments that nobody recorded.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use ledger::{Decimal, Money};
use store::portfolios::Automatic;
use store::{entries, stocks, versions};
use uuid::Uuid;

use super::key::Key;
use super::reconcile::{Rules, all_unrecorded};
use super::unrecorded::Unrecorded;
use crate::book::lots::{is_automatic, is_imported_estimate};
use crate::portfolios::account::Account;
use crate::{App, Error};

pub struct Suggestions {
    /// Those to record or answer, newest payment date first.
    pub open: Vec<Suggestion>,
    /// Those that the user does not want to record.
    pub ignored: Vec<Suggestion>,
    /// Of the open ones that nothing is recorded beside, in the preferred currency at the exchange rates of their payment dates. Currencies without a rate are left
    /// out.
    pub net: Money,
}

#[derive(Clone, Debug)]
pub struct Suggestion {
    pub key: Key,
    pub name: Option<String>,
    /// Set if the user has more than one portfolio and none was selected.
    pub portfolio: Option<String>,
    pub pay_date: Date,
    /// False if the payment date is an estimate.
    pub pay_date_known: bool,
    /// Held before the ex-date.
    pub shares: Decimal,
    pub per_share: Money,
    pub gross: Money,
    pub tax: Money,
    pub net: Money,
    /// Shares that are bought with it, and their price.
    pub bought: Option<(Decimal, Money)>,
    /// A dividend recorded at about that time, of another amount: date and gross. Otherwise, none is recorded.
    pub beside: Option<(Date, Money)>,
}

/// Of the selected portfolio or all. Portfolios in which payments are recorded automatically only have those whose amount differs
/// from a recorded one.
pub async fn suggestions(app: &App, user_id: Uuid, portfolio: Option<&str>) -> Result<Suggestions, Error> {
    let mut tx = app.store.read().await?;
    let account = Account::load(&mut tx, user_id, portfolio).await?;
    let rules = Rules::load(&mut tx, user_id).await?;
    let preferred = account.user.preferred_currency;
    let mut found = Suggestions { open: Vec::new(), ignored: Vec::new(), net: Money::new(Decimal::ZERO, preferred) };
    if rules.portfolios.iter().all(|portfolio| portfolio.automatic == Automatic::Off) {
        return Ok(found);
    }
    let rows = entries::of_user(&mut tx, user_id).await?;
    let real: Vec<_> = rows.iter().filter(|row| !is_automatic(row)).cloned().collect();
    let rates = versions::get(&mut tx).await?.rates;
    let fx = app.rates.at(&mut tx, rates).await?;
    let imported: HashSet<Key> = rows.iter().filter(|row| is_imported_estimate(row)).filter_map(Key::of_entry).collect();
    let mut names: HashMap<String, Option<String>> = HashMap::new();
    for payment in all_unrecorded(app, &mut tx, &rules, &rows, &real).await? {
        let listed = match rules.mode(payment.key.portfolio_id) {
            Automatic::Off => false,
            Automatic::Suggest => true,
            Automatic::Record => payment.beside.is_some() || payment.decided == Some(false),
        };
        let is_stored = payment.decided.is_none() && imported.contains(&payment.key);
        if !listed || is_stored || payment.decided == Some(true) || !account.includes(payment.key.portfolio_id) {
            continue;
        }
        let symbol = &payment.key.symbol;
        if !names.contains_key(symbol) {
            names.insert(symbol.clone(), stocks::by_symbol(&mut tx, symbol).await?.and_then(|stock| stock.name));
        }
        let name = names.get(symbol).cloned().flatten();
        let (ignored, portfolio) = (payment.decided.is_some(), account.label(payment.key.portfolio_id));
        let suggestion = Suggestion::of(payment, name, portfolio);
        if ignored {
            found.ignored.push(suggestion);
            continue;
        }
        if suggestion.beside.is_none() {
            let net = fx.convert(suggestion.net.amount, suggestion.net.currency, preferred, suggestion.pay_date);
            found.net.amount = ledger::money::add(found.net.amount, net.unwrap_or_default())?;
        }
        found.open.push(suggestion);
    }
    for list in [&mut found.open, &mut found.ignored] {
        list.sort_by(|a, b| (b.pay_date, &a.key.symbol, &a.portfolio).cmp(&(a.pay_date, &b.key.symbol, &b.portfolio)));
    }
    Ok(found)
}

impl Suggestion {
    fn of(payment: Unrecorded, name: Option<String>, portfolio: Option<String>) -> Suggestion {
        let Unrecorded { key, pay_date_known, entry, purchase, beside, .. } = payment;
        let money = |amount: Option<Decimal>| Money::new(amount.unwrap_or_default(), entry.currency);
        Suggestion {
            name,
            portfolio,
            pay_date: entry.date,
            pay_date_known,
            shares: entry.shares.unwrap_or_default(),
            per_share: money(entry.price),
            gross: money(entry.amount),
            tax: money(entry.tax),
            net: money(entry.net),
            bought: purchase.and_then(|purchase| Some((purchase.shares?, Money::new(purchase.price?, purchase.currency)))),
            beside: beside.map(|booked| (booked.date, booked.gross)),
            key,
        }
    }
}
