//! For `fuzz/` only: any answer of a provider, and what must hold for what is read from it.

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use crate::http_client::Response;
use crate::provider::{Dividend, Profile, Quote, Split};
use crate::{Fault, alphavantage, ecb, eodhd, files, fmp, yahoo};

/// Any bytes as the answer of each provider, with a good and a bad status.
pub fn answer(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    for status in [StatusCode::OK, StatusCode::FORBIDDEN, StatusCode::NOT_FOUND] {
        let response = Response { status, headers: HeaderMap::new(), bytes: Bytes::copy_from_slice(bytes) };
        match first % 5 {
            0 => yahoo::fuzzed::read(&response),
            1 => fmp::fuzzed::read(&response),
            2 => alphavantage::fuzzed::read(&response),
            3 => eodhd::fuzzed::read(&response),
            _ => ecb::fuzzed::read(&response),
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

pub(crate) fn dividends(read: Result<Vec<Dividend>, Fault>) {
    let dividends = understood(read).unwrap_or_default();
    assert!(dividends.windows(2).all(|pair| pair[0].ex_date <= pair[1].ex_date), "they are not in the order of their days");
    assert!(dividends.iter().all(|dividend| dividend.amount.is_sign_positive()));
}

pub(crate) fn splits(read: Result<Vec<Split>, Fault>) {
    let splits = understood(read).unwrap_or_default();
    assert!(splits.windows(2).all(|pair| pair[0].date <= pair[1].date), "they are not in the order of their days");
    assert!(splits.iter().all(|split| split.ratio.new.is_sign_positive() && split.ratio.old.is_sign_positive()));
}

pub(crate) fn quote(read: Result<Quote, Fault>) {
    assert!(understood(read).is_none_or(|quote| quote.price.is_sign_positive()));
}

pub(crate) fn profile(read: Result<Profile, Fault>) {
    let Some(profile) = understood(read) else { return };
    let prices = [profile.ma50, profile.ma200, profile.low52, profile.high52, profile.pe, profile.forward_rate];
    assert!(prices.into_iter().flatten().all(|figure| figure.is_sign_positive()));
}

/// A log line about an error is a single line and not too long, even if it escapes every letter that it quotes.
pub(crate) fn understood<T>(read: Result<T, Fault>) -> Option<T> {
    let fault = match read {
        Ok(answer) => return Some(answer),
        Err(fault) => fault.to_string(),
    };
    assert!(!fault.chars().any(char::is_control) && fault.chars().count() < 5_000, "{fault:?}");
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fuzzed_properties_hold_for_sample_answers() {
        let bodies = [
            "",
            "{}",
            "[]",
            "Too Many Requests",
            r#"{"chart":{"result":[{"meta":{"symbol":"A","currency":"GBp","gmtoffset":0},"events":{"dividends":{"1":{"amount":1e-28,"date":1}},
                "splits":{"2":{"date":99999,"numerator":2,"denominator":1}}}}]}}"#,
            r#"[{"symbol":"A","date":"2026-01-02","dividend":1e-28,"price":1e-28,"numerator":3,"denominator":2}]"#,
            r#"{"data":[{"ex_dividend_date":"2026-01-02","amount":"0.5"}]}"#,
            "Date,USD,\n2026-01-02,1.1,\n",
            "<Cube time='2026-01-02'><Cube currency='USD' rate='1.1'/></Cube>",
        ];
        for body in bodies {
            for provider in 0..5 {
                answer(&[&[provider], body.as_bytes()].concat());
                file(&[&[provider], body.as_bytes()].concat());
            }
        }
    }
}
