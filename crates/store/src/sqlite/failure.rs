//! Converts errors of SQLite and the file system into what the caller can do.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;
use rusqlite::ffi;

use crate::error::{Bug, Damage, FileRole, Outage};
use crate::{Error, Rule};

pub(super) fn failure(path: &Path, error: rusqlite::Error) -> Error {
    let (path, cause) = (path.to_owned(), error.to_string());
    let rusqlite::Error::SqliteFailure(code, message) = &error else {
        return Bug::Misuse { cause }.into();
    };
    let message = message.as_deref().unwrap_or_default();
    match code.code {
        ErrorCode::ConstraintViolation => violation(code.extended_code, message),
        ErrorCode::DatabaseCorrupt => Damage::File { path, cause }.into(),
        ErrorCode::NotADatabase => Damage::NotADatabase { path }.into(),
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => {
            Outage::Locked { path }.into()
        }
        ErrorCode::DiskFull => Outage::DiskFull { path }.into(),
        ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => Outage::NotWritable { path, cause }.into(),
        ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory | ErrorCode::OperationInterrupted => {
            Outage::Unreadable { path, cause }.into()
        }
        _ => Bug::StatementRefused { cause }.into(),
    }
}

/// Errors after which the state of a connection is not reliable.
pub(super) fn breaks_connection(error: &rusqlite::Error) -> bool {
    use ErrorCode::{CannotOpen, DatabaseCorrupt, NotADatabase, OutOfMemory, SystemIoFailure};
    matches!(error.sqlite_error_code(), Some(SystemIoFailure | CannotOpen | DatabaseCorrupt | NotADatabase | OutOfMemory))
}

pub(super) fn io_failure(role: FileRole, path: &Path, error: &io::Error) -> Error {
    Outage::File { role, path: path.to_owned(), cause: error.to_string() }.into()
}

fn violation(extended_code: i32, message: &str) -> Error {
    match extended_code {
        ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => Error::Conflict(rule(message)),
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => Bug::ForeignKey.into(),
        _ => Bug::Constraint { constraint: message.to_owned() }.into(),
    }
}

/// SQLite names the columns of the violated constraint.
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
