//! A message file beside the messages that the program asks for.

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser;

/// What is wrong with a message file, one line each.
pub fn check(file: &str, keys: &[(&str, &[&str])]) -> Vec<String> {
    let resource = match parser::parse(file) {
        Ok(resource) => resource,
        Err((_, errors)) => return errors.iter().map(|error| error.to_string()).collect(),
    };
    let mut problems = Vec::new();
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for entry in &resource.body {
        if let Entry::Message(message) = entry {
            let mut variables = BTreeSet::new();
            message.value.iter().for_each(|pattern| collect(pattern, &mut variables));
            if found.insert(message.id.name, variables).is_some() {
                problems.push(format!("{}: there twice", message.id.name));
            }
        }
    }
    for (key, variables) in keys {
        match found.remove(key) {
            None => problems.push(format!("{key}: missing")),
            Some(used) => {
                let given: BTreeSet<&str> = variables.iter().copied().collect();
                problems.extend(used.difference(&given).map(|name| format!("{key}: ${name} is not given")));
                problems.extend(given.difference(&used).map(|name| format!("{key}: ${name} is not used")));
            }
        }
    }
    problems.extend(found.keys().map(|key| format!("{key}: unused")));
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

    #[test]
    fn a_file_is_checked_for_keys_and_variables_both_ways() {
        let file = "a-one = One\na-two = { $n ->\n    [one] one row\n   *[other] { $n } rows\n}\na-four = { $x }\n";
        let keys: [(&str, &[&str]); 4] = [("a-one", &[]), ("a-two", &["n"]), ("a-three", &[]), ("a-four", &["y"])];
        let expected = ["a-three: missing", "a-four: $x is not given", "a-four: $y is not used"];
        assert_eq!(check(file, &keys), expected);
        assert_eq!(check(file, &keys[..2]), ["a-four: unused"]);
    }
}
