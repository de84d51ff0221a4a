//! What commands print about what they did.

use crate::Keys;

pub const KEYS: &[Keys] = &[Import::KEYS, MarketStatus::KEYS];

crate::texts! { Import = "command-import" {;
    added(new, rows), would_add(new, rows), merged(n), duplicates(n), repeated(n), skipped(n), announced(n), errors(n, rows),
    undone(file, email, n), matched(matches, n),
} }

crate::texts! { MarketStatus = "command-market_status" {;
    requests(n, day), rejected(n),
} }
