//! For `fuzz/` alone.

use jiff::civil::date;
use url::Url;

use super::{chart, consent, quote, search, session, summary, timeseries};
use crate::fuzzed::{dividends, profile, splits, told};
use crate::http_client::Response;

pub(crate) fn read(response: &Response) {
    let day = date(2020, 1, 1);
    if let Some(chart) = told(chart::parse(response, day)) {
        dividends(Ok(chart.dividends));
        splits(Ok(chart.splits));
        assert!(chart.closes.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
    crate::fuzzed::quote(chart::parse_quote(response, "KO"));
    told(quote::parse(response)).into_iter().flatten().for_each(|quote| crate::fuzzed::quote(Ok(quote)));
    profile(summary::parse(response, "KO", day));
    told(search::parse(response));
    told(timeseries::cover(response));
    told(session::crumb(response));
    if let Ok(page) = Url::parse("https://example.com/consent") {
        told(consent::next(&page, response));
    }
}
