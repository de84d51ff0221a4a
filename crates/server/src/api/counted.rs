//! For `benches/counts` alone: what is nobody's business otherwise, in its smallest form.

use app::income::Outlook;

use super::income::Income;

/// The body of an answer.
pub fn income_body(outlook: Outlook, years: i64, drip: bool) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Income::new(outlook, years, drip))
}
