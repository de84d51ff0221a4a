//! For `fuzz/` only.

use jiff::Timestamp;
use ledger::{Currency, QuoteUnit};

use super::{dividends, prices, profile, search, splits};
use crate::fuzzed::properties::{self, understood};
use crate::http_client::Response;

pub(crate) fn read(response: &Response) {
    let unit = QuoteUnit::from(Currency::EUR);
    let listed = understood(dividends::read(response)).unwrap_or_default();
    properties::dividends(Ok(listed.into_iter().map(|listed| listed.dividend).collect()));
    properties::splits(splits::read(response).map(|(_, splits)| splits));
    properties::quote(prices::read_quote(response, "KO", unit, Timestamp::UNIX_EPOCH));
    understood(prices::read_averages(response, unit));
    let closes = understood(prices::read_closes(response, unit)).unwrap_or_default();
    assert!(closes.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    properties::profile(profile::read(response));
    understood(profile::read_ratios(response));
    understood(profile::read_cover(response));
    understood(search::read(response));
}
