//! Trades with their costs. The comment has the price in the share's currency, the amount is in the account's.

use std::collections::HashMap;

use jiff::civil::{Date, DateTime};
use ledger::{Currency, Decimal};

use super::comment::Fill;
use super::symbol::Listed;
use crate::{Kind, Parsed, Reason, Record};

#[derive(Default)]
pub struct Trades {
    trades: Vec<Trade>,
    costs: Vec<Cost>,
    profits: HashMap<(String, DateTime), Profits>,
}

/// Of the sales in one second; each profit is numbered next to its sale.
#[derive(Default)]
struct Profits {
    count: usize,
    last: Decimal,
    by_number: HashMap<u64, Decimal>,
}

pub struct Trade {
    pub record: Record,
    pub symbol: Listed,
    pub fill: Fill,
    /// As it changed the account.
    pub amount: Decimal,
    pub number: Option<u64>,
}

pub struct Cost {
    pub line: u64,
    pub ticker: String,
    pub at: DateTime,
    /// The date of the trade it belongs to.
    pub traded: Date,
    pub amount: Decimal,
    pub number: Option<u64>,
}

impl Trade {
    fn at(&self) -> DateTime {
        let time = self.record.time.unwrap_or_default();
        self.record.date.at(time.hour(), time.minute(), time.second(), 0)
    }

    fn product(&self) -> Option<Decimal> {
        self.fill.shares.checked_mul(self.fill.price)
    }

    /// Whether the amount is shares × price of the comment: nothing was converted.
    fn is_worth(&self, amount: Decimal, tolerance: Decimal) -> bool {
        self.product().is_some_and(|product| product.saturating_sub(amount.abs()).abs() <= tolerance)
    }
}

impl Trades {
    pub fn add(&mut self, trade: Trade) {
        self.trades.push(trade);
    }

    pub fn cost(&mut self, cost: Cost) {
        self.costs.push(cost);
    }

    pub fn profit(&mut self, profit: Cost) {
        let beside = self.profits.entry((profit.ticker, profit.at)).or_default();
        beside.count += 1;
        beside.last = profit.amount;
        beside.by_number.extend(profit.number.map(|number| (number, profit.amount)));
    }

    /// The account's currency, if buys show that nothing was converted: it is then that of the shares.
    pub fn account(&self) -> Option<Currency> {
        let unconverted = self.trades.iter().filter(|trade| {
            let large = trade.amount.abs() >= Decimal::from(5);
            trade.record.kind == Kind::Buy && large && trade.is_worth(trade.amount, Decimal::new(11, 3))
        });
        let mut currencies = unconverted.filter_map(|trade| trade.symbol.currency);
        let first = currencies.next()?;
        currencies.all(|other| other == first).then_some(first)
    }

    pub fn finish(mut self, account: Option<Currency>, parsed: &mut Parsed) {
        let mut costs = self.costs_of_trades(parsed);
        for (at, trade) in std::mem::take(&mut self.trades).into_iter().enumerate() {
            let paid = self.paid(&trade);
            let costs = costs.remove(&at).unwrap_or_default();
            let line = trade.record.line;
            match record(trade, paid, &costs, account) {
                Ok(record) => parsed.records.push(record),
                Err(reason) => {
                    parsed.error(line, reason);
                    for cost in costs {
                        parsed.skip(cost.line, Reason::PartOfError { line });
                    }
                }
            }
        }
    }

    /// What the trade changed in the account. Newer exports book a sale at the cost of the shares, with a separate profit.
    fn paid(&self, trade: &Trade) -> Decimal {
        let beside = self.profits.get(&(trade.symbol.ticker.clone(), trade.at())).filter(|_| trade.record.kind == Kind::Sell);
        let numbered = |number: Option<u64>| number.and_then(|number| beside?.by_number.get(&number).copied());
        let profit = match beside {
            Some(only) if only.count == 1 => Some(only.last),
            _ => {
                let before = trade.number.and_then(|number| number.checked_sub(1));
                let after = trade.number.and_then(|number| number.checked_add(1));
                numbered(before).or_else(|| numbered(after))
            }
        };
        trade.amount.saturating_add(profit.unwrap_or_default()).abs()
    }

    /// Each cost is added to the trade of its second, else to the first of its day.
    fn costs_of_trades(&mut self, parsed: &mut Parsed) -> HashMap<usize, Vec<Cost>> {
        let mut moments: HashMap<(&str, DateTime), usize> = HashMap::new();
        let mut days: HashMap<(&str, Date), usize> = HashMap::new();
        for (at, trade) in self.trades.iter().enumerate() {
            moments.entry((&trade.symbol.ticker, trade.at())).or_insert(at);
            days.entry((&trade.symbol.ticker, trade.record.date)).or_insert(at);
        }
        let mut found: HashMap<usize, Vec<Cost>> = HashMap::new();
        for cost in std::mem::take(&mut self.costs) {
            let place = moments.get(&(cost.ticker.as_str(), cost.at)).or_else(|| days.get(&(cost.ticker.as_str(), cost.traded)));
            match place {
                Some(at) if cost.amount <= Decimal::ZERO => found.entry(*at).or_default().push(cost),
                Some(_) => parsed.skip(cost.line, Reason::FeeRefunded),
                None => parsed.skip(cost.line, Reason::FeeWithoutTrade),
            }
        }
        found
    }
}

fn record(trade: Trade, paid: Decimal, costs: &[Cost], account: Option<Currency>) -> Result<Record, Reason> {
    let fees = costs.iter().map(|cost| cost.amount.abs()).fold(Decimal::ZERO, Decimal::saturating_add);
    let product = trade.product().ok_or(Reason::FiguresTooLarge)?;
    let hundredth = paid.saturating_mul(Decimal::new(1, 2)).max(Decimal::new(2, 2));
    // A share that seems to trade in the account's currency but was converted trades in another one.
    let own = trade.symbol.currency.filter(|own| account != Some(*own) || trade.is_worth(paid, hundredth));
    let base = Record { shares: Some(trade.fill.shares), joined: costs.iter().map(|cost| cost.line).collect(), ..trade.record };
    let Some(own) = own else {
        let fees = (!costs.is_empty()).then_some(fees);
        return Ok(Record { amount: Some(paid), fees, currency: Some(account.ok_or(Reason::AccountCurrencyMissing)?), ..base });
    };
    let fees = match account == Some(own) || fees.is_zero() {
        true => fees,
        // The trade's own rate, from the account's currency to the share's.
        false => {
            let converted = fees.checked_mul(product).and_then(|fees| fees.checked_div(paid));
            converted.ok_or(Reason::FeeNotConvertible)?.round_dp(10)
        }
    };
    let fees = (!costs.is_empty()).then(|| fees.normalize());
    Ok(Record { price: Some(trade.fill.price), fees, currency: Some(own), ..base })
}
