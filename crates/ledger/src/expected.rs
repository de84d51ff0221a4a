//! Payments the shares were entitled to, matched with the recorded dividends.

use std::cmp::Reverse;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::history::days_between;
use crate::{Money, Overflow};

/// A payment that one lot of shares was entitled to, before tax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entitlement {
    pub pay_date: Date,
    pub amount: Money,
}

/// A recorded dividend of the same shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Booking {
    pub date: Date,
    pub gross: Money,
    /// False if only the net is known, and `gross` repeats it.
    pub gross_known: bool,
}

/// The sum of the recorded dividends of one day in one currency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Booked {
    pub date: Date,
    pub gross: Money,
    pub gross_known: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// As expected, or not comparable: in another currency, or only recorded as net.
    Received,
    /// More than 2% and more than 0.05 off.
    Different,
    /// Nothing is recorded more than ten days after the payment date.
    Missing,
    /// Nothing is recorded yet.
    Due,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matched {
    /// For each entitlement, in the given order.
    pub booked: Vec<Option<Booked>>,
    /// Records without an entitlement, newest first.
    pub extra: Vec<Booked>,
}

/// How many days a record may be from the payment date: brokers book late, and some payment dates are estimates.
const APART_MAX_DAYS: i64 = 20;
const GRACE_DAYS: i64 = 10;

/// The nearest days are matched first; every record is used once.
pub fn matched(entitlements: &[Entitlement], bookings: &[Booking]) -> Result<Matched, Overflow> {
    let mut left: Vec<Option<Booked>> = by_day(entitlements, bookings)?.into_iter().map(Some).collect();
    let mut pairs = Vec::new();
    for (at, entitlement) in entitlements.iter().enumerate() {
        for (day, booked) in left.iter().enumerate().filter_map(|(day, booked)| Some((day, booked.as_ref()?))) {
            let apart = days_between(entitlement.pay_date, booked.date).abs();
            // A correction with a negative total matches no payment.
            if apart <= APART_MAX_DAYS && booked.gross.amount > Decimal::ZERO {
                pairs.push(((apart, off_by(entitlement, booked), at, day), at, day));
            }
        }
    }
    pairs.sort_by_key(|(order, _, _)| *order);
    let mut booked = vec![None; entitlements.len()];
    for (_, at, day) in pairs {
        if booked[at].is_none() {
            booked[at] = left[day].take();
        }
    }
    let mut extra: Vec<Booked> = left.into_iter().flatten().collect();
    extra.sort_by_key(|booked| Reverse(booked.date));
    Ok(Matched { booked, extra })
}

pub fn state(entitlement: &Entitlement, booked: Option<&Booked>, today: Date) -> State {
    match booked {
        None if days_between(entitlement.pay_date, today) > GRACE_DAYS => State::Missing,
        None => State::Due,
        Some(booked) => match difference(entitlement, booked) {
            Some(difference) if is_off(difference.amount, entitlement.amount.amount) => State::Different,
            _ => State::Received,
        },
    }
}

/// Recorded − expected; `None` if they cannot be compared.
pub fn difference(entitlement: &Entitlement, booked: &Booked) -> Option<Money> {
    let comparable = booked.gross_known && booked.gross.currency == entitlement.amount.currency;
    let difference = booked.gross.amount.checked_sub(entitlement.amount.amount).filter(|_| comparable)?;
    Some(Money::new(difference, booked.gross.currency))
}

fn is_off(difference: Decimal, expected: Decimal) -> bool {
    let difference = difference.abs();
    difference > Decimal::new(5, 2) && expected.checked_mul(Decimal::new(2, 2)).is_some_and(|limit| difference > limit)
}

/// Decides between two records that are equally near.
fn off_by(entitlement: &Entitlement, booked: &Booked) -> Decimal {
    difference(entitlement, booked).map_or(Decimal::MAX, |difference| difference.amount.abs())
}

/// One record per day and currency, ascending. On a day with several payments (a regular one and a special) the records stay
/// separate, so that one payment does not get them all.
fn by_day(entitlements: &[Entitlement], bookings: &[Booking]) -> Result<Vec<Booked>, Overflow> {
    let mut sorted: Vec<&Booking> = bookings.iter().collect();
    sorted.sort_by_key(|booking| (booking.date, booking.gross.currency.code()));
    let mut days: Vec<Booked> = Vec::new();
    for booking in sorted {
        let near = |one: &&Entitlement| days_between(one.pay_date, booking.date).abs() <= APART_MAX_DAYS;
        let nearest = entitlements.iter().filter(near).map(|one| days_between(one.pay_date, booking.date).abs()).min();
        let payments = entitlements.iter().filter(|one| Some(days_between(one.pay_date, booking.date).abs()) == nearest);
        match days.last_mut() {
            Some(day) if day.date == booking.date && day.gross.currency == booking.gross.currency && payments.count() < 2 => {
                day.gross.amount = crate::money::add(day.gross.amount, booking.gross.amount)?;
                day.gross_known &= booking.gross_known;
            }
            _ => days.push(Booked { date: booking.date, gross: booking.gross, gross_known: booking.gross_known }),
        }
    }
    Ok(days)
}
