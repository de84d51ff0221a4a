//! The market data that a position depends on.

use ledger::{Currency, Split};
use sha2::{Digest, Sha256};

#[derive(Clone, Copy, Default)]
pub struct Traded<'a> {
    /// Set if market data has confirmed the symbol.
    pub currency: Option<Currency>,
    pub splits: &'a [Split],
    /// [`fingerprint`] of the splits.
    pub mark: u64,
}

/// The same for the same splits; zero for none.
pub fn fingerprint(splits: &[Split]) -> u64 {
    if splits.is_empty() {
        return 0;
    }
    let mut hash = Sha256::new();
    for Split { date, ratio } in splits {
        hash.update(format!("{date} {}:{};", ratio.new, ratio.old));
    }
    let digest: [u8; 32] = hash.finalize().into();
    digest.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
