//! The tools. Each one is an operation of the API.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;
use serving::resolved;

use super::arguments::Parameter;
use super::schemas;

/// A line of the table below.
struct Line {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    path: &'static str,
    /// Whether it may query a market-data provider.
    asks_outside: bool,
}

/// Also served without a token.
const PUBLIC: [&str; 3] = ["dividend_calendar", "search_stocks", "get_stock"];

const TABLE: [Line; 16] = [
    Line {
        name: "list_portfolios",
        title: "Portfolios",
        description: "The user's portfolios, default first. Use a name or slug from here as `portfolio` in the other tools.",
        path: "/api/v1/portfolios",
        asks_outside: false,
    },
    Line {
        name: "get_status",
        title: "Status",
        description: "An overview in one call: expected annual income, net dividends received and still expected this month, those of the last 12 months, the next payment, the items of the next 14 days, how many positions have data, and notices such as missing payments or old market data. Totals are in the user's preferred currency.",
        path: "/api/v1/status",
        asks_outside: false,
    },
    Line {
        name: "get_holdings",
        title: "Holdings",
        description: "The user's open positions: shares and average cost per share, in each stock's trading currency. Has no prices or income: use get_valuation for those.",
        path: "/api/v1/holdings",
        asks_outside: false,
    },
    Line {
        name: "get_dividends",
        title: "Dividends received",
        description: "Dividends the user has received, newest first: gross, withholding tax and net, in the currency of each payment. Filter by ticker, portfolio or payment date. Use it for questions about the past.",
        path: "/api/v1/dividends",
        asks_outside: false,
    },
    Line {
        name: "get_income_outlook",
        title: "Income outlook",
        description: "Dividend income expected over the next 12 months, gross and after estimated withholding tax: by holding, projected by year, and spread over the months. All amounts are in the user's preferred currency.",
        path: "/api/v1/income",
        asks_outside: false,
    },
    Line {
        name: "get_upcoming_dividends",
        title: "Upcoming dividends",
        description: "The user's upcoming dividends: ex-dividend and payment dates, with expected gross and net amounts in each stock's currency. `declared` tells announced payments from estimates. Includes watchlist stocks, without amounts.",
        path: "/api/v1/upcoming",
        asks_outside: false,
    },
    Line {
        name: "get_valuation",
        title: "Valuation",
        description: "What the user's open positions are worth at the last stored prices: value, cost, gain, yield, yield on cost, expected income and shares of the total of each position, and the totals, in the user's preferred currency. `own` has value, cost and gain in the stock's trading currency. `unpriced` and `without_cost` name what totals leave out.",
        path: "/api/v1/valuation",
        asks_outside: false,
    },
    Line {
        name: "get_received",
        title: "Received and expected",
        description: "Dividends received in a period (by default the last 24 months), by month and by stock, gross and net, next to what the user's shares were entitled to. `missing` lists payments that nobody recorded, `different` those recorded with another amount. Totals are in the user's preferred currency, listed payments in their own.",
        path: "/api/v1/received",
        asks_outside: false,
    },
    Line {
        name: "get_transactions",
        title: "Transactions",
        description: "The user's recorded transactions of every type, newest first: purchases, sales, dividends, splits, transfers and returns of capital, with amounts as recorded. Filter by ticker, type, portfolio or date. A long list comes in parts: pass `next_cursor` as `cursor` to get the next one.",
        path: "/api/v1/transactions",
        asks_outside: false,
    },
    Line {
        name: "get_radar",
        title: "Watchlist",
        description: "The user's watchlist: stored price, yield, safety and next ex-dividend date of each stock, the user's price or yield target, whether it is reached, and by how many percent the price has to fall to reach it.",
        path: "/api/v1/radar",
        asks_outside: false,
    },
    Line {
        name: "what_if",
        title: "What if",
        description: "What buying a stock today would change, without recording anything: annual income, net income, yield, months and the position before and after, the cost at the last stored price, and the yield of the purchase. Takes a number of shares, or an amount in the user's preferred currency. The stock does not have to be held.",
        path: "/api/v1/whatif",
        asks_outside: false,
    },
    Line {
        name: "explain_figure",
        title: "Explain a figure",
        description: "How a figure of the user's portfolio or of a stock came about: the rule and its inputs, down to transactions, payments, exchange rates and rows of the withholding-tax table, each with its source and date.",
        path: "/api/v1/explain",
        asks_outside: false,
    },
    Line {
        name: "dividend_calendar",
        title: "Dividend calendar",
        description: "Upcoming ex-dividend dates of all stocks this server tracks, not only the user's own. Use get_upcoming_dividends for the user's own payments.",
        path: "/api/v1/calendar",
        asks_outside: false,
    },
    Line {
        name: "search_stocks",
        title: "Search stocks",
        description: "Finds stocks by ticker or company name, given as `query`. Use it to find the symbol for get_stock.",
        path: "/api/v1/stocks",
        asks_outside: true,
    },
    Line {
        name: "get_stock",
        title: "Stock",
        description: "The dividend profile of one stock: price, annual dividend per share, yield and its 5-year average, growth, streak, next dates, safety rating with reasons, and scores from 0 to 10. Amounts are in the stock's trading currency.",
        path: "/api/v1/stocks/{symbol}",
        asks_outside: true,
    },
    Line {
        name: "get_me",
        title: "About the user",
        description: "The user's name, e-mail address and preferred currency. Use it to know which currency totals are in.",
        path: "/api/v1/me",
        asks_outside: false,
    },
];

/// A tool and the API request behind it.
pub struct Operation {
    pub tool: Tool,
    pub path: &'static str,
    pub parameters: Vec<Parameter>,
}

/// Clients show the tools in this order.
pub fn all(openapi: &Value) -> Vec<Operation> {
    TABLE.iter().map(|line| operation(line, openapi)).collect()
}

pub fn public(openapi: &Value) -> Vec<Operation> {
    all(openapi).into_iter().filter(|operation| PUBLIC.contains(&&*operation.tool.name)).collect()
}

fn operation(line: &Line, openapi: &Value) -> Operation {
    let described = &openapi["paths"][line.path]["get"];
    let parameters = described["parameters"].as_array().into_iter().flatten();
    let parameters: Vec<Parameter> = parameters.filter_map(|one| Parameter::parse(resolved(openapi, one))).collect();
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
