//! What can go wrong with a database, told apart by what the caller does about it.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Busy, unreachable, read-only or full: the same call may succeed later. Nothing was stored, unless the text
    /// says that this is not known.
    #[error("{0}")]
    Unavailable(String),

    /// The file is damaged, or holds a value no version of this program writes.
    #[error("{0}; restore the last good backup with `dripline restore FILE`")]
    Corrupt(String),

    #[error(
        "the database has schema {found}, this program knows schemas up to {known}; nothing was changed: \
         run the newer dripline, or restore a backup made by this one"
    )]
    NewerSchema { found: i64, known: i64 },

    #[error("SQLite {found} can damage a database in WAL mode; build dripline with SQLite 3.51.3 or newer")]
    TooOldSqlite { found: String },

    #[error("{0}")]
    Conflict(Rule),

    /// A mistake in this program, never in its data.
    #[error("{0}; this is a mistake in dripline, please report it")]
    Internal(String),
}

/// The unique rule that a write would have broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// One account per e-mail address, whatever its case.
    Email,
    /// One portfolio of a name per user, whatever its case.
    PortfolioName,
    /// One portfolio of a slug in the whole service.
    Slug,
    /// One default portfolio per user.
    DefaultPortfolio,
    /// One entry of an identity per portfolio.
    EntryIdentity,
    /// One row per id, hash or other key.
    Key,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Email => "there is an account with this e-mail address already; use another address",
            Rule::PortfolioName => "there is a portfolio with this name already; choose another name",
            Rule::Slug => "this slug is taken; choose another one",
            Rule::DefaultPortfolio => "there is a default portfolio already; make it an ordinary one first",
            Rule::EntryIdentity => "this entry is recorded in this portfolio already",
            Rule::Key => "there is a row with this key already",
        })
    }
}
