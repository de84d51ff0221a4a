//! Answers of providers, and files of an offline folder.

use bytes::Bytes;
use jiff::Timestamp;
use jiff::civil::date;
use ledger::{Currency, QuoteUnit};
use market::{Dividend, Fault, Profile, Quote, Response, Split, files};
use reqwest::header::HeaderMap;
use reqwest::{StatusCode, Url};

/// Any bytes as the answer of each provider, with a good and a bad status.
pub fn answer(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    for status in [StatusCode::OK, StatusCode::FORBIDDEN, StatusCode::NOT_FOUND] {
        let response = Response { status, headers: HeaderMap::new(), bytes: Bytes::copy_from_slice(bytes) };
        match first % 5 {
            0 => yahoo(&response),
            1 => fmp(&response),
            2 => alphavantage(&response),
            3 => eodhd(&response),
            _ => ecb(&response),
        }
    }
}

/// Any bytes as one of the files of an offline folder.
pub fn file(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let name = files::NAMES[usize::from(*first) % files::NAMES.len()];
    if let Err(problems) = files::parse([(name, bytes)].into_iter()) {
        assert!(!problems.is_empty() && problems.iter().all(|problem| problem.file == name));
    }
}

fn yahoo(response: &Response) {
    use market::yahoo::{chart, consent, quote, search, session, summary, timeseries};

    let day = date(2020, 1, 1);
    if let Some(chart) = understood(chart::parse(response, day)) {
        check_dividends(Ok(chart.dividends));
        check_splits(Ok(chart.splits));
        assert!(chart.closes.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
    check_quote(chart::parse_quote(response, "KO"));
    understood(quote::parse(response)).into_iter().flatten().for_each(|quote| check_quote(Ok(quote)));
    check_profile(summary::parse(response, "KO", day));
    understood(search::parse(response));
    understood(timeseries::cover(response));
    understood(session::crumb(response));
    if let Ok(page) = Url::parse("https://example.com/consent") {
        understood(consent::next(&page, response));
    }
}

fn fmp(response: &Response) {
    use market::fmp::{dividends, prices, profile, search, splits};

    let unit = QuoteUnit::from(Currency::EUR);
    let listed = understood(dividends::read(response)).unwrap_or_default();
    check_dividends(Ok(listed.into_iter().map(|listed| listed.dividend).collect()));
    check_splits(splits::read(response).map(|(_, splits)| splits));
    check_quote(prices::read_quote(response, "KO", unit, Timestamp::UNIX_EPOCH));
    understood(prices::read_averages(response, unit));
    let closes = understood(prices::read_closes(response, unit)).unwrap_or_default();
    assert!(closes.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    check_profile(profile::read(response));
    understood(profile::read_ratios(response));
    understood(profile::read_cover(response));
    understood(search::read(response));
}

fn alphavantage(response: &Response) {
    use market::alphavantage::{history, listing, overview};

    let unit = QuoteUnit::from(Currency::EUR);
    check_dividends(history::read_dividends(response));
    check_splits(history::read_splits(response).map(|(_, splits)| splits));
    check_quote(listing::read_quote(response, "KO", unit, Timestamp::UNIX_EPOCH));
    understood(listing::read_search(response));
    check_profile(listing::read_listed(response, "KO"));
    if let Some(overview) = understood(overview::read(response)) {
        check_profile(Ok(overview.profile(overview.unit(), date(2026, 1, 1))));
    }
    understood(overview::read_cover(response));
}

fn eodhd(response: &Response) {
    use market::eodhd::{history, listing};

    let unit = QuoteUnit::from(Currency::EUR);
    let known = history::read_splits(response).unwrap_or_default();
    check_splits(history::read_splits(response));
    let listed = understood(history::read_dividends(response)).unwrap_or_default();
    check_dividends(Ok(history::as_paid(listed, Some(&known))));
    let closes = understood(history::read_closes(response)).unwrap_or_default();
    understood(history::adjusted(closes, unit, &known));
    check_quote(listing::read_quote(response, "KO", unit, Timestamp::UNIX_EPOCH));
    for listing in understood(listing::read(response)).unwrap_or_default() {
        check_profile(Ok(listing.profile()));
    }
    for listing in understood(listing::read(response)).unwrap_or_default() {
        let _ = listing.into_match();
    }
}

fn ecb(response: &Response) {
    use market::ecb::{csv, fields, xml, zip};

    let plain = csv::read(&mut &response.bytes[..]);
    let zipped = zip::read(&response.bytes, csv::read);
    for rates in [plain, zipped, response.text().and_then(xml::read)] {
        let rates = understood(rates.and_then(fields::validated)).unwrap_or_default();
        assert!(rates.iter().all(|rate| rate.rate.is_sign_positive()));
    }
}

fn check_dividends(read: Result<Vec<Dividend>, Fault>) {
    let dividends = understood(read).unwrap_or_default();
    assert!(dividends.windows(2).all(|pair| pair[0].ex_date <= pair[1].ex_date), "they are not in the order of their days");
    assert!(dividends.iter().all(|dividend| dividend.amount.is_sign_positive()));
}

fn check_splits(read: Result<Vec<Split>, Fault>) {
    let splits = understood(read).unwrap_or_default();
    assert!(splits.windows(2).all(|pair| pair[0].date <= pair[1].date), "they are not in the order of their days");
    assert!(splits.iter().all(|split| split.ratio.new.is_sign_positive() && split.ratio.old.is_sign_positive()));
}

fn check_quote(read: Result<Quote, Fault>) {
    assert!(understood(read).is_none_or(|quote| quote.price.is_sign_positive()));
}

fn check_profile(read: Result<Profile, Fault>) {
    let Some(profile) = understood(read) else { return };
    let prices = [profile.ma50, profile.ma200, profile.low52, profile.high52, profile.pe, profile.forward_rate];
    assert!(prices.into_iter().flatten().all(|figure| figure.is_sign_positive()));
}

/// A log line about an error is a single line and not too long, even if it escapes every letter that it quotes.
fn understood<T>(read: Result<T, Fault>) -> Option<T> {
    let fault = match read {
        Ok(answer) => return Some(answer),
        Err(fault) => fault.to_string(),
    };
    assert!(!fault.chars().any(char::is_control) && fault.chars().count() < 5_000, "{fault:?}");
    None
}
