//! For `fuzz/` only.

use jiff::Timestamp;
use ledger::{Currency, QuoteUnit};

use super::{history, listing};
use crate::fuzzed::properties::{self, profile, splits, understood};
use crate::http_client::Response;

pub(crate) fn read(response: &Response) {
    let unit = QuoteUnit::from(Currency::EUR);
    let known = history::read_splits(response).unwrap_or_default();
    splits(history::read_splits(response));
    let listed = understood(history::read_dividends(response)).unwrap_or_default();
    properties::dividends(Ok(history::as_paid(listed, Some(&known))));
    let closes = understood(history::read_closes(response)).unwrap_or_default();
    understood(history::adjusted(closes, unit, &known));
    properties::quote(listing::read_quote(response, "KO", unit, Timestamp::UNIX_EPOCH));
    for listing in understood(listing::read(response)).unwrap_or_default() {
        profile(Ok(listing.profile()));
    }
    for listing in understood(listing::read(response)).unwrap_or_default() {
        let _ = listing.into_match();
    }
}
