//! What is said of an imported file: errors, skipped rows, questions and doubts.

use crate::Keys;

pub const KEYS: &[Keys] = &[];
