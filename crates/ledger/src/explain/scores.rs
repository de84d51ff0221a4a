//! The scores of a stock.

use rust_decimal::Decimal;

use super::node::{Node, Rule, Unit};
use super::stock::Stock;
use crate::Safety;
use crate::safety::assess;
use crate::scores::{self, Parts, safety_points};

impl Stock<'_> {
    pub fn value_score(&self) -> Node {
        score("value_score", scores::value(self.parts()))
    }

    pub fn momentum_score(&self) -> Node {
        score("momentum_score", scores::momentum(self.parts()))
    }

    pub fn rating_score(&self) -> Node {
        score("rating_score", scores::rating(self.parts()))
    }

    fn parts(&self) -> Parts<Node> {
        let facts = self.workings().facts;
        let known = |node: Node| Some(node).filter(|node| node.value.is_some());
        let price = |name, value: Option<Decimal>| known(self.field_in(name, value, Unit::Money(facts.currency)));
        Parts {
            safety: self.safety_points(assess(facts, &self.workings().signs()).safety),
            cagr_5y: known(self.growth_5y()),
            streak_years: known(self.streak()),
            yield_fraction: self.yield_fraction(),
            relative_yield: known(self.relative_yield(true)),
            pe: known(self.field_in("pe", facts.pe, Unit::Count)),
            price: self.price(),
            low52: price("low52", facts.low52),
            high52: price("high52", facts.high52),
            ma50: price("ma50", facts.ma50),
            ma200: price("ma200", facts.ma200),
        }
    }

    fn safety_points(&self, safety: Safety) -> Option<Node> {
        let points = Node::number("points_safety", safety_points(safety)?, Unit::Count);
        Some(points.by(Rule::SafetyPoints, vec![self.safety()]))
    }
}

fn score(name: &'static str, score: Option<Node>) -> Node {
    score.map_or_else(|| Node::unknown(name, Unit::Count, "too_few_figures"), |score| score.named(name).in_unit(Unit::Count))
}
