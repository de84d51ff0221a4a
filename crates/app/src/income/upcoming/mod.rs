//! Upcoming payments: of holdings, of shares held before an ex-date, and of the watchlist. Payments announced by the user's
//! broker replace those of market data.

mod accrued;

use std::collections::HashSet;
use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::upcoming::Item as Payment;
use ledger::{Basis, Decimal, Money, Overflow};
use uuid::Uuid;

use crate::book::{Book, Holding};
use crate::market::profile::Profile;
use crate::market::traded::Traded;
use crate::{App, Error};

pub struct Upcoming {
    pub from: Date,
    pub items: Vec<Item>,
    /// Of the payments with a payment date within the days, in the preferred currency at today's exchange rates. Payments whose
    /// currency has no rate are left out.
    pub expected: Money,
    /// The same after tax.
    pub expected_net: Money,
}

pub struct Item {
    pub symbol: String,
    pub name: Option<String>,
    pub ex_date: Date,
    pub pay_date: Date,
    pub per_share: Money,
    /// The payment one year earlier.
    pub previous_per_share: Option<Money>,
    /// Since then, as a fraction.
    pub change: Option<Decimal>,
    pub declared: bool,
    /// Whether the amounts are those of a broker's statement.
    pub announced_by_broker: bool,
    pub basis: Basis,
    /// `None` for a stock on the watchlist.
    pub owned: Option<Owned>,
}

impl Item {
    /// The next of its two dates.
    pub fn first_date(&self, today: Date) -> Date {
        ledger::upcoming::first_to_come(self.ex_date, self.pay_date, today)
    }
}

pub struct Owned {
    pub portfolio_id: Uuid,
    pub shares: Decimal,
    pub expected: Money,
    pub expected_net: Money,
    /// Set if the user has more than one portfolio and none was selected.
    pub portfolio: Option<String>,
}

/// Soonest first, by the next of the two dates, then symbol, then portfolio.
pub async fn list(app: &App, user_id: Uuid, portfolio: Option<&str>, days: i32) -> Result<Upcoming, Error> {
    of_book(&mut Book::open(app, user_id, portfolio).await?, days).await
}

/// The user's own payments within these days after tax, per currency, by its code. A payment that goes ex within them but is paid
/// later does not count.
pub fn totals(upcoming: &Upcoming, days: i32) -> Result<Vec<Money>, Error> {
    let last = upcoming.from.saturating_add(days.days());
    let own = upcoming.items.iter().filter(|item| item.pay_date <= last).filter_map(|item| item.owned.as_ref());
    Ok(ledger::money::by_currency(own.map(|owned| owned.expected_net))?)
}

/// Of the selected portfolio, or of all and the watchlist.
pub(crate) async fn of_book(book: &mut Book<'_>, days: i32) -> Result<Upcoming, Error> {
    let items = items(book, days).await?;
    let (from, last) = (book.today, book.today.saturating_add(days.days()));
    let total = |amount: fn(&Owned) -> Money| {
        let paid = items.iter().filter(|item| from <= item.pay_date && item.pay_date <= last);
        book.sum(paid.filter_map(|item| item.owned.as_ref()).map(amount))
    };
    let (expected, expected_net) = (total(|owned| owned.expected)?, total(|owned| owned.expected_net)?);
    Ok(Upcoming { from, items, expected, expected_net })
}

async fn items(book: &mut Book<'_>, days: i32) -> Result<Vec<Item>, Error> {
    let today = book.today;
    let mut accrued = accrued::Accrued::load(book).await?;
    let mut held = HashSet::new();
    let mut items = Vec::new();
    for due in due(book, days).await? {
        let (holding, profile) = (&due.holding, due.profile.as_deref());
        let position = book.position(holding, profile).await?;
        let shares_today = position.map(|position| position.shares).unwrap_or_default();
        if !shares_today.is_zero() {
            held.insert(holding.symbol.clone());
        }
        if book.account.includes(holding.portfolio_id) {
            let traded = Traded::from(profile);
            let lot = if needs_lot(&due.payments, traded, today) { Some(book.lot(holding).await?) } else { None };
            let announced = lot.as_ref().map(|lot| ledger::unrecorded_splits(&lot.entries, traded.splits)).unwrap_or_default();
            let shares = |payment: &Payment| match &lot {
                // From the ex-date on, only shares held before it are paid; buying on the day itself is too late.
                Some(lot) if payment.ex_date <= today => Some(lot.shares_paid(traded, payment.ex_date)),
                _ => ledger::upcoming::announced(&announced, today, payment.ex_date)?.checked_mul(shares_today),
            };
            let rate = book.withholding(holding, profile);
            let expected = of_stake(book, &due, shares, rate)?;
            items.extend(accrued.merged(book, holding, expected, due.gap, days));
        }
    }
    items.extend(accrued.rest(book, days));
    if book.account.selected.is_none() {
        // A payment due on shares sold since belongs to the user's own, and is only listed there.
        let due: HashSet<(String, Date)> = items.iter().map(|item| (item.symbol.clone(), item.ex_date)).collect();
        let watched = of_radar(book, &held, days).await?;
        items.extend(watched.into_iter().filter(|item| !due.contains(&(item.symbol.clone(), item.ex_date))));
    }
    items.sort_by(|a, b| {
        let place = |item: &Item| (ledger::upcoming::first_to_come(item.ex_date, item.pay_date, today), item.symbol.clone());
        let portfolio = |item: &Item| item.owned.as_ref().and_then(|owned| owned.portfolio.clone());
        place(a).cmp(&place(b)).then_with(|| portfolio(a).cmp(&portfolio(b))).then_with(|| a.ex_date.cmp(&b.ex_date))
    });
    Ok(items)
}

/// A holding whose payments are known, and the next ones.
struct Due {
    holding: Arc<Holding>,
    profile: Option<Arc<Profile>>,
    basis: Basis,
    payments: Vec<Payment>,
    /// The usual number of days between two payments.
    gap: i32,
}

/// In all portfolios. Entries are read if only they show what is held, or was held before an ex-date.
async fn due(book: &mut Book<'_>, days: i32) -> Result<Vec<Due>, Error> {
    let mut due = Vec::new();
    for holding in book.holdings.clone() {
        let profile = book.profile(&holding.symbol).await?;
        let own = book.own_metrics(&holding, profile.as_deref()).await?;
        let basis = if own.is_some() { Basis::Ledger } else { Basis::Market };
        let Some(metrics) = own.as_deref().or(profile.as_ref().map(|profile| &profile.metrics)) else { continue };
        let payments = ledger::upcoming::payments(metrics, book.today, days);
        let gap = metrics.frequency.map_or(0, |frequency| frequency.nominal_gap_days());
        due.push(Due { holding, profile, basis, payments, gap });
    }
    let unread = due.iter().filter(|Due { holding, profile, payments, .. }| {
        let profile = profile.as_deref();
        let needs_lot = needs_lot(payments, profile.into(), book.today) && book.account.includes(holding.portfolio_id);
        needs_lot || book.is_unread(holding, profile)
    });
    book.read(&unread.map(|due| &*due.holding).collect::<Vec<_>>()).await?;
    Ok(due)
}

/// Whether only the entries show how many shares are paid: for payments that have gone ex, and around announced splits.
fn needs_lot(payments: &[Payment], traded: Traded<'_>, today: Date) -> bool {
    let gone_ex = payments.iter().any(|payment| payment.ex_date <= today);
    gone_ex || (!payments.is_empty() && traded.splits.iter().any(|split| split.date > today))
}

fn of_stake(
    book: &Book<'_>,
    due: &Due,
    shares: impl Fn(&Payment) -> Option<Decimal>,
    withholding: Decimal,
) -> Result<Vec<Item>, Error> {
    let holding = &due.holding;
    let mut items = Vec::new();
    for payment in &due.payments {
        let shares = shares(payment).ok_or(Overflow)?;
        if shares.is_zero() {
            continue;
        }
        let currency = payment.per_share.currency;
        let expected = ledger::money::mul(payment.per_share.amount, shares)?;
        let kept = ledger::money::sub(Decimal::ONE, withholding)?;
        let owned = Owned {
            portfolio_id: holding.portfolio_id,
            shares,
            expected: Money::new(expected, currency),
            expected_net: Money::new(ledger::money::mul(expected, kept)?, currency),
            portfolio: book.account.label(holding.portfolio_id),
        };
        let item = item(&holding.symbol, due.profile.as_deref(), payment, due.basis, Some(owned));
        items.push(Item { name: item.name.or_else(|| holding.name.clone()), ..item });
    }
    Ok(items)
}

async fn of_radar(book: &mut Book<'_>, held: &HashSet<String>, days: i32) -> Result<Vec<Item>, Error> {
    let mut items = Vec::new();
    for symbol in book.radar().await? {
        if held.contains(&symbol) {
            continue;
        }
        let Some(profile) = book.profile(&symbol).await? else { continue };
        let payments = ledger::upcoming::payments(&profile.metrics, book.today, days);
        items.extend(payments.iter().map(|payment| item(&symbol, Some(&profile), payment, Basis::Market, None)));
    }
    Ok(items)
}

fn item(symbol: &str, profile: Option<&Profile>, payment: &Payment, basis: Basis, owned: Option<Owned>) -> Item {
    Item {
        symbol: symbol.to_owned(),
        name: profile.and_then(|profile| profile.stock.name.clone()),
        ex_date: payment.ex_date,
        pay_date: payment.pay_date,
        per_share: payment.per_share,
        previous_per_share: payment.previous_per_share,
        change: payment.change(),
        declared: payment.declared,
        announced_by_broker: false,
        basis,
        owned,
    }
}
