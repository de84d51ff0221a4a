//! Converts the events of a chart to dividends as paid.
//!
//! A chart adjusts amounts for later splits, states London's mostly in pence and sometimes in pounds, books some dividends on two
//! days, and also includes a fund's capital gains in its dividends.

use std::collections::BTreeMap;

use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};

use crate::fault::Fault;
use crate::provider::{Dividend, DividendUnit, Split};

/// All in the unit of the chart, oldest first.
pub struct Paid<'a> {
    pub dividends: Vec<Event>,
    pub gains: Vec<Event>,
    pub splits: &'a [Split],
    pub closes: &'a BTreeMap<Date, Decimal>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    pub date: Date,
    /// Adjusted for later splits.
    pub amount: Decimal,
    /// If Yahoo says it is in another currency than the price: London listings of companies that pay in dollars.
    pub foreign: Option<QuoteUnit>,
}

impl Paid<'_> {
    pub fn dividends(&self, unit: QuoteUnit) -> Result<Vec<Dividend>, Fault> {
        let regular = without_gains(&booked_once(&self.dividends), &self.gains);
        let regular = regular.into_iter().map(|event| (event, None));
        let events: Vec<_> = regular.chain(self.gains.iter().map(|gain| (*gain, Some(true)))).collect();
        let shares: Vec<_> = events.iter().filter_map(|(event, _)| self.share_of_price(*event)).collect();
        let mut dividends = Vec::new();
        for (event, special) in events {
            let ex_date = event.date;
            if event.amount <= Decimal::ZERO {
                continue;
            }
            let amount = self.as_paid(event).ok_or_else(|| Fault::invalid("amount", event.amount, ex_date))?;
            let judged = || self.share_of_price(event).map_or(unit, |share| counted_in(unit, share, &shares));
            let unit = event.foreign.unwrap_or_else(judged);
            let (amount, unit) = (unit.normalise(amount).normalize(), DividendUnit::Whole(unit.currency));
            dividends.push(Dividend { ex_date, pay_date: None, declared_date: None, amount, unit, special });
        }
        dividends.sort_by_key(|dividend| dividend.ex_date);
        Ok(dividends)
    }

    /// The amount as a fraction of the last close before it.
    fn share_of_price(&self, event: Event) -> Option<Decimal> {
        let (_, close) = self.closes.range(..event.date).next_back().filter(|_| event.foreign.is_none())?;
        event.amount.checked_div(*close)
    }

    fn as_paid(&self, Event { date, amount: adjusted, .. }: Event) -> Option<Decimal> {
        let (mut new, mut old) = (Decimal::ONE, Decimal::ONE);
        for split in self.splits.iter().filter(|split| split.date > date) {
            (new, old) = (new.checked_mul(split.ratio.new)?, old.checked_mul(split.ratio.old)?);
        }
        let exact = adjusted.checked_mul(new)?.checked_div(old)?;
        // Adjusted amounts have six decimals: 2.65 ÷ 28 is written 0.094643, and 28 times that is no longer 2.65.
        let half = Decimal::try_new(5, adjusted.scale().max(6) + 1).unwrap_or_default();
        let error = half.checked_mul(new)?.checked_div(old)?;
        let within = |rounded: &Decimal| rounded.checked_sub(exact).is_some_and(|off| off.abs() <= error);
        let shortest = (0..=8).map(|places| exact.round_dp(places)).find(within);
        let paid = if new == old { None } else { shortest.filter(|paid| *paid > Decimal::ZERO) };
        paid.or_else(|| exact.round_sf(10)).map(|paid| paid.normalize())
    }
}

/// A dividend below a two-thousandth of the price is in pounds, not pence, if all are that small or if a hundred times it would
/// be similar to another one. One above half the price is in pence, not pounds.
fn counted_in(unit: QuoteUnit, share: Decimal, shares: &[Decimal]) -> QuoteUnit {
    let (tiny, huge) = (Decimal::new(5, 4), Decimal::new(5, 1));
    let whole = QuoteUnit::from(unit.currency);
    if unit == whole {
        return hundredths_of(unit).filter(|_| share > huge).unwrap_or(unit);
    }
    let a_hundredfold = share.saturating_mul(Decimal::ONE_HUNDRED);
    let two = Decimal::TWO;
    let alike = |other: &Decimal| a_hundredfold <= other.saturating_mul(two) && *other <= a_hundredfold.saturating_mul(two);
    let in_whole_units = share < tiny && (shares.iter().all(|other| *other < tiny) || shares.iter().any(alike));
    if in_whole_units { whole } else { unit }
}

fn hundredths_of(unit: QuoteUnit) -> Option<QuoteUnit> {
    let name = match unit.currency.code() {
        "GBP" => "GBp",
        "ILS" => "ILA",
        "ZAR" => "ZAc",
        _ => return None,
    };
    QuoteUnit::parse(name).ok()
}

/// The same amount on the next day or across the weekend is the same dividend; the later day is correct.
fn booked_once(dividends: &[Event]) -> Vec<Event> {
    let again = |event: &Event| {
        let close = |later: Date| later.since(event.date).is_ok_and(|span| (1..=3).contains(&span.get_days()));
        dividends.iter().any(|later| later.amount == event.amount && close(later.date))
    };
    let mut once: Vec<Event> = dividends.iter().copied().filter(|event| !again(event)).collect();
    once.dedup();
    once
}

/// On the day of a capital gain, some funds' dividend includes the gain. It does if it is several times the usual amount.
fn without_gains(dividends: &[Event], gains: &[Event]) -> Vec<Event> {
    let gain_of = |date: Date| gains.iter().find(|gain| gain.date == date).map(|gain| gain.amount);
    let mut usual: Vec<Decimal> =
        dividends.iter().filter(|event| gain_of(event.date).is_none()).map(|event| event.amount).collect();
    usual.sort_unstable();
    let Some(usual) = usual.get(usual.len() / 2) else { return dividends.to_vec() };
    let much = usual.saturating_mul(Decimal::from(3));
    let ordinary = |event: &Event| {
        let rest = gain_of(event.date).and_then(|gain| event.amount.checked_sub(gain));
        let rest = rest.filter(|rest| event.amount > much && *rest >= Decimal::ZERO && *rest <= much);
        Event { amount: rest.unwrap_or(event.amount), ..*event }
    };
    dividends.iter().map(ordinary).collect()
}
