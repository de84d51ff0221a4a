//! The tools: each one of the API's operations, under the name that a model chooses it by.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;

use super::arguments::Parameter;
use super::schemas;

/// A line of the table below.
struct Line {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    path: &'static str,
    /// Whether a provider of market data may be asked.
    asks_outside: bool,
}

const TABLE: [Line; 9] = [
    Line {
        name: "list_portfolios",
        title: "Portfolios",
        description: "Lists the user's portfolios with their names and slugs, which the other tools take as `portfolio`.",
        path: "/api/v1/portfolios",
        asks_outside: false,
    },
    Line {
        name: "get_holdings",
        title: "Holdings",
        description: "What the user holds today: shares, average cost, value, yield and forward income of each position.",
        path: "/api/v1/holdings",
        asks_outside: false,
    },
    Line {
        name: "get_dividends",
        title: "Dividends received",
        description: "The dividends that the user was paid, newest first, with gross, tax and net; by stock, portfolio or period.",
        path: "/api/v1/dividends",
        asks_outside: false,
    },
    Line {
        name: "get_income_outlook",
        title: "Income outlook",
        description: "Forward annual income, gross and net of estimated withholding, its sources, a projection by year, and how it falls across months. All in the user's preferred currency.",
        path: "/api/v1/income",
        asks_outside: false,
    },
    Line {
        name: "get_upcoming_dividends",
        title: "Upcoming dividends",
        description: "Ex-dates and payments of the user's positions in the next days, declared ones and estimates told apart, with the amounts expected.",
        path: "/api/v1/upcoming",
        asks_outside: false,
    },
    Line {
        name: "dividend_calendar",
        title: "Dividend calendar",
        description: "Ex-dates of all stocks that the service follows, not only the user's own, in the next days.",
        path: "/api/v1/calendar",
        asks_outside: false,
    },
    Line {
        name: "search_stocks",
        title: "Search stocks",
        description: "Finds stocks by symbol, name or ISIN. Use it to learn the symbol that get_stock takes.",
        path: "/api/v1/stocks",
        asks_outside: true,
    },
    Line {
        name: "get_stock",
        title: "Stock",
        description: "One stock: price, dividend rate, yield against its own average, growth, streak, next dates, safety with its reasons, scores.",
        path: "/api/v1/stocks/{symbol}",
        asks_outside: true,
    },
    Line {
        name: "get_me",
        title: "About the user",
        description: "Whose account this is: name, preferred currency and tax residence.",
        path: "/api/v1/me",
        asks_outside: false,
    },
];

/// A tool, and the request that it stands for.
pub struct Operation {
    pub tool: Tool,
    pub path: &'static str,
    pub parameters: Vec<Parameter>,
}

/// In the order of the table, which clients see.
pub fn all(openapi: &Value) -> Vec<Operation> {
    TABLE.iter().map(|line| operation(line, openapi)).collect()
}

fn operation(line: &Line, openapi: &Value) -> Operation {
    let described = &openapi["paths"][line.path]["get"];
    let parameters: Vec<Parameter> = described["parameters"].as_array().into_iter().flatten().filter_map(Parameter::of).collect();
    let output = &described["responses"]["200"]["content"]["application/json"]["schema"];
    let hints =
        ToolAnnotations::with_title(line.title).read_only(true).destructive(false).idempotent(true).open_world(line.asks_outside);
    let mut tool = Tool::new(line.name, line.description, Arc::new(schemas::input(&parameters)));
    tool.title = Some(line.title.to_owned());
    tool.annotations = Some(hints);
    tool.output_schema = Some(Arc::new(schemas::output(output, openapi)));
    Operation { tool, path: line.path, parameters }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::openapi::DOCUMENT_3_1;

    #[test]
    fn every_operation_of_the_api_but_its_description_is_a_tool() {
        let tools = all(&DOCUMENT_3_1);
        let mut paths: Vec<&str> = tools.iter().map(|operation| operation.path).collect();
        paths.sort_unstable();
        let described = DOCUMENT_3_1["paths"].as_object().unwrap().keys().map(String::as_str);
        let mut expected: Vec<&str> = described.filter(|path| !path.contains("openapi")).collect();
        expected.sort_unstable();
        assert_eq!(paths, expected);
    }

    #[test]
    fn a_tool_has_the_parameters_of_its_operation() {
        let tools = all(&DOCUMENT_3_1);
        let names = |name: &str| {
            let found = tools.iter().find(|operation| operation.tool.name == name).unwrap();
            found.parameters.iter().map(|parameter| parameter.name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(names("get_dividends"), ["symbol", "from", "to", "portfolio"]);
        assert_eq!(names("get_stock"), ["symbol"]);
        assert!(names("get_me").is_empty());
    }
}
