//! The two tables have every trade twice: as cash, and as shares a day or two apart.

use std::collections::{HashMap, VecDeque};

use jiff::civil::Date;
use ledger::Decimal;

use crate::joining::cancelled_trades::without_reversed;
use crate::joining::days;
use crate::{Parsed, Reason, Record};

const DAYS_APART_MAX: i32 = 10;
/// How many trades of one day or one number of shares are compared to find the match.
const LOOKED_AT: usize = 50;

#[derive(Default)]
pub struct Trades {
    pub cash: Vec<Trade>,
    pub cash_reversals: Vec<Trade>,
    pub investments: Vec<Trade>,
    pub investment_reversals: Vec<Trade>,
    /// What only one of the tables has.
    pub others: Vec<Record>,
    fees: Vec<(Record, String, Decimal)>,
}

pub struct Trade {
    record: Record,
    text: String,
}

impl Trade {
    pub fn of(record: Record, text: &str) -> Trade {
        Trade { record, text: text.to_lowercase() }
    }

    fn amount(&self) -> Decimal {
        self.record.amount.unwrap_or_default()
    }
}

impl Trades {
    pub fn fee(&mut self, record: Record, name: &str, amount: Decimal) {
        self.fees.push((record, name.to_lowercase(), amount));
    }

    pub fn finish(self, parsed: &mut Parsed) {
        let cash = cancel(self.cash, self.cash_reversals, parsed);
        let investments = cancel(self.investments, self.investment_reversals, parsed);
        let mut records = join(cash, investments, parsed);
        charge(&mut records, self.fees, parsed);
        parsed.records.extend(records);
        parsed.records.extend(self.others);
    }
}

/// A trade and its reversal cancel each other.
fn cancel(trades: Vec<Trade>, reversals: Vec<Trade>, parsed: &mut Parsed) -> Vec<Trade> {
    let key = |trade: &Trade| (trade.text.clone(), trade.amount().normalize());
    without_reversed(trades, reversals, key, |trade| trade.record.line, parsed)
}

/// The cash is what was paid, to the penny; the other table has the investment, and is joined.
fn join(mut cash: Vec<Trade>, mut investments: Vec<Trade>, parsed: &mut Parsed) -> Vec<Record> {
    cash.sort_by_key(|trade| trade.record.date);
    investments.sort_by_key(|trade| trade.record.date);
    let mut waiting: HashMap<_, VecDeque<Trade>> = HashMap::new();
    for trade in investments {
        waiting.entry(key(&trade)).or_default().push_back(trade);
    }
    let mut alone = HashMap::new();
    let (mut records, mut left) = (Vec::new(), Vec::new());
    for mut trade in cash {
        let beside = waiting.entry(key(&trade)).or_default();
        while beside.front().is_some_and(|other| days(other.record.date, trade.record.date) > DAYS_APART_MAX) {
            left.extend(beside.pop_front());
        }
        let place = beside.iter().take(LOOKED_AT).position(|other| is_same(&trade, other));
        match place.and_then(|place| beside.remove(place)) {
            Some(other) => adopt(&mut trade.record, other.record),
            None => {
                alone.insert((key(&trade), trade.amount().normalize()), trade.record.line);
            }
        }
        records.push(trade.record);
    }
    left.extend(waiting.into_values().flatten());
    left.sort_by_key(|other| other.record.line);
    for other in left {
        match alone.get(&(key(&other), other.amount().normalize())) {
            Some(line) => parsed.error(other.record.line, Reason::PossibleDuplicate { line: *line }),
            None => records.push(other.record),
        }
    }
    records
}

fn key(trade: &Trade) -> (&'static str, Option<Decimal>) {
    (trade.record.kind.word(), trade.record.shares.map(|shares| shares.normalize()))
}

fn adopt(record: &mut Record, other: Record) {
    record.joined.push(other.line);
    if record.ticker.is_none() {
        (record.ticker, record.suffix) = (other.ticker, other.suffix);
        record.name = other.name.or_else(|| record.name.take());
    }
}

fn is_same(cash: &Trade, other: &Trade) -> bool {
    let near = days(cash.record.date, other.record.date).abs() <= DAYS_APART_MAX;
    let tickers = cash.record.ticker.as_ref().zip(other.record.ticker.as_ref());
    near && same_amount(&cash.record, &other.record) && tickers.is_none_or(|(one, other)| one == other)
}

/// Shares × price and the cash differ by the rounding of the price.
fn same_amount(cash: &Record, other: &Record) -> bool {
    let (paid, cost) = (cash.amount.unwrap_or_default(), other.amount.unwrap_or_default());
    let tolerance = paid.saturating_mul(Decimal::new(1, 2)).saturating_add(Decimal::new(5, 2));
    paid.saturating_sub(cost).abs() <= tolerance
}

/// The fee for immediate dealing has a separate row, next to its trade.
fn charge(records: &mut [Record], fees: Vec<(Record, String, Decimal)>, parsed: &mut Parsed) {
    let mut places: HashMap<(Date, &str), Vec<usize>> = HashMap::new();
    if !fees.is_empty() {
        for (at, record) in records.iter().enumerate() {
            places.entry((record.date, record.kind.word())).or_default().push(at);
        }
    }
    for (fee, name, amount) in fees {
        let beside = places.get_mut(&(fee.date, fee.kind.word()));
        let found = beside.and_then(|beside| {
            let named = |at: &usize| records[*at].name.as_ref().is_some_and(|known| known.to_lowercase().starts_with(&name));
            let place = beside.iter().take(LOOKED_AT).position(named)?;
            Some(beside.remove(place))
        });
        match found {
            Some(at) => {
                records[at].fees = Some(amount);
                records[at].joined.push(fee.line);
            }
            None => parsed.skip(fee.line, Reason::FeeWithoutTrade),
        }
    }
}
