//! What a stock is expected to pay per share in a year, and in which months.

use rust_decimal::Decimal;

use crate::Frequency;
use crate::frequency::Rhythm;
use crate::history::{History, Payment};

/// Per share and year; zero for a stopped payer or if nothing is known.
pub(crate) fn forward_rate(history: &History, rhythm: Rhythm, provider: Option<Decimal>) -> Decimal {
    if rhythm.stopped {
        return Decimal::ZERO;
    }
    match (history_rate(history, rhythm), provider) {
        (Some(own), Some(rate)) if within_half(rate, own) => rate,
        (Some(own), _) => own,
        (None, rate) => rate.unwrap_or_default().max(Decimal::ZERO),
    }
}

/// Calendar months of the last year's pay dates, ascending.
pub(crate) fn payment_months(history: &History, rhythm: Rhythm) -> Vec<i8> {
    let Some(frequency) = rhythm.frequency() else { return Vec::new() };
    let mut months: Vec<i8> = last_year(history, frequency).iter().map(|payment| payment.pay_date.month()).collect();
    months.sort_unstable();
    months.dedup();
    months
}

fn history_rate(history: &History, rhythm: Rhythm) -> Option<Decimal> {
    let frequency = rhythm.frequency()?;
    let per_year = Decimal::from(frequency.payments_per_year());
    let payments = last_year(history, frequency);
    let seldom = matches!(frequency, Frequency::SemiAnnual | Frequency::Annual);
    if !seldom && !uneven(&payments)? {
        return payments.first()?.amount.checked_mul(per_year);
    }
    // Scaled up to a full year if the history is shorter.
    let sum = payments.iter().try_fold(Decimal::ZERO, |sum, payment| sum.checked_add(payment.amount))?;
    sum.checked_mul(per_year)?.checked_div(Decimal::from(payments.len()))
}

/// A year's number of regular payments, newest first; fewer if there are no more.
fn last_year(history: &History, frequency: Frequency) -> Vec<&Payment> {
    history.regular().rev().take(frequency.payments_per_year() as usize).collect()
}

fn uneven(payments: &[&Payment]) -> Option<bool> {
    let amounts = || payments.iter().map(|payment| payment.amount);
    Some(amounts().max()? > amounts().min()?.checked_mul(Decimal::new(13, 1))?)
}

/// A provider's rate that differs by more than half is usually a mistake: an included special, or a missed split.
fn within_half(rate: Decimal, own: Decimal) -> bool {
    let in_range = || {
        Some(own <= rate.checked_mul(Decimal::TWO)? && rate.checked_mul(Decimal::TWO)? <= own.checked_mul(Decimal::new(3, 0))?)
    };
    in_range().unwrap_or(false)
}
