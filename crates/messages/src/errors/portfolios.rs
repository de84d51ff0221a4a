//! Portfolios.

use app::refusal::Portfolio;

use crate::{Keys, described};

pub const KEYS: &[Keys] = &[PORTFOLIO];

described! { PORTFOLIO = "error-portfolio": pub fn text(language; Portfolio) {
    TooMany { max } => too_many(max),
    NamedTwice { name } => named_twice(name),
    NameTaken { name } => name_taken(name),
    WithoutStock { symbol } => without_stock(symbol),
    NameLength { max } => name_length(max),
    SlugTaken { slug } => slug_taken(slug),
    SlugMalformed { slug, min, max } => slug_malformed(slug, min, max),
} }
