//! Calls every operation with the generated client, and prints a figure of each answer.

use client::apis::account_api::{get_me, list_portfolios};
use client::apis::configuration::Configuration;
use client::apis::ledger_api::{
    explain_figure, get_income, get_radar, get_received, get_status, get_valuation, list_dividends, list_holdings,
    list_transactions, list_upcoming, what_if,
};
use client::apis::meta_api::{get_open_api, get_open_api31};
use client::apis::stocks_api::{GetStockError, get_calendar, get_stock, search_stocks};
use client::apis::{Error, ResponseContent};
use client::models::error_body::Code;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let base_path = arguments.next().unwrap();
    let api = &Configuration { base_path, bearer_access_token: arguments.next(), ..Configuration::default() };
    let year = Some("2026-01-01".to_owned());

    println!("getMe {}", get_me(api)?.preferred_currency);
    println!("listPortfolios {}", list_portfolios(api)?.portfolios[0].name);
    println!("listHoldings {}", list_holdings(api, Some("Core"))?.holdings[0].average_cost.amount);
    println!("listDividends {}", list_dividends(api, Some("KO"), year.clone(), None, None)?.dividends[0].net.amount);
    println!("getIncome {}", get_income(api, Some(3), Some(true), None)?.income_year.unwrap().by_month["1"].amount);
    println!("listUpcoming {}", list_upcoming(api, Some(90), None)?.expected_net_total.amount);
    println!("getStatus {}", get_status(api, None)?.next.unwrap().expected.unwrap().amount);
    println!("getValuation {}", get_valuation(api, None)?.totals.gain.amount);
    println!("getReceived {}", get_received(api, year, None, None)?.months[0].net.amount);
    let transactions = list_transactions(api, None, None, None, Some("dividend"), None, None, Some(2))?;
    println!("listTransactions {}", transactions.next_cursor.unwrap());
    println!("getRadar {}", get_radar(api)?.stocks[0].price.as_ref().unwrap().amount);
    println!("whatIf {}", what_if(api, "KO", Some("50"), None, None)?.added_net_income.unwrap().amount);
    println!("explainFigure {}", explain_figure(api, "annual_income", None, None)?.value.unwrap());
    println!("getCalendar {}", get_calendar(api, Some(90))?.stocks[0].ex_dividend_date);
    println!("searchStocks {}", search_stocks(api, "coca")?.results[0].name.as_ref().unwrap());
    println!("getStock {}", get_stock(api, "MSFT")?.dividend.safety);
    println!("getOpenApi {}", get_open_api(api)?["openapi"].as_str().unwrap());
    println!("getOpenApi31 {}", get_open_api31(api)?["openapi"].as_str().unwrap());

    let unknown = get_stock(api, "NONE");
    if let Err(Error::ResponseError(ResponseContent { entity: Some(GetStockError::Status404(body)), .. })) = unknown
        && body.error.code == Code::NotFound
    {
        println!("error not_found");
    }
    Ok(())
}
