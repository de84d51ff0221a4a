//! Portfolios.

use app::refusal::Portfolio as Refusal;

use crate::Language;

crate::texts! { Portfolio = "error-portfolio" {
    ; too_many(max), named_twice(name), name_taken(name), name_length(max), slug_taken(slug), slug_malformed(slug, min, max),
} }

pub fn text(language: &'static Language, refusal: &Refusal) -> String {
    let texts = Portfolio::load(language);
    match refusal {
        Refusal::TooMany { max } => texts.too_many(*max),
        Refusal::NamedTwice { name } => texts.named_twice(name.as_str()),
        Refusal::NameTaken { name } => texts.name_taken(name.as_str()),
        Refusal::NameLength { max } => texts.name_length(*max),
        Refusal::SlugTaken { slug } => texts.slug_taken(slug.as_str()),
        Refusal::SlugMalformed { slug, min, max } => texts.slug_malformed(slug.as_str(), *min, *max),
    }
}
