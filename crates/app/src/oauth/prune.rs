//! Deletes what is no longer needed when something of its kind is added.

use store::oauth::{clients, codes, device_codes};
use store::{Error, Tx};

use super::{DAY, MINUTE};

/// A used code is kept after it expires, so that a second use is noticed.
const CODES_KEPT: i64 = 10 * MINUTE;

pub(super) async fn clients(tx: &mut Tx, now: i64) -> Result<(), Error> {
    // A document can be fetched again.
    clients::delete_unused(tx, now - DAY, now - 60 * MINUTE).await.map(drop)
}

pub(super) async fn codes(tx: &mut Tx, now: i64) -> Result<(), Error> {
    codes::delete_before(tx, now - CODES_KEPT).await.map(drop)
}

pub(super) async fn device_codes(tx: &mut Tx, now: i64) -> Result<(), Error> {
    device_codes::delete_before(tx, now - CODES_KEPT).await.map(drop)
}
