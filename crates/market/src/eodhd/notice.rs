//! Messages in place of data.

use jiff::Timestamp;
use serde::de::DeserializeOwned;

use crate::fault::{Denial, Fault, Offer};
use crate::http_client::Response;
use crate::keyed::until_midnight;

pub(super) fn data<T: DeserializeOwned>(response: &Response) -> Result<T, Fault> {
    match complaint(response, Timestamp::now()) {
        Some(fault) => Err(fault),
        None => response.success()?.json(),
    }
}

pub fn complaint(response: &Response, now: Timestamp) -> Option<Fault> {
    let status = response.status.as_u16();
    // The quota of the day is used up.
    if status == 402 {
        return Some(Fault::Throttled(until_midnight(now)));
    }
    let text = String::from_utf8_lossy(&response.bytes[..response.bytes.len().min(500)]).to_lowercase();
    // An unknown key is reported by a bare word, with any status.
    let unknown_key = text.trim() == "unauthenticated";
    let of_plan = ["plan", "upgrade", "subscri", "free user"].iter().any(|word| text.contains(word));
    match status {
        401 | 403 if of_plan => Some(Fault::Unsupported(Offer::Plan)),
        401 | 403 => Some(Fault::Denied(Denial::Key { setting: "DRIPLINE_EODHD_KEY".to_owned() })),
        _ if unknown_key => Some(Fault::Denied(Denial::Key { setting: "DRIPLINE_EODHD_KEY".to_owned() })),
        _ => None,
    }
}
