//! For `fuzz/` only.

use super::{csv, fields, xml, zip};
use crate::fuzzed::properties::understood;
use crate::http_client::Response;

pub(crate) fn read(response: &Response) {
    let plain = csv::read(&mut &response.bytes[..]);
    let zipped = zip::read(&response.bytes, csv::read);
    for rates in [plain, zipped, response.text().and_then(xml::read)] {
        let rates = understood(rates.and_then(fields::validated)).unwrap_or_default();
        assert!(rates.iter().all(|rate| rate.rate.is_sign_positive()));
    }
}
