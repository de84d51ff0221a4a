//! For `fuzz/` only.

use jiff::Timestamp;
use jiff::civil::date;
use ledger::{Currency, QuoteUnit};

use super::{history, listing, overview};
use crate::fuzzed::properties::{dividends, profile, quote, splits, understood};
use crate::http_client::Response;

pub(crate) fn read(response: &Response) {
    let unit = QuoteUnit::from(Currency::EUR);
    dividends(history::read_dividends(response));
    splits(history::read_splits(response).map(|(_, splits)| splits));
    quote(listing::read_quote(response, "KO", unit, Timestamp::UNIX_EPOCH));
    understood(listing::read_search(response));
    profile(listing::read_listed(response, "KO"));
    if let Some(overview) = understood(overview::read(response)) {
        profile(Ok(overview.profile(overview.unit(), date(2026, 1, 1))));
    }
    understood(overview::read_cover(response));
}
