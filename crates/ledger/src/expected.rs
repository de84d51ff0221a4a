//! Payments the shares were entitled to, matched with the recorded dividends.

use std::cmp::Reverse;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::dates::days_between;
use crate::number::Number;
use crate::{Fx, Money, Overflow};

/// A payment that one lot of shares was entitled to, before tax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entitlement {
    pub pay_date: Date,
    pub amount: Money,
}

/// A recorded dividend of the same shares, or a return of capital, which some brokers book part of a dividend as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Booking<T = ()> {
    pub date: Date,
    /// Negative for a reversal.
    pub gross: Money,
    /// False if only the net is known, and `gross` repeats it.
    pub gross_known: bool,
    pub is_dividend: bool,
    /// For explanations: the same amount.
    pub trace: T,
}

/// What was recorded on one day in one currency, without what was reversed later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Booked<T = ()> {
    pub date: Date,
    pub gross: Money,
    pub gross_known: bool,
    is_dividend: bool,
    pub trace: T,
}

/// Follows how the recorded amount of a payment is made up; `()` follows nothing. `None` is a result beyond the range of a decimal.
pub trait Trace: Clone {
    fn plus(self, other: Self) -> Option<Self>;
    /// What is left after the amounts of other payments.
    fn without(self, payments: &[Money]) -> Option<Self>;
    /// The amount of a payment that was recorded as part of a sum.
    fn part(self, payment: Money) -> Self;
}

impl Trace for () {
    fn plus(self, (): ()) -> Option<()> {
        Some(())
    }

    fn without(self, _: &[Money]) -> Option<()> {
        Some(())
    }

    fn part(self, _: Money) {}
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
pub struct Matched<T = ()> {
    /// For each entitlement, in the given order.
    pub booked: Vec<Option<Booked<T>>>,
    /// Records without an entitlement, newest first.
    pub extra: Vec<Booked<T>>,
}

/// How many days a record may be from the payment date: brokers book late, and some payment dates are estimates.
const APART_MAX_DAYS: i64 = 20;
const GRACE_DAYS: i64 = 10;

/// The nearest days are matched first; every record is used once.
pub fn matched<T: Trace>(entitlements: &[Entitlement], bookings: &[Booking<T>]) -> Result<Matched<T>, Overflow> {
    let (kept, reversals) = settled(bookings)?;
    let mut left: Vec<Option<Booked<T>>> = by_day(entitlements, &kept)?.into_iter().map(Some).collect();
    let mut pairs = Vec::new();
    for (at, entitlement) in entitlements.iter().enumerate() {
        for (day, booked) in left.iter().enumerate().filter_map(|(day, booked)| Some((day, booked.as_ref()?))) {
            let apart = days_between(entitlement.pay_date, booked.date).abs();
            if apart <= APART_MAX_DAYS {
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
    share_sums(entitlements, &mut booked)?;
    let unmatched = left.into_iter().flatten().filter(|booked| booked.is_dividend);
    let mut extra: Vec<Booked<T>> = unmatched.chain(reversals).collect();
    extra.sort_by_key(|booked| Reverse(booked.date));
    Ok(Matched { booked, extra })
}

pub fn state<T>(entitlement: &Entitlement, booked: Option<&Booked<T>>, today: Date) -> State {
    match booked {
        None if days_between(entitlement.pay_date, today) > GRACE_DAYS => State::Missing,
        None => State::Due,
        Some(booked) => match difference(entitlement, booked) {
            Some(difference) if is_off(difference.amount, entitlement.amount.amount) => State::Different,
            _ => State::Received,
        },
    }
}

/// Whether tax, fees and currency exchange can explain what was recorded for a payment: between half and 105% of the gross that it
/// would be recorded with, both included. Without an exchange rate, the day has to be enough.
pub fn explains(gross: Money, booked: &Booked, fx: &Fx) -> bool {
    let converted = fx.convert(booked.gross.amount, booked.gross.currency, gross.currency, booked.date);
    let limits = [(50, 2), (105, 2)].map(|(share, scale)| gross.amount.checked_mul(Decimal::new(share, scale)));
    match (converted, limits) {
        (Some(booked), [Some(low), Some(high)]) => (low..=high).contains(&booked),
        _ => true,
    }
}

/// A payment as it is recorded when only market data knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimated {
    pub gross: Decimal,
    pub tax: Decimal,
    pub net: Decimal,
}

/// Gross and tax are rounded to the currency's minor units, as brokers round them. `withheld` is a fraction.
pub fn estimated(gross: Money, withheld: Decimal) -> Result<Estimated, Overflow> {
    let [gross, tax, net] = estimate(gross.amount, withheld, gross.currency.minor_units()).ok_or(Overflow)?;
    Ok(Estimated { gross, tax, net })
}

/// Gross, tax and net.
pub(crate) fn estimate<N: Number + Clone>(gross: N, withheld: N, units: u32) -> Option<[N; 3]> {
    let gross = gross.half_even(units).called("gross");
    let tax = gross.clone().times(withheld)?.half_even(units).called("estimated_tax");
    let net = gross.clone().less(tax.clone())?;
    Some([gross, tax, net])
}

/// Recorded − expected; `None` if they cannot be compared.
pub fn difference<T>(entitlement: &Entitlement, booked: &Booked<T>) -> Option<Money> {
    let comparable = booked.gross_known && booked.gross.currency == entitlement.amount.currency;
    let difference = booked.gross.amount.checked_sub(entitlement.amount.amount).filter(|_| comparable)?;
    Some(Money::new(difference, booked.gross.currency))
}

fn is_off(difference: Decimal, expected: Decimal) -> bool {
    let difference = difference.abs();
    difference > Decimal::new(5, 2) && expected.checked_mul(Decimal::new(2, 2)).is_some_and(|limit| difference > limit)
}

/// Decides between two records that are equally near.
fn off_by<T>(entitlement: &Entitlement, booked: &Booked<T>) -> Decimal {
    difference(entitlement, booked).map_or(Decimal::MAX, |difference| difference.amount.abs())
}

/// Records and reversals.
type Settled<T> = (Vec<Booking<T>>, Vec<Booked<T>>);

/// What payments came to in the end, and the reversals of nothing that is known. A reversal takes back the latest earlier record of
/// the same amount, else as much as there is of the latest one within twenty days.
fn settled<T: Trace>(bookings: &[Booking<T>]) -> Result<Settled<T>, Overflow> {
    let mut in_order: Vec<&Booking<T>> = bookings.iter().collect();
    in_order.sort_by_key(|booking| booking.date);
    let (mut kept, mut reversals): Settled<T> = (Vec::new(), Vec::new());
    for booking in in_order {
        if booking.gross.amount > Decimal::ZERO {
            kept.push(booking.clone());
            continue;
        }
        let near = |paid: &Booking<T>| {
            paid.gross.currency == booking.gross.currency && days_between(paid.date, booking.date) <= APART_MAX_DAYS
        };
        let same = |paid: &Booking<T>| near(paid) && paid.gross.amount == -booking.gross.amount;
        match kept.iter().rposition(same).or_else(|| kept.iter().rposition(near)) {
            Some(at) => {
                let rest = crate::money::add(kept[at].gross.amount, booking.gross.amount)?;
                kept[at].gross.amount = rest;
                kept[at].trace = kept[at].trace.clone().plus(booking.trace.clone()).ok_or(Overflow)?;
                if rest <= Decimal::ZERO {
                    kept.remove(at);
                }
            }
            None => reversals.extend(Some(booked(booking)).filter(|booked| booked.is_dividend)),
        }
    }
    Ok((kept, reversals))
}

fn booked<T: Clone>(booking: &Booking<T>) -> Booked<T> {
    let Booking { date, gross, gross_known, is_dividend, ref trace } = *booking;
    Booked { date, gross, gross_known, is_dividend, trace: trace.clone() }
}

/// Payments of one day that were recorded as one sum (a regular dividend and a special): each gets its own part, and the one that
/// was matched gets the rest.
fn share_sums<T: Trace>(entitlements: &[Entitlement], booked: &mut [Option<Booked<T>>]) -> Result<(), Overflow> {
    for at in 0..entitlements.len() {
        let Some(sum) = booked[at].clone() else { continue };
        let same_day = |other: &usize| {
            let (one, other) = (&entitlements[at], &entitlements[*other]);
            one.pay_date == other.pay_date && one.amount.currency == other.amount.currency
        };
        let unmatched: Vec<usize> = (0..entitlements.len()).filter(|other| booked[*other].is_none()).filter(same_day).collect();
        let amounts = unmatched.iter().map(|other| entitlements[*other].amount.amount);
        let amounts = amounts.into_iter().try_fold(Decimal::ZERO, crate::money::add)?;
        let whole = crate::money::add(entitlements[at].amount.amount, amounts)?;
        let rest = crate::money::sub(sum.gross.amount, amounts)?;
        let together = Entitlement { amount: Money::new(whole, entitlements[at].amount.currency), ..entitlements[at] };
        if unmatched.is_empty() || off_by(&together, &sum) >= off_by(&entitlements[at], &sum) {
            continue;
        }
        let others: Vec<Money> = unmatched.iter().map(|other| entitlements[*other].amount).collect();
        for (other, gross) in unmatched.into_iter().zip(&others) {
            booked[other] = Some(Booked { gross: *gross, trace: sum.trace.clone().part(*gross), ..sum });
        }
        let trace = sum.trace.without(&others).ok_or(Overflow)?;
        booked[at] = Some(Booked { gross: Money::new(rest, sum.gross.currency), trace, ..sum });
    }
    Ok(())
}

/// One record per day and currency, ascending. On a day with several payments (a regular one and a special) the records stay
/// separate, so that one payment does not get them all.
fn by_day<T: Trace>(entitlements: &[Entitlement], bookings: &[Booking<T>]) -> Result<Vec<Booked<T>>, Overflow> {
    let mut sorted: Vec<&Booking<T>> = bookings.iter().collect();
    sorted.sort_by_key(|booking| (booking.date, booking.gross.currency.code()));
    let mut days: Vec<Booked<T>> = Vec::new();
    for booking in sorted {
        let near = |one: &&Entitlement| days_between(one.pay_date, booking.date).abs() <= APART_MAX_DAYS;
        let nearest = entitlements.iter().filter(near).map(|one| days_between(one.pay_date, booking.date).abs()).min();
        let payments = entitlements.iter().filter(|one| Some(days_between(one.pay_date, booking.date).abs()) == nearest);
        match days.last_mut() {
            Some(day) if day.date == booking.date && day.gross.currency == booking.gross.currency && payments.count() < 2 => {
                day.gross.amount = crate::money::add(day.gross.amount, booking.gross.amount)?;
                day.trace = day.trace.clone().plus(booking.trace.clone()).ok_or(Overflow)?;
                day.gross_known &= booking.gross_known;
                day.is_dividend |= booking.is_dividend;
            }
            _ => days.push(booked(booking)),
        }
    }
    Ok(days)
}
