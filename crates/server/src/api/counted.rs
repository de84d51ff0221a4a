//! For `benches/counts` only: access to private code.

use app::income::Outlook;

use super::income::Income;

/// The body of a response.
pub fn income_body(outlook: Outlook, years: i64, drip: bool) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Income::new(outlook, years, drip))
}
