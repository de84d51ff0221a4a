//! What positions are worth, what they cost, and the difference.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::money::{add, mul, sub};
use crate::{Currency, Fx, Money, Overflow, share_pct};

/// A position to value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Valued {
    pub shares: Decimal,
    /// Per share.
    pub price: Option<Money>,
    /// Of all shares; `None` if it is unknown.
    pub cost: Option<Money>,
    /// Gross, per year, in the preferred currency; `None` if it is unknown.
    pub income: Option<Decimal>,
    /// Whether its currencies have exchange rates.
    pub is_convertible: bool,
}

/// Value, cost and the gain, which needs both.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Worth {
    pub value: Option<Money>,
    pub cost: Option<Money>,
    pub gain: Option<Money>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Valuation {
    /// In the currency the stock trades in.
    pub own: Worth,
    /// In the preferred currency, at today's exchange rates; empty without one.
    pub converted: Worth,
    /// Gain ÷ cost, in percent, two decimals.
    pub gain_pct: Option<Decimal>,
    /// Of the value of all positions, in percent, two decimals.
    pub share_of_value_pct: Option<Decimal>,
}

/// In the preferred currency. Each figure adds up the positions that have it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Totals {
    pub value: Decimal,
    pub cost: Decimal,
    pub gain: Decimal,
    /// Gain ÷ the cost of the positions with a gain, in percent, two decimals.
    pub gain_pct: Option<Decimal>,
    /// Income ÷ cost of the positions of which both are known, in percent, two decimals.
    pub yield_on_cost_pct: Option<Decimal>,
}

/// In the order of the positions, and their totals.
pub fn valuation(positions: &[Valued], preferred: Currency, fx: &Fx, today: Date) -> Result<(Vec<Valuation>, Totals), Overflow> {
    let mut rows = Vec::with_capacity(positions.len());
    for position in positions {
        let own = own(position)?;
        let into = |money: Money| fx.convert(money.amount, money.currency, preferred, today).ok_or(Overflow);
        let converted = |money: Option<Money>| -> Result<Option<Money>, Overflow> {
            let amount = money.filter(|_| position.is_convertible).map(into).transpose()?;
            Ok(amount.map(|amount| Money::new(amount, preferred)))
        };
        let converted = worth(converted(own.value)?, converted(own.cost)?)?;
        let gain_pct = own.gain.zip(own.cost).and_then(|(gain, cost)| share_pct(gain.amount, cost.amount));
        rows.push(Valuation { own, converted, gain_pct, share_of_value_pct: None });
    }
    let totals = totals(positions, &rows)?;
    for row in &mut rows {
        row.share_of_value_pct = row.converted.value.and_then(|value| share_pct(value.amount, totals.value));
    }
    Ok((rows, totals))
}

fn own(position: &Valued) -> Result<Worth, Overflow> {
    let price = position.price.filter(|price| price.amount > Decimal::ZERO);
    let value = price.map(|price| Ok(Money::new(mul(position.shares, price.amount)?, price.currency))).transpose()?;
    worth(value, position.cost)
}

/// No gain if the two are in different currencies.
fn worth(value: Option<Money>, cost: Option<Money>) -> Result<Worth, Overflow> {
    let both = value.zip(cost).filter(|(value, cost)| value.currency == cost.currency);
    let gain = both.map(|(value, cost)| Ok(Money::new(sub(value.amount, cost.amount)?, cost.currency))).transpose()?;
    Ok(Worth { value, cost, gain })
}

fn totals(positions: &[Valued], rows: &[Valuation]) -> Result<Totals, Overflow> {
    let sum = |figure: &dyn Fn(&Valued, &Worth) -> Option<Decimal>| {
        let figures = positions.iter().zip(rows).filter_map(|(position, row)| figure(position, &row.converted));
        figures.into_iter().try_fold(Decimal::ZERO, add)
    };
    let amount = |money: Option<Money>| money.map(|money| money.amount);
    let gain = sum(&|_, worth| amount(worth.gain))?;
    let cost_of_gain = sum(&|_, worth| amount(worth.cost).filter(|_| worth.gain.is_some()))?;
    let income = sum(&|position, worth| position.income.filter(|_| worth.cost.is_some()))?;
    let cost_of_income = sum(&|position, worth| amount(worth.cost).filter(|_| position.income.is_some()))?;
    Ok(Totals {
        value: sum(&|_, worth| amount(worth.value))?,
        cost: sum(&|_, worth| amount(worth.cost))?,
        gain,
        gain_pct: share_pct(gain, cost_of_gain),
        yield_on_cost_pct: share_pct(income, cost_of_income),
    })
}
