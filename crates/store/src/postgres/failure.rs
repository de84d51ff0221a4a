//! From what PostgreSQL says to what the caller can do. The words of the server stay out: they may quote values.

use tokio_postgres::error::SqlState;

use crate::{Error, Rule};

pub(super) fn failure(error: &tokio_postgres::Error) -> Error {
    let Some(code) = error.code() else {
        return unreachable();
    };
    let told = |what: &str| Error::Unavailable(format!("the database {what} ({})", code.code()));
    match code.code() {
        "23505" => Error::Conflict(rule(error)),
        "23503" => Error::Internal("a row was to name another that does not exist, or to leave one that names it".to_owned()),
        "25006" => told("is read-only, as a replica is; name the primary in DRIPLINE_DATABASE_URL"),
        "55P03" => told("is busy writing for others; try again"),
        "57014" => told("took too long; try again"),
        "40001" | "40P01" => told("was changed by others at the same time; try again"),
        "28000" | "28P01" => told("refuses the user or the password of DRIPLINE_DATABASE_URL; set them right"),
        "3D000" => told("does not exist; make it with createdb, or name another in DRIPLINE_DATABASE_URL"),
        "42501" => told("does not allow this to the user of DRIPLINE_DATABASE_URL; make it the owner"),
        "53100" => told("has no space left; free some"),
        "53300" => told("takes no more connections; raise its max_connections, or lower DRIPLINE_DATABASE_CONNECTIONS"),
        "XX001" | "XX002" => Error::Corrupt(format!("the database is damaged ({})", code.code())),
        other => match &other[..2] {
            "08" | "53" | "57" | "58" => told("went away or is starting; try again"),
            "23" => Error::Internal(format!("a row breaks a rule of its table ({})", constraint(error))),
            _ => Error::Internal(format!("the database refused a statement ({})", code.code())),
        },
    }
}

pub(super) fn unreachable() -> Error {
    Error::Unavailable("the database cannot be reached; is it running, and is DRIPLINE_DATABASE_URL right?".to_owned())
}

pub(super) fn silent() -> Error {
    Error::Unavailable("the database does not answer in time; try again".to_owned())
}

/// After one of these a connection is not to be used again: it is gone, or leads to a server that no longer takes writes.
pub(super) fn breaks_connection(error: &tokio_postgres::Error) -> bool {
    match error.code() {
        None => true,
        Some(code) => {
            *code == SqlState::READ_ONLY_SQL_TRANSACTION
                || ["08", "57P", "58", "XX"].iter().any(|class| code.code().starts_with(class))
        }
    }
}

fn constraint(error: &tokio_postgres::Error) -> &str {
    error.as_db_error().and_then(|error| error.constraint()).unwrap_or_default()
}

fn rule(error: &tokio_postgres::Error) -> Rule {
    match constraint(error) {
        "users_email_key_key" => Rule::Email,
        "portfolios_user_id_name_key_key" => Rule::PortfolioName,
        "portfolios_slug_key_key" => Rule::Slug,
        "portfolios_one_default" => Rule::DefaultPortfolio,
        "entries_user_id_portfolio_id_identity_key" => Rule::EntryIdentity,
        _ => Rule::Key,
    }
}
