//! Questions that people ask, ready to be asked.

use rmcp::model::{Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};

struct Line {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Its one argument, which may be left out: name and what it is.
    takes: (&'static str, &'static str),
    text: &'static str,
}

const PORTFOLIO: (&str, &str) = ("portfolio", "Name or slug of one portfolio; all of them when left out.");

const TABLE: [Line; 3] = [
    Line {
        name: "my_next_month",
        title: "My next month",
        description: "What will be paid in the next 30 days, and when.",
        takes: PORTFOLIO,
        text: "What dividends will I be paid in the next 30 days? Use get_upcoming_dividends with days 30. List the payments by day with the \
               net amount expected, say which are declared and which are estimates, and add up the total in my currency. Mention ex-dates \
               that I should know of.",
    },
    Line {
        name: "is_my_income_safe",
        title: "Is my income safe?",
        description: "Which dividends are at risk, and how much of the income they are.",
        takes: PORTFOLIO,
        text: "How safe is my dividend income? Use get_income_outlook for my sources, and get_stock for the ten biggest of them. Tell me \
               which are at risk or to be watched and why, what share of my income that is, and how much depends on my biggest source. \
               The resource dripline://definitions says what safety means here.",
    },
    Line {
        name: "my_year",
        title: "My year in dividends",
        description: "What was paid in a year, and how it compares with the year before.",
        takes: ("year", "Such as 2025; this year when left out."),
        text: "How were my dividends this year? Use get_dividends for the year and for the one before. Give the totals, gross, tax and \
               net, the best months, the biggest payers, and what changed most against the year before, month by month as far as this \
               year has come.",
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

/// The prompt, or why there is none. What the user typed stands at the end, as data.
pub fn get(name: &str, arguments: &Map<String, Value>) -> Result<(&'static str, Vec<PromptMessage>), String> {
    let line = TABLE.iter().find(|line| line.name == name).ok_or("there is no such prompt; prompts/list names them")?;
    let takes = line.takes.0;
    if arguments.keys().any(|name| name != takes) {
        return Err(format!("there is an argument that this prompt does not take; it takes {takes}"));
    }
    let text = match arguments.get(takes) {
        None => line.text.to_owned(),
        Some(Value::String(value)) if value.is_empty() => line.text.to_owned(),
        Some(Value::String(value)) => format!("{}\n\n{takes}: {}", line.text, Value::from(value.as_str())),
        Some(_) => return Err(format!("{takes} is a text")),
    };
    Ok((line.description, vec![PromptMessage::new_text(Role::User, text)]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_unknown_prompt_argument_is_explained() {
        let message_count =
            |name, arguments: Value| get(name, arguments.as_object().unwrap()).map(|(_, messages)| messages.len());
        assert_eq!(message_count("my_year", json!({"year": "2025"})), Ok(1));
        assert_eq!(message_count("my_year", json!({})), Ok(1));
        assert_eq!(message_count("my_year", json!({"year": 2025})), Err("year is a text".to_owned()));
        assert_eq!(
            message_count("my_year", json!({"jahr": "2025"})),
            Err("there is an argument that this prompt does not take; it takes year".to_owned())
        );
        assert!(message_count("nothing", json!({})).is_err());
    }
}
