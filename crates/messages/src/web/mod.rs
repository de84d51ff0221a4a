//! The texts of the pages, one file per page.

use crate::Keys;

pub const KEYS: &[Keys] = &[];
