//! Compares each payment for which shares were held with what was recorded.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::RangeInclusive;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::expected::{Booked, Booking, Entitlement, State, difference, matched, state};
use ledger::{Decimal, Event, Money, Payment};
use uuid::Uuid;

use crate::automatic::decision::is_recorded;
use crate::automatic::key::Key;
use crate::book::Book;
use crate::book::lots::Lot;
use crate::market::profile::Profile;
use crate::{App, Error};

#[derive(Clone, Debug)]
pub struct Comparison {
    /// Newest payment date first, then by symbol.
    pub payments: Vec<Expected>,
    /// Recorded dividends without a matching payment, newest first.
    pub extra: Vec<Extra>,
    /// Symbols with dividends but without payments in market data, so there is nothing to compare. Ascending.
    pub not_compared: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Expected {
    pub symbol: String,
    pub name: Option<String>,
    /// Set if the user has more than one portfolio and none was selected.
    pub portfolio: Option<String>,
    pub ex_date: Date,
    pub pay_date: Date,
    /// False if the payment date is an estimate.
    pub pay_date_known: bool,
    pub special: bool,
    /// As paid, per share on that day.
    pub per_share: Money,
    /// Held before the ex-date.
    pub shares: Decimal,
    /// Gross, in the currency of the payment.
    pub expected: Money,
    /// The same after estimated tax.
    pub expected_net: Money,
    /// Gross as recorded; the net amount if only that is known (`net_only`).
    pub received: Option<Money>,
    pub received_on: Option<Date>,
    pub net_only: bool,
    /// Received − expected, if they can be compared.
    pub difference: Option<Money>,
    pub state: State,
}

#[derive(Clone, Debug)]
pub struct Extra {
    pub symbol: String,
    pub name: Option<String>,
    pub portfolio: Option<String>,
    pub date: Date,
    /// Gross, all records of the day together.
    pub received: Money,
    pub net_only: bool,
}

/// For the last 24 months.
pub async fn compare(app: &App, user_id: Uuid, portfolio: Option<&str>) -> Result<Comparison, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let from = first_day(book.today);
    of_book(&mut book, from, Date::MAX).await
}

/// The first of the 24 months up to a day.
pub(crate) fn first_day(last: Date) -> Date {
    last.saturating_sub(24.months()).saturating_add(1.day())
}

/// Payments and records with a date from the first to the last day. Those before and after are matched too, so that none near the
/// edge is matched wrongly.
pub(crate) async fn of_book(book: &mut Book<'_>, from: Date, to: Date) -> Result<Comparison, Error> {
    let days = from..=to;
    let decisions = book.payment_decisions().await?;
    let ignored = decisions.iter().filter(|decision| !is_recorded(decision)).map(Key::of).collect();
    let mut all = Comparison { payments: Vec::new(), extra: Vec::new(), not_compared: Vec::new() };
    for lot in book.lots().await? {
        if !book.account.includes(lot.portfolio_id) {
            continue;
        }
        let mut recorded = bookings(&lot, matched_since(&days), book.today).into_iter();
        match book.profile(&lot.symbol).await?.filter(|profile| !profile.metrics.history.payments.is_empty()) {
            Some(profile) => compare_lot(book, &lot, &profile, &days, recorded.as_slice(), &ignored, &mut all)?,
            None if !recorded.any(|booking| booking.is_dividend && days.contains(&booking.date)) => {}
            None => all.not_compared.push(lot.symbol.clone()),
        }
    }
    all.payments
        .sort_by(|a, b| (Reverse(a.pay_date), &a.symbol, &a.portfolio).cmp(&(Reverse(b.pay_date), &b.symbol, &b.portfolio)));
    all.extra.sort_by(|a, b| (Reverse(a.date), &a.symbol, &a.portfolio).cmp(&(Reverse(b.date), &b.symbol, &b.portfolio)));
    all.not_compared.sort();
    all.not_compared.dedup();
    Ok(all)
}

pub(crate) type Days = RangeInclusive<Date>;

/// From when on payments and records are matched.
pub(crate) fn matched_since(days: &Days) -> Date {
    days.start().saturating_sub(3.months())
}

fn compare_lot(
    book: &Book<'_>,
    lot: &Lot,
    profile: &Profile,
    days: &Days,
    recorded: &[Booking],
    ignored: &HashSet<Key>,
    all: &mut Comparison,
) -> Result<(), Error> {
    let today = book.today;
    let due = due(lot, profile, matched_since(days), today)?;
    let entitlements: Vec<Entitlement> = due.iter().map(|due| due.entitlement).collect();
    let found = matched(&entitlements, recorded)?;
    let kept = ledger::money::sub(Decimal::ONE, book.withholding_of(lot, profile))?;
    let name = || profile.stock.name.clone().or_else(|| lot.name.clone());
    let portfolio = || book.account.label(lot.portfolio_id);
    for (due, booked) in due.iter().zip(found.booked) {
        // Future and ignored payments are only listed once they are recorded.
        let is_listed =
            due.entitlement.pay_date <= today && !ignored.contains(&Key::of_payment(lot.portfolio_id, &lot.symbol, due.payment));
        if days.contains(&due.entitlement.pay_date) && (is_listed || booked.is_some()) {
            let net = ledger::money::mul(due.entitlement.amount.amount, kept)?;
            all.payments.push(expected(lot, due, net, booked, today, name(), portfolio()));
        }
    }
    all.extra.extend(found.extra.iter().filter(|booked| days.contains(&booked.date) && !booked.gross.amount.is_zero()).map(
        |booked| Extra {
            symbol: lot.symbol.clone(),
            name: name(),
            portfolio: portfolio(),
            date: booked.date,
            received: booked.gross,
            net_only: !booked.gross_known,
        },
    ));
    Ok(())
}

pub(crate) struct Due<'a> {
    pub payment: &'a Payment,
    /// Held before the ex-date.
    pub shares: Decimal,
    pub entitlement: Entitlement,
}

/// Payments from market data that went ex while shares were held.
pub(crate) fn due<'a>(lot: &Lot, profile: &'a Profile, from: Date, today: Date) -> Result<Vec<Due<'a>>, Error> {
    let near = |payment: &&Payment| payment.pay_date >= from && payment.ex_date <= today;
    let mut due = Vec::new();
    for payment in profile.metrics.history.payments.iter().filter(near) {
        due.extend(due_of(lot, profile, payment)?);
    }
    Ok(due)
}

/// `None` if no shares were held.
pub(crate) fn due_of<'a>(lot: &Lot, profile: &Profile, payment: &'a Payment) -> Result<Option<Due<'a>>, Error> {
    let shares = lot.shares_paid(Some(profile).into(), payment.ex_date);
    if shares.is_zero() {
        return Ok(None);
    }
    let amount = Money::new(ledger::money::mul(payment.paid_amount, shares)?, payment.currency);
    Ok(Some(Due { payment, shares, entitlement: Entitlement { pay_date: payment.pay_date, amount } }))
}

pub(crate) fn bookings(lot: &Lot, from: Date, today: Date) -> Vec<Booking> {
    traced(lot, from, today, |_, _| ())
}

/// With what explains each amount.
pub(crate) fn traced<T>(lot: &Lot, from: Date, today: Date, trace: impl Fn(&ledger::Entry, Money) -> T) -> Vec<Booking<T>> {
    let recent = lot.entries.iter().filter(|entry| entry.date >= from && entry.date <= today);
    let booking = |entry: &ledger::Entry| {
        let (gross, gross_known, is_dividend) = match &entry.event {
            Event::Dividend(paid) => (paid.gross, paid.gross_known, true),
            Event::ReturnOfCapital { amount } => (*amount, true, false),
            _ => return None,
        };
        let gross = Money::new(gross, entry.currency);
        Some(Booking { date: entry.date, gross, gross_known, is_dividend, trace: trace(entry, gross) })
    };
    recent.filter_map(booking).collect()
}

fn expected(
    lot: &Lot,
    due: &Due<'_>,
    net: Decimal,
    booked: Option<Booked>,
    today: Date,
    name: Option<String>,
    portfolio: Option<String>,
) -> Expected {
    Expected {
        symbol: lot.symbol.clone(),
        name,
        portfolio,
        ex_date: due.payment.ex_date,
        pay_date: due.payment.pay_date,
        pay_date_known: due.payment.pay_date_known,
        special: due.payment.special,
        per_share: Money::new(due.payment.paid_amount, due.payment.currency),
        shares: due.shares,
        expected: due.entitlement.amount,
        expected_net: Money::new(net, due.entitlement.amount.currency),
        received: booked.map(|booked| booked.gross),
        received_on: booked.map(|booked| booked.date),
        net_only: booked.is_some_and(|booked| !booked.gross_known),
        difference: booked.and_then(|booked| difference(&due.entitlement, &booked)),
        state: state(&due.entitlement, booked.as_ref(), today),
    }
}
