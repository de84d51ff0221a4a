mod chart;
mod dividends;
mod profile;
mod quote;
mod recordings;
mod search;
mod session;

use market::Response;

use crate::response;

/// Yahoo's answer for an unknown symbol at each endpoint.
fn not_found(address: &str) -> Response {
    let error = r#"{"code":"Not Found","description":"No data found, symbol may be delisted"}"#;
    response(404, &format!(r#"{{"{address}":{{"result":null,"error":{error}}}}}"#))
}
