//! What a stock is expected to pay per share in a year, and in which months.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::dates::days_after;
use crate::frequency::Rhythm;
use crate::history::{History, Payment};
use crate::number::Number;
use crate::{Currency, Facts, Frequency, Fx};

/// The forward rate, and how it was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forward {
    pub basis: RateBasis,
    /// Per share and year; zero if nothing is known.
    pub rate: Decimal,
    /// The trading currency, or that of the payments if there is no exchange rate.
    pub currency: Currency,
    /// Whether the history shows a declared rate.
    pub declared: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RateBasis {
    /// Nothing was paid for too long.
    Stopped,
    /// There is neither a history nor a provider's rate.
    Unknown,
    /// The history is too short.
    Provider,
    History(HistoryRate),
    /// The provider's rate counts if it is near that of the history.
    Compared(HistoryRate),
    /// There is no exchange rate, so the provider's rate cannot be compared.
    Unconverted(HistoryRate),
}

/// The rate of a history, by the payments that it is computed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HistoryRate {
    rule: HistoryRule,
    pub per_year: usize,
    /// The last ones.
    pub payments: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HistoryRule {
    /// The latest × a year's number of payments.
    Latest,
    /// The sum of a year's payments.
    Sum,
    /// The same, scaled up to a full year, because the history is shorter.
    Scaled,
}

impl HistoryRate {
    /// `None` without a frequency.
    fn find(history: &History, rhythm: Rhythm, declared: bool) -> Option<HistoryRate> {
        let per_year = rhythm.frequency.map(|_| rhythm.per_year)?;
        let known = rhythm.current(history).rev().take(per_year).count();
        let (rule, payments) = match declared {
            true => (HistoryRule::Latest, known.min(1)),
            false if known == per_year => (HistoryRule::Sum, known),
            false => (HistoryRule::Scaled, known),
        };
        Some(HistoryRate { rule, per_year, payments })
    }

    /// From the amounts of its payments, newest first, in their currency.
    pub fn rate<N: Number>(self, mut amounts: impl Iterator<Item = Option<N>>, count: impl Fn(usize) -> N) -> Option<N> {
        match self.rule {
            HistoryRule::Latest => amounts.next()??.times(count(self.per_year)),
            HistoryRule::Sum => N::sum(amounts),
            HistoryRule::Scaled => N::sum(amounts)?.times(count(self.per_year))?.over(count(self.payments)),
        }
    }

    /// Newest first.
    pub fn payments(self, history: &History, rhythm: Rhythm) -> impl Iterator<Item = &Payment> {
        rhythm.current(history).rev().take(self.payments)
    }
}

impl Forward {
    pub fn find(facts: &Facts, history: &History, rhythm: Rhythm, fx: &Fx, today: Date) -> Forward {
        let declared = is_declared(history, rhythm, facts.fund);
        let found = |basis, rate, currency| Forward { basis, rate, currency, declared };
        if rhythm.stopped {
            return found(RateBasis::Stopped, Decimal::ZERO, facts.currency);
        }
        let of_history = HistoryRate::find(history, rhythm, declared).and_then(|basis| {
            let amounts = basis.payments(history, rhythm).map(|payment| Some(payment.amount));
            Some((basis, basis.rate(amounts, Decimal::from)?))
        });
        let of_provider = facts.forward_rate.filter(|rate| *rate > Decimal::ZERO);
        let Some((basis, own)) = of_history else {
            let basis = if of_provider.is_some() { RateBasis::Provider } else { RateBasis::Unknown };
            return found(basis, of_provider.unwrap_or_default(), facts.currency);
        };
        match (fx.convert(own, history.currency, facts.currency, today), of_provider) {
            (Some(own), Some(rate)) => found(RateBasis::Compared(basis), nearer(rate, own), facts.currency),
            (Some(own), None) => found(RateBasis::History(basis), own, facts.currency),
            (None, _) => found(RateBasis::Unconverted(basis), own, history.currency),
        }
    }
}

/// Calendar months of a year's pay dates, ascending.
pub(crate) fn payment_months(history: &History, rhythm: Rhythm) -> Vec<i8> {
    let Some(frequency) = rhythm.frequency else { return Vec::new() };
    let last_year: Vec<&Payment> = rhythm.current(history).rev().take(rhythm.per_year).collect();
    let mut dates: Vec<_> = last_year.iter().rev().map(|payment| payment.pay_date).collect();
    while let Some(last) = dates.last().filter(|_| dates.len() < rhythm.per_year) {
        dates.push(days_after(*last, frequency.nominal_gap_days()));
    }
    let mut months: Vec<i8> = dates.iter().map(|date| date.month()).collect();
    months.sort_unstable();
    months.dedup();
    months
}

/// Whether the amount is set by a decision that holds for several payments: two in a row were equal, and the latest is not so much
/// larger than the one before that it must be an exception. Quarterly funds pay two equal amounts by chance only.
fn is_declared(history: &History, rhythm: Rhythm, fund: bool) -> bool {
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

/// The provider's rate, unless it differs by more than half from that of the history: then it is usually a mistake, such as an
/// included special or a missed split.
pub(crate) fn nearer(rate: Decimal, own: Decimal) -> Decimal {
    let in_range = || {
        Some(own <= rate.checked_mul(Decimal::TWO)? && rate.checked_mul(Decimal::TWO)? <= own.checked_mul(Decimal::new(3, 0))?)
    };
    if in_range().unwrap_or(false) { rate } else { own }
}
