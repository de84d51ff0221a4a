//! Shares and cost of a position, from its transactions.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::node::{Node, Rule, Source, Unit};
use super::{Origins, exchange_rate};
use crate::number::Number;
use crate::position::{Exchange, Step, converted, exchange, observed, possible_splits, shares_after, steps_paid};
use crate::to_come::announced_from;
use crate::{Currency, Entry, Event, Fx, Kind, Oversell, Position, Ratio, ReplayError, Split, Trade, unrecorded_splits};

/// The transactions of a symbol in a portfolio.
pub struct Lot<'a> {
    pub entries: &'a [Entry],
    pub splits: &'a [Split],
    pub fx: &'a Fx,
    /// Of exchange rates.
    pub rates: &'a Source,
    pub origins: &'a dyn Origins,
}

impl Lot<'_> {
    /// The shares of the open position at the end of a day, without details if `brief`.
    pub fn shares(&self, position: &Position, until: Date, brief: bool) -> Result<Node, ReplayError> {
        let steps = self.steps(position.currency, until, |step| [self.shares_step(step), None])?;
        Ok(shares(position.shares, steps, brief))
    }

    /// The shares that a payment with this ex-date is for.
    pub fn shares_paid(&self, ex_date: Date) -> Result<Node, ReplayError> {
        let possible = possible_splits(self.entries, self.splits);
        let (mut held, mut steps) = (Decimal::ZERO, Vec::new());
        for step in steps_paid(self.entries, &possible, ex_date) {
            steps.extend(self.shares_step(&step));
            held = shares_after(held, step)?;
            if held.is_zero() {
                steps.clear();
            }
        }
        Ok(shares(held, steps, false))
    }

    /// The cost of the open position at the end of a day.
    pub fn cost(&self, position: &Position, until: Date) -> Result<Node, ReplayError> {
        let steps = self.steps(position.currency, until, |step| self.cost_step(step, position.currency))?;
        let cost = Node::number("cost", position.cost, Unit::Money(position.currency));
        Ok(cost.with_source(Source::Ledger).by(Rule::ReplayCost, steps))
    }

    /// Those since the position was opened, if they change anything.
    fn steps(
        &self,
        currency: Currency,
        until: Date,
        explained: impl Fn(&Step<'_>) -> [Option<Node>; 2],
    ) -> Result<Vec<Node>, ReplayError> {
        let mut steps = Vec::new();
        observed(self.entries, currency, self.splits, self.fx, until, Oversell::Close, |step, position| match position {
            Some(_) => steps.extend(explained(step).into_iter().flatten()),
            None => steps.clear(),
        })?;
        Ok(steps)
    }

    fn shares_step(&self, step: &Step<'_>) -> Option<Node> {
        let entry = match step {
            Step::MarketSplit(split) => {
                let node = self.origins.field("splits", self.split(split.ratio)?);
                return Some(node.as_of(split.date));
            }
            Step::Entry(entry) => *entry,
        };
        let node = match &entry.event {
            Event::Buy(trade) => traded(Kind::Buy, trade),
            Event::TransferIn(trade) => traded(Kind::TransferIn, trade),
            Event::Sell(trade) => traded(Kind::Sell, trade),
            Event::TransferOut(trade) => traded(Kind::TransferOut, trade),
            Event::Split(ratio) => self.split(*ratio)?,
            Event::ReturnOfCapital { .. } | Event::Dividend(_) => return None,
        };
        Some(recorded(node, entry))
    }

    fn split(&self, ratio: Ratio) -> Option<Node> {
        let side = |name, shares| Node::number(name, shares, Unit::Shares);
        Some(side("new_shares", ratio.new).over(side("old_shares", ratio.old))?.named(Kind::Split.word()))
    }

    /// What becomes of the shares, and the cost that comes with them.
    fn cost_step(&self, step: &Step<'_>, currency: Currency) -> [Option<Node>; 2] {
        let Step::Entry(entry) = step else { return [self.shares_step(step), None] };
        let amount = |name, amount| Node::number(name, amount, Unit::Money(entry.currency));
        let in_currency = |amount, name: &'static str| {
            let node = converted(amount, self.exchange(entry, currency)?)?.named(name);
            Some(recorded(node, entry))
        };
        match &entry.event {
            Event::Buy(trade) | Event::TransferIn(trade) => {
                let paid = amount("amount", trade.amount);
                let cost = match trade.fees.is_zero() {
                    true => Some(paid),
                    false => Node::sum([paid, amount("fees", trade.fees)].into_iter().map(Some)),
                };
                [self.shares_step(step), cost.and_then(|cost| in_currency(cost, "cost"))]
            }
            Event::ReturnOfCapital { amount: returned } => {
                [None, in_currency(amount("amount", *returned), Kind::ReturnOfCapital.word())]
            }
            _ => [self.shares_step(step), None],
        }
    }

    fn exchange(&self, entry: &Entry, currency: Currency) -> Option<Exchange<Node>> {
        let rate = |of: Currency| Some(exchange_rate(of, self.fx.quoted(of, entry.date)?, self.rates));
        Some(match exchange(entry, currency, self.fx).ok()? {
            Exchange::Same => Exchange::Same,
            Exchange::Own(own) => {
                let node = Node::number("exchange_rate", own, Unit::Money(currency)).with_source(Source::Ledger);
                Exchange::Own(recorded(node, entry))
            }
            Exchange::Rates(..) => Exchange::Rates(rate(entry.currency)?, rate(currency)?),
        })
    }
}

/// The shares of a later day, after the splits announced until then.
pub fn announced_shares(shares: Node, lot: &Lot<'_>, today: Date, day: Date) -> Option<Node> {
    let splits = unrecorded_splits(lot.entries, lot.splits);
    if !splits.iter().any(|split| today < split.date && split.date <= day) {
        return Some(shares);
    }
    let side = |name, shares| lot.origins.field("splits", Node::number(name, shares, Unit::Shares));
    let one = Node::number("one_share", Decimal::ONE, Unit::Shares);
    let grown = announced_from(one, &splits, today, day, |ratio| [side("new_shares", ratio.new), side("old_shares", ratio.old)])?;
    Some(grown.times(shares)?.named("shares"))
}

/// Of all positions of a symbol, per share, in their currency.
pub fn average_cost(costs: Vec<Node>, shares: Vec<Node>) -> Option<Node> {
    Some(exact_average_cost(costs, shares)?.rounded(10))
}

/// The same, not rounded.
pub fn exact_average_cost(costs: Vec<Node>, shares: Vec<Node>) -> Option<Node> {
    let total = |name, mut all: Vec<Node>| match all.len() {
        1 => all.pop(),
        _ => Some(Node::sum(all.into_iter().map(Some))?.named(name)),
    };
    Some(total("cost", costs)?.over(total("shares", shares)?)?.named("average_cost"))
}

fn shares(held: Decimal, steps: Vec<Node>, brief: bool) -> Node {
    let node = Node::number("shares", held, Unit::Shares).with_source(Source::Ledger);
    match brief {
        true => node.with_rows(steps.into_iter().flat_map(|step| step.rows)),
        false => node.by(Rule::ReplayShares, steps),
    }
}

fn traded(kind: Kind, trade: &Trade) -> Node {
    Node::number(kind.word(), trade.shares, Unit::Shares)
}

pub(super) fn recorded(node: Node, entry: &Entry) -> Node {
    node.with_source(Source::Ledger).as_of(entry.date).with_rows([entry.sequence.to_string()])
}
