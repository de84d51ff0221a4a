//! From what SQLite and the file system say to what the caller can do.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;
use rusqlite::ffi;

use crate::{Error, Rule};

pub(super) fn failure(path: &Path, error: rusqlite::Error) -> Error {
    let place = path.display();
    let rusqlite::Error::SqliteFailure(code, message) = &error else {
        return Error::Internal(format!("the database {place} was used wrongly: {error}"));
    };
    let message = message.as_deref().unwrap_or_default();
    match code.code {
        ErrorCode::ConstraintViolation => violation(code.extended_code, message),
        ErrorCode::DatabaseCorrupt => Error::Corrupt(format!("the database {place} is damaged: {error}")),
        ErrorCode::NotADatabase => Error::Corrupt(format!("{place} is not a database of dripline")),
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => Error::Unavailable(
            format!("the database {place} is busy with another process; try again, or stop the long job that writes to it"),
        ),
        ErrorCode::DiskFull => Error::Unavailable(format!("no space is left for the database {place}; free some")),
        ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => Error::Unavailable(format!(
            "the database {place} cannot be opened for writing ({error}); let the user that runs dripline write to its folder"
        )),
        ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory | ErrorCode::OperationInterrupted => {
            Error::Unavailable(format!("the database {place} could not be read or written ({error}); check the disk"))
        }
        _ => Error::Internal(format!("the database {place} refused a statement: {error}")),
    }
}

/// After one of these the state of a connection is not to be relied on.
pub(super) fn breaks_connection(error: &rusqlite::Error) -> bool {
    use ErrorCode::{CannotOpen, DatabaseCorrupt, NotADatabase, OutOfMemory, SystemIoFailure};
    matches!(error.sqlite_error_code(), Some(SystemIoFailure | CannotOpen | DatabaseCorrupt | NotADatabase | OutOfMemory))
}

pub(super) fn io_failure(what: &str, path: &Path, error: &io::Error) -> Error {
    Error::Unavailable(format!(
        "{what} {} cannot be used: {error}; let the user that runs dripline write there, or choose another folder with --data-dir",
        path.display()
    ))
}

fn violation(extended_code: i32, message: &str) -> Error {
    match extended_code {
        ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => Error::Conflict(rule(message)),
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => {
            Error::Internal("a row was to name another that does not exist, or to leave one that names it".to_owned())
        }
        _ => Error::Internal(format!("a row breaks a rule of its table: {message}")),
    }
}

/// SQLite names the columns of the broken rule.
fn rule(message: &str) -> Rule {
    match message.strip_prefix("UNIQUE constraint failed: ").unwrap_or_default() {
        "users.email_key" => Rule::Email,
        "portfolios.user_id, portfolios.name_key" => Rule::PortfolioName,
        "portfolios.slug_key" => Rule::Slug,
        "portfolios.user_id" => Rule::DefaultPortfolio,
        "entries.user_id, entries.portfolio_id, entries.identity" => Rule::EntryIdentity,
        _ => Rule::Key,
    }
}
