//! Market data: purchases to consider, the watchlist, look-ups, tracking, and loading files.

use app::refusal::{Lookup, Market, Purchase, Watchlist};
use market::ConfigError;
use market::files::{Problem, Reason, Subject};

use crate::{Keys, Language, described, providers};

pub const KEYS: &[Keys] = &[Files::KEYS, PURCHASE, WATCHLIST, LOOKUP, MARKET, SETTINGS, REASON, CONFLICT];

crate::texts! { Files = "error-files" {;
    in_file(file, reason), in_line(file, line, reason),
} }

described! { PURCHASE = "error-purchase": pub fn purchase(language; Purchase) {
    NoData { symbol } => no_data(symbol),
    NoPrice { symbol } => no_price(symbol),
    NoRate { from, to } => no_rate(from, to),
    OutOfRange => out_of_range,
} }

described! { WATCHLIST = "error-market": pub fn watchlist(language; Watchlist) {
    NotWatched { symbol } => not_watched(symbol),
    TargetYield => target_yield,
    TargetPrice => target_price,
} }

described! { LOOKUP = "error-market": pub fn lookup(language; Lookup) {
    NoProvider { symbol } => no_market_data(symbol),
    Unknown { symbol } => unknown_symbol(symbol),
    Failed { symbol, failure } => lookup_failed(symbol, cause = providers::failure(language, failure)),
    ImplausiblePrice { symbol, price, reason } => implausible_price(symbol, price, reason = providers::reason(language, reason)),
} }

described! { MARKET = "error-market": pub fn text(language; Market) {
    NotTracked { symbol } => not_tracked(symbol),
    NoDividends { symbol } => no_dividends(symbol),
    NoDividendOn { symbol, date, near } => no_dividend_on(symbol, date, near = near.join(", ")),
    SeveralDividends { symbol, date, rows } => several_dividends(symbol, date, rows = rows.join(", ")),
    NoProvider => no_provider,
    NotOwner => not_owner,
    ConfiguredByOperator => configured_by_operator,
    NotOffered { provider } => not_offered(provider),
    ChosenTwice { provider } => chosen_twice(provider),
    ChosenWithoutKey { provider } => chosen_without_key(provider),
    MalformedKey { provider, max } => malformed_key(provider, max);
    Settings { error } => settings(language, error),
} }

described! { SETTINGS = "error-market": fn settings(language; ConfigError) {
    UnknownProvider { name } => unknown_provider(name, names = market::NAMES.join(", ")),
    KeyMissing { provider } => key_missing(provider, setting = setting(provider, "KEY")),
    MalformedUrl { provider } => malformed_url(setting = setting(provider, "URL")),
    HttpClient { cause } => http_client(cause),
} }

fn setting(provider: &str, end: &str) -> String {
    format!("DRIPLINE_{}_{end}", provider.to_uppercase())
}

/// What is wrong with a market file, and where.
pub fn file_problem(language: &'static Language, problem: &Problem) -> String {
    let texts = Files::load(language);
    let reason = reason(language, &problem.reason);
    match problem.line {
        0 => texts.in_file(problem.file.as_str(), reason),
        line => texts.in_line(problem.file.as_str(), line, reason),
    }
}

described! { REASON = "error-files": fn reason(language; Reason) {
    Unreadable { cause } => unreadable(cause),
    EmptyFolder => empty_folder(names = market::files::NAMES.join(", ")),
    HeaderNotUtf8 => header_not_utf8,
    UnknownColumn { column, columns } => unknown_column(column, columns = columns.join(", ")),
    ColumnTwice { column } => column_twice(column),
    MalformedLine => malformed_line,
    Missing { column } => missing(column),
    MalformedSymbol { text } => malformed_symbol(text),
    MalformedNumber { column, text } => malformed_number(column, text),
    NotPositive { column, figure } => not_positive(column, figure = figure.to_string()),
    PayoutNotFraction { figure } => payout_not_fraction(figure = figure.to_string()),
    MalformedDate { column, text } => malformed_date(column, text),
    MalformedInstant { column, text } => malformed_instant(column, text),
    MalformedBoolean { column, text } => malformed_boolean(column, text),
    UnknownCurrency { text } => unknown_currency(text),
    UnknownKind { text } => unknown_kind(text),
    MalformedRatio { text } => malformed_ratio(text),
    RatePerHundredth { currency } => rate_per_hundredth(currency),
    UnknownSymbol { symbol } => unknown_symbol(symbol),
    DividendTwice { symbol, date, currency } => dividend_twice(symbol, date, currency);
    Conflict { subject, first_line } => conflict(language, *first_line, subject),
} }

described! { CONFLICT = "error-files": fn conflict(language, line: u64; Subject) {
    Stock { symbol } => stock_conflict(symbol, line),
    Dividend { symbol, date } => dividend_conflict(symbol, date, line),
    Split { symbol, date } => split_conflict(symbol, date, line),
    Close { symbol, date } => close_conflict(symbol, date, line),
    Rate { currency, date } => rate_conflict(currency, date, line),
} }
