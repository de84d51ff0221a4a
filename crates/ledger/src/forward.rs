//! What a stock is expected to pay per share in a year, and in which months.

use rust_decimal::Decimal;

use crate::Frequency;
use crate::dates::days_after;
use crate::frequency::Rhythm;
use crate::history::{History, Payment};

/// Per share and year: the provider's rate if it is near that of the history, or the only one; zero if nothing is known.
pub(crate) fn forward_rate(of_history: Option<Decimal>, of_provider: Option<Decimal>) -> Decimal {
    match (of_history, of_provider.filter(|rate| *rate > Decimal::ZERO)) {
        (Some(own), Some(rate)) if within_half(rate, own) => rate,
        (Some(own), _) => own,
        (None, rate) => rate.unwrap_or_default(),
    }
}

/// Calendar months of a year's pay dates, ascending.
pub(crate) fn payment_months(history: &History, rhythm: Rhythm) -> Vec<i8> {
    let Some(frequency) = rhythm.frequency else { return Vec::new() };
    let mut dates: Vec<_> = last_year(history, rhythm).iter().rev().map(|payment| payment.pay_date).collect();
    while let Some(last) = dates.last().filter(|_| dates.len() < rhythm.per_year) {
        dates.push(days_after(*last, frequency.nominal_gap_days()));
    }
    let mut months: Vec<i8> = dates.iter().map(|date| date.month()).collect();
    months.sort_unstable();
    months.dedup();
    months
}

/// In the currency of the history; `None` if it is too short.
pub(crate) fn history_rate(history: &History, rhythm: Rhythm, fund: bool) -> Option<Decimal> {
    let per_year = Decimal::from(rhythm.frequency.map(|_| rhythm.per_year)?);
    let payments = last_year(history, rhythm);
    if is_declared(history, rhythm, fund) {
        return payments.first()?.amount.checked_mul(per_year);
    }
    // Scaled up to a full year if the history is shorter.
    let sum = payments.iter().try_fold(Decimal::ZERO, |sum, payment| sum.checked_add(payment.amount))?;
    sum.checked_mul(per_year)?.checked_div(Decimal::from(payments.len()))
}

/// Whether the amount is set by a decision that holds for several payments: two in a row were equal, and the latest is not so much
/// larger than the one before that it must be an exception. Quarterly funds pay two equal amounts by chance only.
pub(crate) fn is_declared(history: &History, rhythm: Rhythm, fund: bool) -> bool {
    let often = match rhythm.frequency {
        Some(Frequency::Weekly | Frequency::Monthly) => true,
        Some(Frequency::Quarterly) => !fund,
        _ => false,
    };
    let newest_first: Vec<&Payment> = rhythm.current(history).rev().take(rhythm.per_year + 1).collect();
    let repeats = newest_first.windows(2).any(|pair| pair[0].amount == pair[1].amount);
    let usual = |pair: &[&Payment]| pair[1].amount.checked_mul(Decimal::new(16, 1)).is_some_and(|most| pair[0].amount <= most);
    often && repeats && newest_first.get(..2).is_some_and(usual)
}

/// A year's number of payments, newest first; fewer if there are no more.
fn last_year(history: &History, rhythm: Rhythm) -> Vec<&Payment> {
    rhythm.current(history).rev().take(rhythm.per_year).collect()
}

/// A provider's rate that differs by more than half is usually a mistake: an included special, or a missed split.
fn within_half(rate: Decimal, own: Decimal) -> bool {
    let in_range = || {
        Some(own <= rate.checked_mul(Decimal::TWO)? && rate.checked_mul(Decimal::TWO)? <= own.checked_mul(Decimal::new(3, 0))?)
    };
    in_range().unwrap_or(false)
}
