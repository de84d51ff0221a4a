//! For `fuzz/` only: any answer of a provider, and what must hold for what is read from it.

pub(crate) mod properties;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use crate::http_client::Response;
use crate::{alphavantage, ecb, eodhd, files, fmp, yahoo};

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
