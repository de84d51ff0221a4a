//! For `fuzz/` only.

use jiff::civil::date;
use url::Url;

use super::{chart, consent, quote, search, session, summary, timeseries};
use crate::fuzzed::properties::{self, dividends, profile, splits, understood};
use crate::http_client::Response;

pub(crate) fn read(response: &Response) {
    let day = date(2020, 1, 1);
    if let Some(chart) = understood(chart::parse(response, day)) {
        dividends(Ok(chart.dividends));
        splits(Ok(chart.splits));
        assert!(chart.closes.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
    properties::quote(chart::parse_quote(response, "KO"));
    understood(quote::parse(response)).into_iter().flatten().for_each(|quote| properties::quote(Ok(quote)));
    profile(summary::parse(response, "KO", day));
    understood(search::parse(response));
    understood(timeseries::cover(response));
    understood(session::crumb(response));
    if let Ok(page) = Url::parse("https://example.com/consent") {
        understood(consent::next(&page, response));
    }
}
