//! How a row is recognised when it comes again without an id of its own.

use sha2::{Digest, Sha256};

use crate::Record;

/// A key of what the row says: equal for the same event whatever its spelling of decimals, note or name. The caller
/// adds the number of equal rows before it, so that two genuine equal fills stay two.
pub fn content_key(record: &Record, symbol: &str) -> String {
    let decimal = |figure: Option<ledger::Decimal>| figure.map(|figure| figure.normalize().to_string()).unwrap_or_default();
    let fields = [
        record.date.to_string(),
        record.kind.word().to_owned(),
        symbol.to_owned(),
        decimal(record.shares),
        decimal(record.price),
        decimal(record.amount),
        decimal(record.fees),
        decimal(record.tax),
        decimal(record.net),
        record.currency.map(|currency| currency.to_string()).unwrap_or_default(),
        decimal(record.fx_rate),
        record.ratio.map(|ratio| ratio.to_string()).unwrap_or_default(),
        record.ex_date.map(|date| date.to_string()).unwrap_or_default(),
    ];
    let digest = Sha256::digest(fields.join("\u{1f}").as_bytes());
    digest[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}
