//! The formula of a figure. A step without a name of its own is written into the formula of the figure that it belongs to.

use ledger::Decimal;
use ledger::explain::{Node, Rule, Unit};

use super::words::{Words, is_unnamed};

/// As words and as numbers.
#[derive(Default)]
pub struct Formula {
    pub words: String,
    pub numbers: String,
}

/// More inputs than these are listed without a formula.
const TERMS_MAX: usize = 4;

impl Formula {
    /// With the inputs that it names; `None` if the figure is not a result of arithmetic, or has too many inputs to be written.
    pub fn of<'a>(words: &Words<'_>, node: &'a Node) -> Option<(Formula, Vec<&'a Node>)> {
        let mut shown = Vec::new();
        let formula = Formula::written(words, node, &mut shown)?;
        Some((formula, shown))
    }

    fn written<'a>(words: &Words<'_>, node: &'a Node, shown: &mut Vec<&'a Node>) -> Option<Formula> {
        let mut formula = Formula::default();
        for (place, (sign, input)) in signed(node)?.into_iter().enumerate() {
            if place > 0 {
                formula.push(sign, sign);
            }
            if is_constant(input) {
                let number = words.text(input);
                formula.push(&number, &number);
                continue;
            }
            match Formula::inner(words, input, shown) {
                Some(inner) if needs_brackets(node.rule, input.rule, place) => {
                    formula.push(&format!("({})", inner.words), &format!("({})", inner.numbers));
                }
                Some(inner) => formula.push(&inner.words, &inner.numbers),
                None => {
                    shown.push(input);
                    formula.push(&words.label(input).text(), &words.text(input));
                }
            }
        }
        Some(formula)
    }

    fn inner<'a>(words: &Words<'_>, node: &'a Node, shown: &mut Vec<&'a Node>) -> Option<Formula> {
        if !is_unnamed(node) { None } else { Formula::written(words, node, shown) }
    }

    fn push(&mut self, word: &str, number: &str) {
        for (text, part) in [(&mut self.words, word), (&mut self.numbers, number)] {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(part);
        }
    }
}

/// The inputs, each with the sign before it.
fn signed(node: &Node) -> Option<Vec<(&'static str, &Node)>> {
    let signs = match node.rule {
        Rule::Sum if (1..=TERMS_MAX).contains(&node.inputs.len()) => ["+"; 3],
        Rule::Product => ["×"; 3],
        Rule::Quotient => ["÷"; 3],
        Rule::Difference => ["−"; 3],
        Rule::Convert => ["", "÷", "×"],
        _ => return None,
    };
    let sign = |place: usize| signs[place.min(2)];
    let with_sign = node.inputs.iter().enumerate().map(|(place, input)| (sign(place), input));
    Some(with_sign.filter(|(_, input)| !is_euro(input) && !is_percent(node, input)).collect())
}

/// One euro per euro.
fn is_euro(node: &Node) -> bool {
    matches!(node.unit, Unit::PerEuro(_)) && node.decimal() == Some(Decimal::ONE)
}

/// The hundred that turns a fraction into percent, which the unit says already.
fn is_percent(node: &Node, input: &Node) -> bool {
    let makes_percent = matches!(node.unit, Unit::Percent | Unit::Money(_)) && node.rule == Rule::Product;
    makes_percent && input.name == "constant" && input.decimal() == Some(Decimal::ONE_HUNDRED)
}

fn is_constant(node: &Node) -> bool {
    ["constant", "whole", "months_of_year", "one_share"].contains(&&*node.name)
}

fn needs_brackets(outer: Rule, inner: Rule, place: usize) -> bool {
    match (outer, inner) {
        (Rule::Product | Rule::Quotient | Rule::Convert, Rule::Sum | Rule::Difference) => true,
        (Rule::Quotient, Rule::Product | Rule::Quotient | Rule::Convert) | (Rule::Difference, Rule::Sum | Rule::Difference) => {
            place > 0
        }
        _ => false,
    }
}
