//! Market data: the watchlist, look-ups, tracking, and loading files.

use app::refusal;
use market::ConfigError;
use market::files::{Problem, Reason, Subject};

use crate::{Language, providers};

crate::texts! { Market = "error-market" {
    target_yield, target_price, no_provider;
    not_watched(symbol), no_market_data(symbol), unknown_symbol(symbol), lookup_failed(symbol, cause),
    implausible_price(symbol, price, reason), not_tracked(symbol), unknown_provider(name, names), key_missing(provider, setting),
    malformed_url(setting), http_client(cause),
} }

crate::texts! { Files = "error-files" {
    header_not_utf8, malformed_line;
    in_file(file, reason), in_line(file, line, reason), unreadable(cause), empty_folder(names), unknown_column(column, columns),
    column_twice(column), missing(column), malformed_symbol(text), malformed_number(column, text), not_positive(column, figure),
    malformed_date(column, text), malformed_instant(column, text), malformed_boolean(column, text), unknown_currency(text),
    unknown_kind(text), malformed_ratio(text), rate_per_hundredth(currency), unknown_symbol(symbol),
    dividend_twice(symbol, date, currency), stock_conflict(symbol, line), dividend_conflict(symbol, date, line),
    split_conflict(symbol, date, line), close_conflict(symbol, date, line), rate_conflict(currency, date, line),
} }

pub fn watchlist(language: &'static Language, refusal: &refusal::Watchlist) -> String {
    use refusal::Watchlist as Refusal;
    let texts = Market::load(language);
    match refusal {
        Refusal::NotWatched { symbol } => texts.not_watched(symbol.as_str()),
        Refusal::TargetYield => texts.target_yield.to_owned(),
        Refusal::TargetPrice => texts.target_price.to_owned(),
    }
}

pub fn lookup(language: &'static Language, refusal: &refusal::Lookup) -> String {
    use refusal::Lookup as Refusal;
    let texts = Market::load(language);
    match refusal {
        Refusal::NoProvider { symbol } => texts.no_market_data(symbol.as_str()),
        Refusal::Unknown { symbol } => texts.unknown_symbol(symbol.as_str()),
        Refusal::Failed { symbol, failure } => texts.lookup_failed(symbol.as_str(), providers::failure(language, failure)),
        Refusal::ImplausiblePrice { symbol, price, reason } => {
            texts.implausible_price(symbol.as_str(), price.as_str(), providers::reason(language, reason))
        }
    }
}

pub fn text(language: &'static Language, refusal: &refusal::Market) -> String {
    use refusal::Market as Refusal;
    let texts = Market::load(language);
    match refusal {
        Refusal::NotTracked { symbol } => texts.not_tracked(symbol.as_str()),
        Refusal::NoProvider => texts.no_provider.to_owned(),
        Refusal::Settings { error } => settings(&texts, error),
    }
}

fn settings(texts: &Market, error: &ConfigError) -> String {
    let setting = |provider: &str, end: &str| format!("DRIPLINE_{}_{end}", provider.to_uppercase());
    match error {
        ConfigError::UnknownProvider { name } => texts.unknown_provider(name.as_str(), market::NAMES.join(", ")),
        ConfigError::KeyMissing { provider } => texts.key_missing(*provider, setting(provider, "KEY")),
        ConfigError::MalformedUrl { provider } => texts.malformed_url(setting(provider, "URL")),
        ConfigError::HttpClient { cause } => texts.http_client(cause.as_str()),
    }
}

/// What is wrong with a market file, and where.
pub fn file_problem(language: &'static Language, problem: &Problem) -> String {
    let texts = Files::load(language);
    let reason = reason(&texts, &problem.reason);
    match problem.line {
        0 => texts.in_file(problem.file.as_str(), reason),
        line => texts.in_line(problem.file.as_str(), line, reason),
    }
}

fn reason(texts: &Files, reason: &Reason) -> String {
    match reason {
        Reason::Unreadable { cause } => texts.unreadable(cause.as_str()),
        Reason::EmptyFolder => texts.empty_folder(market::files::NAMES.join(", ")),
        Reason::HeaderNotUtf8 => texts.header_not_utf8.to_owned(),
        Reason::UnknownColumn { column, columns } => texts.unknown_column(column.as_str(), columns.join(", ")),
        Reason::ColumnTwice { column } => texts.column_twice(column.as_str()),
        Reason::MalformedLine => texts.malformed_line.to_owned(),
        Reason::Missing { column } => texts.missing(*column),
        Reason::MalformedSymbol { text } => texts.malformed_symbol(text.as_str()),
        Reason::MalformedNumber { column, text } => texts.malformed_number(*column, text.as_str()),
        Reason::NotPositive { column, figure } => texts.not_positive(*column, figure.to_string()),
        Reason::MalformedDate { column, text } => texts.malformed_date(*column, text.as_str()),
        Reason::MalformedInstant { column, text } => texts.malformed_instant(*column, text.as_str()),
        Reason::MalformedBoolean { column, text } => texts.malformed_boolean(*column, text.as_str()),
        Reason::UnknownCurrency { text } => texts.unknown_currency(text.as_str()),
        Reason::UnknownKind { text } => texts.unknown_kind(text.as_str()),
        Reason::MalformedRatio { text } => texts.malformed_ratio(text.as_str()),
        Reason::RatePerHundredth { currency } => texts.rate_per_hundredth(currency.to_string()),
        Reason::Conflict { subject, first_line } => conflict(texts, subject, *first_line),
        Reason::UnknownSymbol { symbol } => texts.unknown_symbol(symbol.as_str()),
        Reason::DividendTwice { symbol, date, currency } => {
            texts.dividend_twice(symbol.as_str(), date.to_string(), currency.to_string())
        }
    }
}

fn conflict(texts: &Files, subject: &Subject, line: u64) -> String {
    match subject {
        Subject::Stock { symbol } => texts.stock_conflict(symbol.as_str(), line),
        Subject::Dividend { symbol, date } => texts.dividend_conflict(symbol.as_str(), date.to_string(), line),
        Subject::Split { symbol, date } => texts.split_conflict(symbol.as_str(), date.to_string(), line),
        Subject::Close { symbol, date } => texts.close_conflict(symbol.as_str(), date.to_string(), line),
        Subject::Rate { currency, date } => texts.rate_conflict(currency.to_string(), date.to_string(), line),
    }
}
