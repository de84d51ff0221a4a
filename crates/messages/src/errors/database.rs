//! What the database has to say, for the operator.

use app::{DatabaseError as Error, Rule};

use crate::Language;

crate::texts! { Database = "error-database" {
    email_taken, portfolio_name_taken, slug_taken, default_portfolio, entry_there, key_there;
    unavailable(cause), corrupt(cause), newer_schema(found, known), old_sqlite(found), internal(cause),
} }

pub fn text(language: &'static Language, error: &Error) -> String {
    let texts = Database::load(language);
    match error {
        Error::Unavailable(cause) => texts.unavailable(cause.as_str()),
        Error::Corrupt(cause) => texts.corrupt(cause.as_str()),
        Error::NewerSchema { found, known } => texts.newer_schema(*found, *known),
        Error::TooOldSqlite { found } => texts.old_sqlite(found.as_str()),
        Error::Conflict(rule) => conflict(&texts, *rule).to_owned(),
        Error::Internal(cause) => texts.internal(cause.as_str()),
    }
}

fn conflict(texts: &Database, rule: Rule) -> &'static str {
    match rule {
        Rule::Email => texts.email_taken,
        Rule::PortfolioName => texts.portfolio_name_taken,
        Rule::Slug => texts.slug_taken,
        Rule::DefaultPortfolio => texts.default_portfolio,
        Rule::EntryIdentity => texts.entry_there,
        Rule::Key => texts.key_there,
    }
}
