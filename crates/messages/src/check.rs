//! Compares a message file with the messages that the program uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser;

/// What is wrong with a message file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    Syntax { line: usize, reason: String },
    Twice { key: String },
    Missing { key: String },
    Unused { key: String },
    VariableNotGiven { key: String, variable: String },
    VariableNotUsed { key: String, variable: String },
}

impl Problem {
    /// A file with one of these cannot be loaded. With any other, the affected messages are shown in English.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Problem::Syntax { .. } | Problem::Twice { .. })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Syntax { line, reason } => write!(f, "line {line}: {reason}"),
            Problem::Twice { key } => write!(f, "{key}: defined twice"),
            Problem::Missing { key } => write!(f, "{key}: missing"),
            Problem::Unused { key } => write!(f, "{key}: unused"),
            Problem::VariableNotGiven { key, variable } => write!(f, "{key}: ${variable} is not given"),
            Problem::VariableNotUsed { key, variable } => write!(f, "{key}: ${variable} is not used"),
        }
    }
}

pub fn check(file: &str, keys: &[(&str, &[&str])]) -> Vec<Problem> {
    let resource = match parser::parse(file) {
        Ok(resource) => resource,
        Err((_, errors)) => {
            let line = |at: usize| file.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
            let problem =
                |error: &parser::ParserError| Problem::Syntax { line: line(error.pos.start), reason: error.to_string() };
            return errors.iter().map(problem).collect();
        }
    };
    let mut problems = Vec::new();
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for entry in &resource.body {
        if let Entry::Message(message) = entry {
            let mut variables = BTreeSet::new();
            message.value.iter().for_each(|pattern| collect(pattern, &mut variables));
            if found.insert(message.id.name, variables).is_some() {
                problems.push(Problem::Twice { key: message.id.name.to_owned() });
            }
        }
    }
    for (key, variables) in keys {
        let key = (*key).to_owned();
        match found.remove(key.as_str()) {
            None => problems.push(Problem::Missing { key }),
            Some(used) => {
                let given: BTreeSet<&str> = variables.iter().copied().collect();
                let not_given = used.difference(&given).map(|name| (*name).to_owned());
                problems.extend(not_given.map(|variable| Problem::VariableNotGiven { key: key.clone(), variable }));
                let not_used = given.difference(&used).map(|name| (*name).to_owned());
                problems.extend(not_used.map(|variable| Problem::VariableNotUsed { key: key.clone(), variable }));
            }
        }
    }
    problems.extend(found.keys().map(|key| Problem::Unused { key: (*key).to_owned() }));
    problems
}

fn collect<'s>(pattern: &Pattern<&'s str>, variables: &mut BTreeSet<&'s str>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            in_expression(expression, variables);
        }
    }
}

fn in_expression<'s>(expression: &Expression<&'s str>, variables: &mut BTreeSet<&'s str>) {
    match expression {
        Expression::Inline(inline) => in_inline(inline, variables),
        Expression::Select { selector, variants } => {
            in_inline(selector, variables);
            variants.iter().for_each(|variant| collect(&variant.value, variables));
        }
    }
}

fn in_inline<'s>(inline: &InlineExpression<&'s str>, variables: &mut BTreeSet<&'s str>) {
    match inline {
        InlineExpression::VariableReference { id } => drop(variables.insert(id.name)),
        InlineExpression::FunctionReference { arguments, .. } => {
            arguments.positional.iter().for_each(|argument| in_inline(argument, variables));
        }
        InlineExpression::Placeable { expression } => in_expression(expression, variables),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(file: &str, keys: &[(&str, &[&str])]) -> Vec<String> {
        check(file, keys).iter().map(Problem::to_string).collect()
    }

    #[test]
    fn a_file_is_checked_for_keys_and_variables_both_ways() {
        let file = "a-one = One\na-two = { $n ->\n    [one] one row\n   *[other] { $n } rows\n}\na-four = { $x }\n";
        let keys: [(&str, &[&str]); 4] = [("a-one", &[]), ("a-two", &["n"]), ("a-three", &[]), ("a-four", &["y"])];
        let expected = ["a-three: missing", "a-four: $x is not given", "a-four: $y is not used"];
        assert_eq!(lines(file, &keys), expected);
        assert_eq!(lines(file, &keys[..2]), ["a-four: unused"]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_described_by_line() {
        let problems = check("a-one = One\na-two = { $n\na-one = Two\n", &[]);
        assert!(problems.iter().all(Problem::is_fatal));
        assert!(problems[0].to_string().starts_with("line "), "{problems:?}");
        assert_eq!(lines("a-one = One\na-one = Two\n", &[("a-one", &[])]), ["a-one: defined twice"]);
    }
}
