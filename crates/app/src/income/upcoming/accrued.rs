//! Payments announced by a broker: their dates, shares, tax and net are the broker's own figures.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use ledger::{Basis, Decimal, Money};
use store::accruals::Accrual;
use uuid::Uuid;

use super::{Item, Owned};
use crate::Error;
use crate::book::{Book, Holding};

/// By portfolio and symbol, from the latest statement of each portfolio.
pub(super) struct Accrued(HashMap<(Uuid, String), Vec<Accrual>>);

impl Accrued {
    pub async fn load(book: &mut Book<'_>) -> Result<Accrued, Error> {
        let mut seen = HashSet::new();
        let mut accrued: HashMap<(Uuid, String), Vec<Accrual>> = HashMap::new();
        for statement in book.broker_statements().await? {
            if seen.insert(statement.portfolio_id) && book.account.includes(statement.portfolio_id) {
                for accrual in book.accruals(statement.import_id).await? {
                    accrued.entry((statement.portfolio_id, accrual.symbol.clone())).or_default().push(accrual);
                }
            }
        }
        Ok(Accrued(accrued))
    }

    /// The expected payments of a holding, with the broker's in place of the same ones: those with the same ex-date, else a declared
    /// one that differs by a few days, else the estimate within half the interval between two payments (`gap` days).
    pub fn merged(&mut self, book: &Book<'_>, holding: &Holding, mut expected: Vec<Item>, gap: i32, days: i32) -> Vec<Item> {
        for accrual in self.0.remove(&(holding.portfolio_id, holding.symbol.clone())).unwrap_or_default() {
            let same = |item: &Item| item.ex_date == accrual.ex_date;
            let near = |item: &Item| !item.declared && 2 * days_apart(item.ex_date, accrual.ex_date) <= i64::from(gap);
            let place = |rule: &dyn Fn(&Item) -> bool| expected.iter().position(rule);
            let place = place(&same).or_else(|| place(&|item| is_declared_as(item, &accrual))).or_else(|| place(&near));
            let before = place.map(|place| expected.swap_remove(place));
            let item = item(book, holding.portfolio_id, &accrual, before, days);
            expected.extend(item.map(|item| Item { name: item.name.or_else(|| holding.name.clone()), ..item }));
        }
        expected
    }

    /// Payments for which there is neither a holding nor market data.
    pub fn rest(self, book: &Book<'_>, days: i32) -> Vec<Item> {
        let all =
            self.0.into_iter().flat_map(|((portfolio_id, _), accruals)| accruals.into_iter().map(move |one| (portfolio_id, one)));
        all.filter_map(|(portfolio_id, accrual)| item(book, portfolio_id, &accrual, None, days)).collect()
    }
}

/// Whether a declared payment is this one: a few days and a small part of the amount are the broker's own view.
fn is_declared_as(item: &Item, accrual: &Accrual) -> bool {
    let near = |one: Date, other: Date| days_apart(one, other) <= 5;
    let dates = near(item.ex_date, accrual.ex_date) || accrual.pay_date.is_some_and(|pay_date| near(item.pay_date, pay_date));
    let expected = item.owned.as_ref().map(|owned| owned.expected);
    let close = |expected: Money| {
        let off = accrual.gross.checked_sub(expected.amount)?.abs();
        Some(expected.currency == accrual.currency && off <= expected.amount.checked_mul(Decimal::new(2, 2))?)
    };
    item.declared && dates && expected.and_then(close).unwrap_or(false)
}

fn days_apart(one: Date, other: Date) -> i64 {
    (one.duration_since(other).as_hours() / 24).abs()
}

/// `None` if it is outside the requested days.
fn item(book: &Book<'_>, portfolio_id: Uuid, accrual: &Accrual, before: Option<Item>, days: i32) -> Option<Item> {
    let assumed = || ledger::upcoming::days_after(accrual.ex_date, ledger::USUAL_LAG_DAYS);
    let pay_date = accrual.pay_date.or(before.as_ref().map(|item| item.pay_date)).unwrap_or_else(assumed);
    if !ledger::upcoming::within(accrual.ex_date, pay_date, book.today, days) {
        return None;
    }
    let money = |amount: Decimal| Money::new(amount, accrual.currency);
    let per_share = accrual.per_share.or_else(|| accrual.gross.checked_div(accrual.shares)).unwrap_or_default();
    let previous = before.as_ref().and_then(|item| item.previous_per_share).filter(|before| before.currency == accrual.currency);
    Some(Item {
        symbol: accrual.symbol.clone(),
        name: before.as_ref().and_then(|item| item.name.clone()).or_else(|| accrual.name.clone()),
        ex_date: accrual.ex_date,
        pay_date,
        per_share: money(per_share),
        previous_per_share: previous,
        change: previous.and_then(|before| ledger::upcoming::change(money(per_share), before)),
        declared: true,
        announced_by_broker: true,
        basis: Basis::Market,
        owned: Some(Owned {
            portfolio_id,
            shares: accrual.shares,
            expected: money(accrual.gross),
            expected_net: money(accrual.net),
            portfolio: book.account.label(portfolio_id),
        }),
    })
}
