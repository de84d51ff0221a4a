//! A figure with its inputs.

use std::borrow::Cow;

use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::forward::nearer;
use crate::growth::growth_per_year;
use crate::number::Number;
use crate::projection::grown;
use crate::withholding::{Official, Seen, withheld_rate};
use crate::{Currency, Money};

#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    pub name: Cow<'static, str>,
    /// `None` if it is unknown.
    pub value: Option<Value>,
    pub unit: Unit,
    pub source: Option<Source>,
    pub as_of: Option<Date>,
    /// Sequences of transactions, or rows of a table.
    pub rows: Vec<String>,
    /// How the value follows from the inputs.
    pub rule: Rule,
    /// The decimals that the result of the rule is rounded to.
    pub decimals: Option<u32>,
    pub inputs: Vec<Node>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Number(Decimal),
    Date(Date),
    Text(Cow<'static, str>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Also an amount per share.
    Money(Currency),
    /// The product of two amounts.
    SquaredMoney(Currency),
    /// Units of a currency for one euro.
    PerEuro(Currency),
    Shares,
    Fraction,
    Percent,
    Years,
    Months,
    Days,
    Count,
    Date,
    Text,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// By name.
    Provider(String),
    Ledger,
    Table,
    Estimate,
}

/// docs/develop/SPEC.md defines them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    Given,
    Sum,
    Product,
    Quotient,
    Difference,
    Convert,
    Clamp,
    Lowest,
    Highest,
    SquareRoot,
    GrowthPerYear,
    Grown,
    Points,
    SafetyPoints,
    Near,
    Withheld,
    Home,
    UntaxedFund,
    Stopped,
    Streak,
    ReplayShares,
    ReplayCost,
    Safety,
    TooLittleData,
    Check(&'static str),
    ExDate(&'static str),
    Median,
    MonthsLater,
    Unknown,
}

impl Rule {
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::Given => "given",
            Rule::Sum => "sum",
            Rule::Product => "product",
            Rule::Quotient => "quotient",
            Rule::Difference => "difference",
            Rule::Convert => "convert",
            Rule::Clamp => "clamp",
            Rule::Lowest => "lowest",
            Rule::Highest => "highest",
            Rule::SquareRoot => "square_root",
            Rule::Grown => "grown",
            Rule::Points => "points",
            Rule::SafetyPoints => "safety_points",
            Rule::GrowthPerYear => "growth_per_year",
            Rule::Near => "near",
            Rule::Withheld => "withheld",
            Rule::Home => "home",
            Rule::UntaxedFund => "untaxed_fund",
            Rule::Stopped => "stopped",
            Rule::Streak => "streak",
            Rule::ReplayShares => "replay_shares",
            Rule::ReplayCost => "replay_cost",
            Rule::Safety => "safety",
            Rule::TooLittleData => "too_little_data",
            Rule::Check(code) | Rule::ExDate(code) => code,
            Rule::Median => "median",
            Rule::MonthsLater => "months_later",
            Rule::Unknown => "unknown",
        }
    }

    /// The result of a rule over numbers; `None` for other rules, or beyond the range of a decimal.
    fn apply(self, inputs: &[Node]) -> Option<Decimal> {
        let numbers: Vec<Decimal> = inputs.iter().map(Node::decimal).collect::<Option<_>>()?;
        match (self, &numbers[..]) {
            (Rule::Sum, all) => all.iter().try_fold(Decimal::ZERO, |sum, one| sum.checked_add(*one)),
            (Rule::Product, [first, others @ ..]) => others.iter().try_fold(*first, |product, one| product.checked_mul(*one)),
            (Rule::Quotient, [above, below]) => above.checked_div(*below),
            (Rule::Difference, [from, less]) => from.checked_sub(*less),
            (Rule::Convert, [amount, from, to]) => amount.converted(*from, *to),
            (Rule::Clamp, [figure, least, most]) => Some((*figure).clamp(*least, *most)),
            (Rule::Lowest, all) => all.iter().min().copied(),
            (Rule::Highest, all) => all.iter().max().copied(),
            (Rule::SquareRoot, [of]) => of.square_root(),
            (Rule::Grown, [income, factor, years]) => grown(*income, *factor, u32::try_from(*years).ok()?),
            (Rule::Points, [figure, from, to]) => figure.points(*from, *to),
            (Rule::GrowthPerYear, [last, first, years]) => growth_per_year(*last, *first, u32::try_from(*years).ok()?),
            (Rule::Near, [of_provider, of_history]) => Some(nearer(*of_provider, *of_history)),
            (Rule::Withheld, [gross, withheld, rounding, official @ ..]) => {
                let seen = Seen { gross: *gross, withheld: *withheld, rounding: *rounding };
                withheld_rate(seen, Official { treaty: official.first().copied(), statutory: official.get(1).copied() })
            }
            _ => None,
        }
    }
}

impl Node {
    pub fn new(name: impl Into<Cow<'static, str>>, value: Option<Value>, unit: Unit) -> Node {
        Node {
            name: name.into(),
            value,
            unit,
            source: None,
            as_of: None,
            rows: Vec::new(),
            rule: Rule::Given,
            decimals: None,
            inputs: Vec::new(),
        }
    }

    pub fn number(name: impl Into<Cow<'static, str>>, number: impl Into<Decimal>, unit: Unit) -> Node {
        Node::new(name, Some(Value::Number(number.into())), unit)
    }

    pub fn date(name: impl Into<Cow<'static, str>>, date: Date) -> Node {
        Node::new(name, Some(Value::Date(date)), Unit::Date)
    }

    pub fn text(name: impl Into<Cow<'static, str>>, text: impl Into<Cow<'static, str>>) -> Node {
        Node::new(name, Some(Value::Text(text.into())), Unit::Text)
    }

    pub fn money(name: impl Into<Cow<'static, str>>, money: Money) -> Node {
        Node::number(name, money.amount, Unit::Money(money.currency))
    }

    /// A figure that is not known, and why.
    pub fn unknown(name: impl Into<Cow<'static, str>>, unit: Unit, reason: &'static str) -> Node {
        Node::new(name, None, unit).by(Rule::Unknown, vec![Node::text("reason", reason)])
    }

    /// What the rule makes of the inputs.
    pub(crate) fn computed(rule: Rule, unit: Unit, inputs: Vec<Node>) -> Option<Node> {
        let result = rule.apply(&inputs)?;
        Some(Node::number(rule.as_str(), result, unit).by(rule, inputs))
    }

    /// The value follows from these inputs by a rule that is not arithmetic.
    pub(crate) fn by(self, rule: Rule, inputs: Vec<Node>) -> Node {
        Node { rule, inputs, ..self }
    }

    pub fn named(self, name: impl Into<Cow<'static, str>>) -> Node {
        Node { name: name.into(), ..self }
    }

    pub(crate) fn in_unit(self, unit: Unit) -> Node {
        Node { unit, ..self }
    }

    pub fn with_source(self, source: Source) -> Node {
        Node { source: Some(source), ..self }
    }

    pub fn as_of(self, date: Date) -> Node {
        Node { as_of: Some(date), ..self }
    }

    pub fn with_rows(self, rows: impl IntoIterator<Item = String>) -> Node {
        Node { rows: rows.into_iter().collect(), ..self }
    }

    /// Half-even.
    pub fn rounded(mut self, decimals: u32) -> Node {
        if let Some(Value::Number(number)) = &mut self.value {
            *number = number.round_dp_with_strategy(decimals, RoundingStrategy::MidpointNearestEven);
            self.decimals = Some(decimals);
        }
        self
    }

    /// Without its inputs, for a figure that is explained elsewhere.
    pub fn summarised(self) -> Node {
        Node { rule: Rule::Given, decimals: None, inputs: Vec::new(), source: Some(Source::Estimate), ..self }
    }

    pub fn decimal(&self) -> Option<Decimal> {
        match self.value {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// Amounts have at least the decimals of their currency.
    pub fn value_text(&self) -> Option<String> {
        Some(match (self.value.as_ref()?, self.unit) {
            (Value::Number(number), Unit::Money(currency)) => Money::new(number.normalize(), currency).recorded_text(),
            (Value::Number(number), _) => crate::shares_text(*number),
            (Value::Date(date), _) => date.to_string(),
            (Value::Text(text), _) => text.clone().into_owned(),
        })
    }
}

impl Unit {
    pub fn text(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Unit::Money(currency) => return Cow::Owned(currency.to_string()),
            Unit::SquaredMoney(currency) => return Cow::Owned(format!("{currency}²")),
            Unit::PerEuro(currency) => return Cow::Owned(format!("{currency}/EUR")),
            Unit::Shares => "shares",
            Unit::Fraction => "fraction",
            Unit::Percent => "percent",
            Unit::Years => "years",
            Unit::Months => "months",
            Unit::Days => "days",
            Unit::Count => "count",
            Unit::Date => "date",
            Unit::Text => "text",
        })
    }

    fn is_money(self) -> bool {
        matches!(self, Unit::Money(_))
    }
}

impl Source {
    pub fn as_str(&self) -> &str {
        match self {
            Source::Provider(name) => name,
            Source::Ledger => "ledger",
            Source::Table => "table",
            Source::Estimate => "estimate",
        }
    }
}

impl Number for Node {
    fn sum(all: impl Iterator<Item = Option<Node>>) -> Option<Node> {
        let inputs: Vec<Node> = all.collect::<Option<_>>()?;
        Node::computed(Rule::Sum, inputs.first().map_or(Unit::Count, |first| first.unit), inputs)
    }

    fn times(self, other: Node) -> Option<Node> {
        let unit = match (self.unit, other.unit) {
            (Unit::Money(currency), Unit::Money(_)) => Unit::SquaredMoney(currency),
            (_, Unit::Money(_) | Unit::SquaredMoney(_)) => other.unit,
            _ => self.unit,
        };
        Node::computed(Rule::Product, unit, vec![self, other])
    }

    fn over(self, other: Node) -> Option<Node> {
        let unit = if self.unit.is_money() && other.unit.is_money() { Unit::Fraction } else { self.unit };
        Node::computed(Rule::Quotient, unit, vec![self, other])
    }

    fn less(self, other: Node) -> Option<Node> {
        let unit = if other.unit.is_money() { other.unit } else { self.unit };
        Node::computed(Rule::Difference, unit, vec![self, other])
    }

    fn rest(self) -> Option<Node> {
        whole(self.unit).less(self)
    }

    fn plus_one(self) -> Option<Node> {
        Node::sum([whole(self.unit), self].into_iter().map(Some))
    }

    fn at_least(self, least: Node) -> Option<Node> {
        if self.decimal() >= least.decimal() {
            return Some(self);
        }
        Node::computed(Rule::Highest, self.unit, vec![self, least])
    }

    fn square_root(self) -> Option<Node> {
        let unit = match self.unit {
            Unit::SquaredMoney(currency) => Unit::Money(currency),
            unit => unit,
        };
        Node::computed(Rule::SquareRoot, unit, vec![self])
    }

    fn points(self, from: Node, to: Node) -> Option<Node> {
        let (from, to) = (from.in_unit(self.unit), to.in_unit(self.unit));
        Node::computed(Rule::Points, Unit::Count, vec![self, from, to])
    }

    fn is_positive(&self) -> bool {
        self.decimal().is_some_and(|number| number > Decimal::ZERO)
    }

    fn converted(self, from: Node, to: Node) -> Option<Node> {
        let unit = match to.unit {
            Unit::PerEuro(currency) => Unit::Money(currency),
            unit => unit,
        };
        Node::computed(Rule::Convert, unit, vec![self, from, to])
    }

    fn carried(mut self) -> Node {
        if let Some(Value::Number(number)) = &mut self.value {
            *number = number.carried();
            self.decimals = Some(20);
        }
        self
    }

    fn half_even(self, decimals: u32) -> Node {
        self.rounded(decimals)
    }

    fn constant(number: Decimal) -> Node {
        Node::number("constant", number, Unit::Count)
    }

    fn called(self, name: &'static str) -> Node {
        self.named(name)
    }
}

fn whole(unit: Unit) -> Node {
    Node::number("whole", Decimal::ONE, unit)
}
