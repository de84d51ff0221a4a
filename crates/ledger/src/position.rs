//! Positions: replays the entries of a symbol in one portfolio.

use std::borrow::Cow;
use std::fmt;

use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::dates::days_between;
use crate::money::{add, div, mul, sub};
use crate::number::Number;
use crate::{Currency, Entry, Event, Fx, Money, Overflow, Ratio, Split, Trade, shares_text};

/// An open position: a positive number of shares, and their cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub currency: Currency,
    pub shares: Decimal,
    pub cost: Decimal,
    pub opened: Date,
    pub opened_sequence: i64,
    /// False if any of the shares came at an unknown cost.
    pub cost_known: bool,
}

impl Position {
    pub fn average_cost(&self) -> Money {
        Money::new(self.cost.checked_div(self.shares).unwrap_or_default(), self.currency)
    }
}

/// What to do if more shares are sold than held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Oversell {
    /// An error: for checking entries before they are stored.
    Refuse,
    /// The position closes: for reading what is stored.
    Close,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayError {
    Oversold { sequence: i64, date: Date, held: Decimal, asked: Decimal },
    MissingRate { sequence: i64, date: Date, from: Currency, to: Currency },
    Overflow,
}

/// Replays all entries of one portfolio and symbol, given in any order, up to and including the day `until`.
#[inline]
pub fn replay(
    entries: &[Entry],
    currency: Currency,
    splits: &[Split],
    fx: &Fx,
    until: Date,
    oversell: Oversell,
) -> Result<Option<Position>, ReplayError> {
    observed(entries, currency, splits, fx, until, oversell, |_, _| ())
}

/// The same, and shows each step with the position after it.
pub(crate) fn observed(
    entries: &[Entry],
    currency: Currency,
    splits: &[Split],
    fx: &Fx,
    until: Date,
    oversell: Oversell,
    mut observe: impl FnMut(&Step<'_>, Option<&Position>),
) -> Result<Option<Position>, ReplayError> {
    let splits = match oversell {
        Oversell::Refuse => Cow::Borrowed(splits),
        Oversell::Close => possible_splits(entries, splits),
    };
    let mut position = None;
    for step in steps(entries, &splits, |date| date <= until) {
        position = match &step {
            Step::MarketSplit(split) => after_split(position, split.ratio)?,
            Step::Entry(entry) => after_entry(position, entry, currency, fx, oversell)?,
        };
        observe(&step, position.as_ref());
    }
    Ok(position)
}

/// Shares held at the start of a day, after all entries and splits of earlier days.
pub fn shares_before(entries: &[Entry], splits: &[Split], day: Date) -> Decimal {
    let splits = possible_splits(entries, splits);
    let earlier = steps(entries, &splits, |date| date < day);
    // Overflowing counts are refused on entry; if one is stored anyway, zero shares are reported.
    earlier.into_iter().try_fold(Decimal::ZERO, shares_after).unwrap_or_default()
}

/// The shares that a payment with this ex-date is for: those held before the day, after the splits of the day.
pub fn shares_paid(entries: &[Entry], splits: &[Split], ex_date: Date) -> Decimal {
    steps_paid(entries, &possible_splits(entries, splits), ex_date).try_fold(Decimal::ZERO, shares_after).unwrap_or_default()
}

/// What decides [`shares_paid`]; `possible` has the splits that fit the entries.
pub(crate) fn steps_paid<'a>(entries: &'a [Entry], possible: &'a [Split], ex_date: Date) -> impl Iterator<Item = Step<'a>> {
    let is_split = |step: &Step<'_>| matches!(step, Step::MarketSplit(_) | Step::Entry(Entry { event: Event::Split(_), .. }));
    let counted = steps(entries, possible, |date| date <= ex_date).into_iter();
    counted.filter(move |step| step.date() < ex_date || is_split(step))
}

/// The entries that do not fit: each as if the ones before it were left out.
pub fn misfits(entries: &[Entry], currency: Currency, splits: &[Split], fx: &Fx) -> Vec<(i64, ReplayError)> {
    let (mut position, mut misfits) = (None, Vec::new());
    for step in steps(entries, splits, |_| true) {
        match step {
            Step::MarketSplit(split) => position = after_split(position, split.ratio).unwrap_or(position),
            Step::Entry(entry) => match after_entry(position, entry, currency, fx, Oversell::Refuse) {
                Ok(after) => position = after,
                Err(error) => misfits.push((entry.sequence, error)),
            },
        }
    }
    misfits
}

/// Shares that must have been held before the first entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharesMissing {
    /// On the day before the first entry. Rounded up if a split leaves no exact number.
    pub shares: Decimal,
    /// The first entry that lacks shares.
    pub sequence: i64,
    /// What splits had turned one of the missing shares into by then.
    pub grown: Ratio,
}

/// How many shares must be held the day before the first entry so that no entry removes more than is held; `None` if nothing is
/// missing.
pub fn shares_missing(entries: &[Entry], splits: &[Split]) -> Result<Option<SharesMissing>, Overflow> {
    let Some(first) = entries.iter().map(|entry| entry.date).min() else { return Ok(None) };
    let (mut held, mut missing) = (Decimal::ZERO, Decimal::ZERO);
    let mut short = None;
    // What splits have turned one original share into.
    let mut grown = Ratio { new: Decimal::ONE, old: Decimal::ONE };
    for step in steps(entries, splits, |date| date >= first) {
        let ratio = match step {
            Step::MarketSplit(market) => market.ratio,
            Step::Entry(entry) => match &entry.event {
                Event::Split(ratio) => *ratio,
                Event::Buy(trade) | Event::TransferIn(trade) => {
                    held = add(held, trade.shares)?;
                    continue;
                }
                Event::Sell(trade) | Event::TransferOut(trade) => {
                    held = left(held, trade.shares)?;
                    missing = missing.max(div(mul(-held, grown.old)?, grown.new)?);
                    if missing > Decimal::ZERO && short.is_none() {
                        short = Some((entry.sequence, grown));
                    }
                    continue;
                }
                Event::ReturnOfCapital { .. } | Event::Dividend(_) => continue,
            },
        };
        held = split(held, ratio)?;
        grown = Ratio { new: mul(grown.new, ratio.new)?, old: mul(grown.old, ratio.old)? };
    }
    let shares = missing.round_dp_with_strategy(MISSING_DECIMALS, RoundingStrategy::AwayFromZero).normalize();
    Ok(short.map(|(sequence, grown)| SharesMissing { shares, sequence, grown }))
}

const MISSING_DECIMALS: u32 = 8;

/// What the splits after one day and up to another turn shares into.
pub fn shares_grown(shares: Decimal, entries: &[Entry], splits: &[Split], after: Date, until: Date) -> Result<Decimal, Overflow> {
    split(shares, grown(entries, splits, after, until)?)
}

/// What these splits turn one share into.
pub(crate) fn grown(entries: &[Entry], splits: &[Split], after: Date, until: Date) -> Result<Ratio, Overflow> {
    let mut grown = Ratio { new: Decimal::ONE, old: Decimal::ONE };
    for step in steps(entries, splits, |date| after < date && date <= until) {
        if let Step::MarketSplit(Split { ratio, .. }) | Step::Entry(Entry { event: Event::Split(ratio), .. }) = step {
            grown = Ratio { new: mul(grown.new, ratio.new)?, old: mul(grown.old, ratio.old)? };
        }
    }
    Ok(grown)
}

pub(crate) enum Step<'a> {
    MarketSplit(&'a Split),
    Entry(&'a Entry),
}

/// The relevant entries and market splits, in order. A market split applies to what was held before its day.
pub(crate) fn steps<'a>(entries: &'a [Entry], splits: &'a [Split], counts: impl Fn(Date) -> bool) -> Vec<Step<'a>> {
    let market = splits.iter().filter(|split| !recorded_by_owner(split, entries)).map(Step::MarketSplit);
    let recorded = entries.iter().map(Step::Entry);
    let mut steps: Vec<Step<'a>> = market.chain(recorded).filter(|step| counts(step.date())).collect();
    steps.sort_by_key(Step::order);
    steps
}

impl Step<'_> {
    pub(crate) fn date(&self) -> Date {
        match self {
            Step::MarketSplit(split) => split.date,
            Step::Entry(entry) => entry.date,
        }
    }

    fn order(&self) -> (Date, Option<i64>) {
        match self {
            Step::MarketSplit(split) => (split.date, None),
            Step::Entry(entry) => (entry.date, Some(entry.sequence)),
        }
    }
}

/// Brokers book a split days before or after its ex-date, at the same ratio even weeks after it; counting it twice would be worse
/// than counting it late.
pub(crate) fn recorded_by_owner(split: &Split, entries: &[Entry]) -> bool {
    entries.iter().any(|entry| match entry.event {
        Event::Split(ratio) => is_same_split(split, entry.date, ratio),
        _ => false,
    })
}

pub(crate) fn is_same_split(split: &Split, date: Date, ratio: Ratio) -> bool {
    let apart = days_between(split.date, date).abs();
    apart <= 7 || (apart <= 30 && ratio.equals(split.ratio))
}

/// The market splits that the ledger does not record itself.
pub fn unrecorded_splits(entries: &[Entry], splits: &[Split]) -> Vec<Split> {
    splits.iter().filter(|split| !recorded_by_owner(split, entries)).copied().collect()
}

/// The market splits that fit the entries. A split that market data learned of later may contradict what was recorded: if more
/// shares would leave than are held because of it, it is left out.
pub fn possible_splits<'a>(entries: &[Entry], splits: &'a [Split]) -> Cow<'a, [Split]> {
    let takes_away = |split: &Split| split.ratio.new < split.ratio.old && !recorded_by_owner(split, entries);
    let mut possible = Cow::Borrowed(splits);
    if !splits.iter().any(takes_away) {
        return possible;
    }
    while let Some(oversold) = first_oversold(entries, &possible) {
        let earlier = possible.iter().enumerate().filter(|(_, split)| split.date <= oversold && takes_away(split));
        let Some((latest, _)) = earlier.max_by_key(|(_, split)| split.date) else { break };
        possible.to_mut().remove(latest);
    }
    possible
}

/// The day on which more shares leave than are held.
fn first_oversold(entries: &[Entry], splits: &[Split]) -> Option<Date> {
    let mut held = Decimal::ZERO;
    for step in steps(entries, splits, |_| true) {
        if let Step::Entry(Entry { event: Event::Sell(trade) | Event::TransferOut(trade), date, .. }) = &step
            && left(held, trade.shares).ok()? < Decimal::ZERO
        {
            return Some(*date);
        }
        held = shares_after(held, step).ok()?;
    }
    None
}

/// Splits round: somebody who sells all by the broker's count may have recorded slightly more or less.
const ROUNDING: Decimal = Decimal::from_parts(1, 0, 0, false, 4);

/// What is left after shares leave; negative if more leave than are held. A rest that rounding can explain is zero.
fn left(held: Decimal, leaving: Decimal) -> Result<Decimal, Overflow> {
    Ok(Some(sub(held, leaving)?).filter(|left| left.abs() > ROUNDING).unwrap_or_default())
}

fn after_entry(
    position: Option<Position>,
    entry: &Entry,
    currency: Currency,
    fx: &Fx,
    oversell: Oversell,
) -> Result<Option<Position>, ReplayError> {
    match &entry.event {
        Event::Buy(trade) | Event::TransferIn(trade) => {
            let cost = converted(add(trade.amount, trade.fees)?, exchange(entry, currency, fx)?).ok_or(Overflow)?;
            let fresh = Position {
                currency,
                shares: Decimal::ZERO,
                cost: Decimal::ZERO,
                opened: entry.date,
                opened_sequence: entry.sequence,
                cost_known: true,
            };
            let held = position.unwrap_or(fresh);
            let cost_known = held.cost_known && trade.cost_known;
            Ok(open(Position { shares: add(held.shares, trade.shares)?, cost: add(held.cost, cost)?, cost_known, ..held }))
        }
        Event::Sell(trade) | Event::TransferOut(trade) => after_leaving(position, entry, trade, oversell),
        Event::Split(ratio) => after_split(position, *ratio),
        Event::ReturnOfCapital { amount } => {
            let Some(held) = position else { return Ok(None) };
            let cost = sub(held.cost, converted(*amount, exchange(entry, currency, fx)?).ok_or(Overflow)?)?;
            Ok(Some(Position { cost: cost.max(Decimal::ZERO), ..held }))
        }
        Event::Dividend(_) => Ok(position),
    }
}

fn after_leaving(
    position: Option<Position>,
    entry: &Entry,
    trade: &Trade,
    oversell: Oversell,
) -> Result<Option<Position>, ReplayError> {
    let held = position.map_or(Decimal::ZERO, |position| position.shares);
    let remaining = left(held, trade.shares)?;
    if remaining < Decimal::ZERO && oversell == Oversell::Refuse {
        return Err(ReplayError::Oversold { sequence: entry.sequence, date: entry.date, held, asked: trade.shares });
    }
    let Some(position) = position.filter(|_| remaining > Decimal::ZERO) else { return Ok(None) };
    // Multiplied before dividing, so that an average with finite decimals stays exact.
    let cost = div(mul(position.cost, remaining)?, held)?;
    Ok(Some(Position { shares: remaining, cost, ..position }))
}

fn after_split(position: Option<Position>, ratio: Ratio) -> Result<Option<Position>, ReplayError> {
    let Some(position) = position else { return Ok(None) };
    Ok(open(Position { shares: split(position.shares, ratio)?, ..position }))
}

/// At zero shares the position is closed; the next purchase opens a new one.
fn open(position: Position) -> Option<Position> {
    Some(position).filter(|position| position.shares > Decimal::ZERO)
}

pub(crate) fn shares_after(held: Decimal, step: Step<'_>) -> Result<Decimal, Overflow> {
    let shares = match step {
        Step::MarketSplit(market) => split(held, market.ratio)?,
        Step::Entry(entry) => match &entry.event {
            Event::Buy(trade) | Event::TransferIn(trade) => add(held, trade.shares)?,
            Event::Sell(trade) | Event::TransferOut(trade) => left(held, trade.shares)?,
            Event::Split(ratio) => split(held, *ratio)?,
            Event::ReturnOfCapital { .. } | Event::Dividend(_) => held,
        },
    };
    Ok(shares.max(Decimal::ZERO))
}

/// A rest below what rounding can explain is nothing.
fn split(shares: Decimal, ratio: Ratio) -> Result<Decimal, Overflow> {
    Ok(Some(div(mul(shares, ratio.new)?, ratio.old)?).filter(|shares| shares.abs() >= ROUNDING).unwrap_or_default())
}

/// The currencies and days whose exchange rates a replay in this currency uses: those of costs in another currency without their
/// own rate.
pub fn rates_asked(entries: &[Entry], currency: Currency, until: Date) -> impl Iterator<Item = (Currency, Date)> {
    let costs = |event: &Event| matches!(event, Event::Buy(_) | Event::TransferIn(_) | Event::ReturnOfCapital { .. });
    let asks = move |entry: &&Entry| entry.currency != currency && entry.fx_rate.is_none() && costs(&entry.event);
    entries.iter().filter(move |entry| entry.date <= until).filter(asks).map(|entry| (entry.currency, entry.date))
}

/// How an amount of an entry becomes one in the position's currency.
pub(crate) enum Exchange<N> {
    Same,
    /// The entry's own rate.
    Own(N),
    /// The units per euro of both currencies on the entry's day.
    Rates(N, N),
}

pub(crate) fn converted<N: Number>(amount: N, exchange: Exchange<N>) -> Option<N> {
    match exchange {
        Exchange::Same => Some(amount),
        Exchange::Own(rate) => amount.times(rate),
        Exchange::Rates(from, to) => amount.converted(from, to),
    }
}

/// At the entry's own rate, else at the rates of its day.
pub(crate) fn exchange(entry: &Entry, currency: Currency, fx: &Fx) -> Result<Exchange<Decimal>, ReplayError> {
    let rates = || Some(Exchange::Rates(fx.per_euro(entry.currency, entry.date)?, fx.per_euro(currency, entry.date)?));
    match entry.fx_rate {
        _ if entry.currency == currency => Ok(Exchange::Same),
        Some(rate) => Ok(Exchange::Own(rate)),
        None => rates().ok_or(ReplayError::MissingRate {
            sequence: entry.sequence,
            date: entry.date,
            from: entry.currency,
            to: currency,
        }),
    }
}

impl From<Overflow> for ReplayError {
    fn from(_: Overflow) -> Self {
        ReplayError::Overflow
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Oversold { date, held, asked, .. } => write!(
                f,
                "{} shares leave on {date}, but only {} are held; correct the count or record the missing purchase first",
                shares_text(*asked),
                shares_text(*held)
            ),
            ReplayError::MissingRate { date, from, to, .. } => {
                write!(f, "no exchange rate from {from} to {to} is known for {date}; record the entry with its own fx_rate")
            }
            ReplayError::Overflow => Overflow.fmt(f),
        }
    }
}

impl std::error::Error for ReplayError {}
