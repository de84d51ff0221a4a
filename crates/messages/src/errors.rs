//! Why something was refused or went wrong, in words.

use crate::Keys;

pub const KEYS: &[Keys] = &[];
