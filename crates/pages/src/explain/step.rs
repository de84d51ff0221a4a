//! The inputs of a figure, down to transactions, payments, exchange rates and rows of tables.

use askama::Template;
use ledger::explain::{Node, Rule, Unit};

use super::formula::Formula;
use super::words::{Label, Origin, Words, is_unnamed};
use crate::format::{Html, escaped};

#[derive(Template)]
#[template(path = "explain_step.html")]
pub struct Step {
    label: Label,
    value: Html,
    /// Where it comes from, with a link to the transaction.
    origins: Vec<Origin>,
    formula: Written,
    steps: Vec<Step>,
    open: bool,
}

/// How a figure follows from its inputs.
#[derive(Default)]
pub struct Written {
    pub words: Option<String>,
    pub numbers: Option<Html>,
    /// How many inputs are not listed.
    pub more: Option<String>,
}

/// Inputs of one figure that are listed.
const LISTED_MAX: usize = 60;
/// Steps of one explanation. The figures of a large portfolio are explained in full on their own.
const STEPS_MAX: usize = 1_500;
/// Levels that are open at first.
const OPEN: usize = 1;
const OPEN_ROWS_MAX: usize = 6;

pub fn steps(words: &Words<'_>, node: &Node) -> (Written, Vec<Step>) {
    inside(words, node, 0, &mut STEPS_MAX.clone())
}

fn inside(words: &Words<'_>, node: &Node, depth: usize, left: &mut usize) -> (Written, Vec<Step>) {
    // A sum of one is that one.
    if let (Rule::Sum, [only]) = (node.rule, &node.inputs[..])
        && !only.inputs.is_empty()
    {
        return inside(words, only, depth, left);
    }
    let (mut written, inputs) = written(words, node);
    // A figure without inputs is its own source.
    let inputs = if depth == 0 && inputs.is_empty() && node.rule == Rule::Given { vec![node] } else { inputs };
    let mut steps = Vec::new();
    for (place, input) in inputs.iter().enumerate() {
        if place == LISTED_MAX || *left == 0 {
            written.more = Some(words.visitor.texts.explain.more((inputs.len() - place) as u64));
            break;
        }
        *left -= 1;
        steps.push(step(words, input, depth, inputs.len(), left));
    }
    (written, steps)
}

fn step(words: &Words<'_>, node: &Node, depth: usize, siblings: usize, left: &mut usize) -> Step {
    let (formula, steps) = inside(words, node, depth + 1, left);
    // Of a position and its weight, the position's figure is what is averaged.
    let is_weighted = is_unnamed(node) && node.rule == Rule::Product && !matches!(node.unit, Unit::SquaredMoney(_));
    let figure = if is_weighted { node.inputs.last().unwrap_or(node) } else { node };
    Step {
        label: words.label(node),
        value: words.value(figure),
        origins: if steps.is_empty() || !node.rows.is_empty() { words.origins(node) } else { Vec::new() },
        open: depth < OPEN && siblings <= OPEN_ROWS_MAX,
        formula,
        steps,
    }
}

fn written<'a>(words: &Words<'_>, node: &'a Node) -> (Written, Vec<&'a Node>) {
    let sentence = words.sentence(node);
    // A weighted average: the positions, each with its weight.
    if let (Rule::Quotient, [sum, _]) = (node.rule, &node.inputs[..])
        && sum.rule == Rule::Sum
        && is_unnamed(sum)
        && sum.inputs.iter().all(|input| input.rule == Rule::Product && is_unnamed(input))
    {
        let weighted = words.visitor.texts.explain.rule_weighted.to_owned();
        return (Written { words: Some(weighted), ..Written::default() }, sum.inputs.iter().collect());
    }
    if let Some((formula, shown)) = Formula::of(words, node).filter(|_| sentence.is_none()) {
        let numbers = Html(escaped(&format!("{} = {}", formula.numbers, words.text(node))));
        let written = Written { words: Some(formula.words), numbers: Some(numbers), more: None };
        let is_plain = shown.len() < 2 && node.inputs.len() < 2;
        return (if is_plain { Written::default() } else { written }, shown);
    }
    let inputs = if node.rule == Rule::Unknown { Vec::new() } else { node.inputs.iter().collect() };
    (Written { words: sentence, ..Written::default() }, inputs)
}
