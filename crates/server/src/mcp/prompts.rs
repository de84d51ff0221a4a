//! Prompts for common questions.

use messages::mcp::Mcp;
use rmcp::model::{Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};

struct Line {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Its one argument, which is optional: name and description.
    takes: (&'static str, &'static str),
    text: &'static str,
}

const PORTFOLIO: (&str, &str) = ("portfolio", "Name or slug of a portfolio. If omitted, all portfolios.");

const TABLE: [Line; 3] = [
    Line {
        name: "my_next_month",
        title: "My next month",
        description: "Your dividends in the next 30 days, by date.",
        takes: PORTFOLIO,
        text: "Which dividends will I receive in the next 30 days? Use get_upcoming_dividends with days 30. List the payments by date with \
               their expected net amounts, and say which are declared and which are estimates. Give a total per currency. Also list the \
               ex-dividend dates in this period.",
    },
    Line {
        name: "is_my_income_safe",
        title: "Is my income safe?",
        description: "Dividends at risk, and their share of your income.",
        takes: PORTFOLIO,
        text: "How safe is my dividend income? Use get_income_outlook for my sources of income, and get_stock for the ten largest. Tell me \
               which are rated at_risk or watch and why, what share of my income they are, and how much depends on my largest source. \
               The resource dripline://definitions explains the safety rating.",
    },
    Line {
        name: "my_year",
        title: "My year in dividends",
        description: "Your dividends in a year, compared with the year before.",
        takes: ("year", "A year such as 2025. If omitted, this year."),
        text: "How did my dividends develop this year? Use get_dividends for the year and for the year before. Give the totals per currency \
               (gross, tax and net), the best months, the largest payers, and the biggest changes. If the year is not over, compare it \
               with the same months of the year before.",
    },
];

pub fn all() -> Vec<Prompt> {
    let prompt = |line: &Line| {
        let (name, what) = line.takes;
        let argument = PromptArgument::new(name).with_description(what).with_required(false);
        Prompt::new(line.name, Some(line.description), Some(vec![argument])).with_title(line.title)
    };
    TABLE.iter().map(prompt).collect()
}

/// Why there is no such prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptError {
    Unknown,
    UnknownArgument { takes: &'static str },
    NotText { name: &'static str },
}

impl PromptError {
    pub fn text(self, texts: &Mcp) -> String {
        match self {
            PromptError::Unknown => texts.unknown_prompt.to_owned(),
            PromptError::UnknownArgument { takes } => texts.unknown_prompt_argument(takes),
            PromptError::NotText { name } => texts.prompt_argument_not_text(name),
        }
    }
}

/// What the user typed stands at the end, as data.
pub fn get(name: &str, arguments: &Map<String, Value>) -> Result<(&'static str, Vec<PromptMessage>), PromptError> {
    let line = TABLE.iter().find(|line| line.name == name).ok_or(PromptError::Unknown)?;
    let takes = line.takes.0;
    if arguments.keys().any(|name| name != takes) {
        return Err(PromptError::UnknownArgument { takes });
    }
    let text = match arguments.get(takes) {
        None => line.text.to_owned(),
        Some(Value::String(value)) if value.is_empty() => line.text.to_owned(),
        Some(Value::String(value)) => format!("{}\n\n{takes}: {}", line.text, Value::from(value.as_str())),
        Some(_) => return Err(PromptError::NotText { name: takes }),
    };
    Ok((line.description, vec![PromptMessage::new_text(Role::User, text)]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_prompt_does_not_take_is_refused() {
        let messages = |name, arguments: Value| get(name, arguments.as_object().unwrap()).map(|(_, messages)| messages.len());
        assert_eq!(messages("my_year", json!({"year": "2025"})), Ok(1));
        assert_eq!(messages("my_year", json!({})), Ok(1));
        assert_eq!(messages("my_year", json!({"year": 2025})), Err(PromptError::NotText { name: "year" }));
        assert_eq!(messages("my_year", json!({"jahr": "2025"})), Err(PromptError::UnknownArgument { takes: "year" }));
        assert_eq!(messages("nothing", json!({})), Err(PromptError::Unknown));
    }
}
