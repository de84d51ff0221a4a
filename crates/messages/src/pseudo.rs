//! A made-up translation for tests: accents on every letter and two fifths more text, as German or Finnish would need. Text that
//! stays plain on a page is not in the message file, and text that is cut off has too little space.

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::{parser, serializer};

/// The message file with its texts changed and everything else unchanged; `None` if the file is malformed.
pub fn localize(file: &str) -> Option<String> {
    let mut resource = parser::parse(file.to_owned()).ok()?;
    for entry in &mut resource.body {
        if let Entry::Message(message) = entry {
            message.value.iter_mut().for_each(in_pattern);
        }
    }
    Some(serializer::serialize(&resource))
}

fn in_pattern(pattern: &mut Pattern<String>) {
    for element in &mut pattern.elements {
        match element {
            PatternElement::TextElement { value } => *value = longer(value),
            PatternElement::Placeable { expression } => in_expression(expression),
        }
    }
}

fn in_expression(expression: &mut Expression<String>) {
    match expression {
        Expression::Select { variants, .. } => variants.iter_mut().for_each(|variant| in_pattern(&mut variant.value)),
        Expression::Inline(InlineExpression::Placeable { expression }) => in_expression(expression),
        Expression::Inline(_) => {}
    }
}

/// Word by word, so that lines still break between words and lists of names keep their number.
fn longer(text: &str) -> String {
    let word = |piece: &str| {
        let word = piece.trim_end_matches([' ', '\n']);
        let accented: String = word.chars().map(accented).collect();
        format!("{accented}{}{}", "·".repeat((word.chars().count() * 2).div_ceil(5)), &piece[word.len()..])
    };
    text.split_inclusive([' ', '\n']).map(word).collect()
}

fn accented(letter: char) -> char {
    const PLAIN: &str = "AaCcDdEeGgHhIiJjKkLlNnOoRrSsTtUuWwYyZz";
    const ACCENTED: &str = "ÅåÇçĎďÉéĜĝĤĥÎîĴĵĶķĻļÑñÖöŔŕŠšŢţÛûŴŵÝýŽž";
    PLAIN.chars().zip(ACCENTED.chars()).find(|(plain, _)| *plain == letter).map_or(letter, |(_, accented)| accented)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LOCALES, Language, Value, check, keys};

    #[test]
    fn a_made_up_translation_has_every_message_and_each_can_be_formatted() {
        for (tag, file) in LOCALES {
            let pseudo = localize(file).unwrap();
            assert_eq!(check(&pseudo, &keys()), [], "{tag}");
            let language: &'static Language = Box::leak(Box::new(Language::parse(tag, &pseudo).unwrap()));
            for (key, variables) in keys() {
                let given = variables.iter().map(|name| (*name, if *name == "n" { Value::from(7) } else { Value::from("0x0") }));
                let formatted = if variables.is_empty() { language.text(key).to_owned() } else { language.format(key, given) };
                assert!(formatted.contains('·') || formatted.trim().is_empty() || variables.len() > 1, "{key}: {formatted}");
                assert!(!formatted.contains("{$"), "{key}: {formatted}");
            }
        }
    }

    #[test]
    fn variables_and_spaces_stay_as_they_are() {
        let pseudo = localize("a-one = Pay { $who } now, please\n").unwrap();
        assert_eq!(pseudo, "a-one = Påý·· { $who } ñöŵ,·· pļéåšé···\n");
    }
}
