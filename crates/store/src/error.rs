//! Database errors, by what the caller can do about them. `messages` has the texts for people; the texts here are for logs.

use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Busy, unreachable, read-only or full: the same call may succeed later. Nothing was stored, except perhaps after
    /// [`Outage::CommitUnknown`].
    #[error("database unavailable: {0:?}")]
    Unavailable(Outage),

    /// The same call fails again until the operator changes something.
    #[error("database cannot be used: {0:?}")]
    Setup(SetupProblem),

    #[error("database cannot be copied: {0:?}")]
    Copy(CopyProblem),

    /// The file is damaged, or contains a value that no version of this program writes.
    #[error("database damaged: {0:?}")]
    Corrupt(Damage),

    #[error("the database has schema {found}, this program knows schemas up to {known}")]
    NewerSchema { found: i64, known: i64 },

    #[error("SQLite {found} can damage a database in WAL mode")]
    TooOldSqlite { found: String },

    #[error("a unique value is taken: {0:?}")]
    Conflict(Rule),

    /// A bug in this program, not in its data.
    #[error("bug in the use of the database: {0:?}")]
    Internal(Bug),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outage {
    /// Embedded database: another process has it locked.
    Locked {
        path: PathBuf,
    },
    /// Embedded database: other requests of this process did not finish in time.
    Busy {
        path: PathBuf,
        access: Access,
    },
    DiskFull {
        path: PathBuf,
    },
    NotWritable {
        path: PathBuf,
        cause: String,
    },
    Unreadable {
        path: PathBuf,
        cause: String,
    },
    /// The operating system denied access to a file or folder.
    File {
        role: FileRole,
        path: PathBuf,
        cause: String,
    },
    /// The database was too busy to be copied.
    NotCopied {
        path: PathBuf,
    },
    /// The server cannot be reached.
    Unreachable,
    NoAnswerInTime,
    ServerBusy,
    StatementTooSlow,
    ChangedByOthers,
    /// The server is shutting down, starting, or short of a resource. `state` is its SQLSTATE.
    ServerNotReady {
        state: String,
    },
    ReadOnlyServer,
    LoginRefused,
    NoSuchDatabase,
    NotPermitted,
    ServerDiskFull,
    TooManyConnections,
    ConnectionsInUse,
    /// The connection was lost during a commit.
    CommitUnknown,
}

/// Why a database cannot be used as it is set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetupProblem {
    MalformedUrl,
    CertificateAuthority {
        path: PathBuf,
        problem: AuthorityProblem,
    },
    TablesOfAnotherProgram,
    /// The file system does not allow SQLite's log.
    NoWriteAheadLog {
        path: PathBuf,
    },
}

/// Why a backup of a database, or a copy into another one, was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyProblem {
    TargetInUse { path: PathBuf },
    TargetNotEmpty { table: &'static str },
    AnotherStarted,
    SourceUnfinished,
    Differs { table: &'static str },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Reading,
    Writing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRole {
    DataFolder,
    Database,
    DamagedDatabase,
    Backup,
    /// Left over from an earlier restore.
    RestoreLeftover,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorityProblem {
    Unreadable,
    NotPem,
    BadCertificate,
    NoCertificate,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Damage {
    File {
        path: PathBuf,
        cause: String,
    },
    NotADatabase {
        path: PathBuf,
    },
    OfAnotherProgram {
        path: PathBuf,
    },
    /// The file is empty, but the log next to it is not.
    CutOff {
        path: PathBuf,
    },
    Copy {
        fault: Fault,
    },
    Server {
        state: String,
    },
    /// Names the location, never the value: values are private, and errors are logged.
    Value {
        statement: &'static str,
        column: usize,
    },
    VersionMissing,
}

/// A finding of an integrity check of the embedded database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// SQLite's own message.
    File { finding: String },
    /// A row refers to another that does not exist.
    Orphan { table: String, parent: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bug {
    /// A row refers to another that does not exist, or a referenced row was deleted.
    ForeignKey,
    Constraint {
        constraint: String,
    },
    StatementRefused {
        cause: String,
    },
    Misuse {
        cause: String,
    },
    ParameterCount {
        statement: &'static str,
    },
    ParameterType {
        statement: &'static str,
    },
    NulByte {
        statement: &'static str,
    },
    TransactionOver,
    FileStillOpen {
        path: PathBuf,
    },
    WorkerFailed {
        cause: String,
    },
    /// A file of the embedded database was requested, but the database is a server.
    NoDatabaseFile,
    Tls {
        cause: String,
    },
    Pool {
        cause: String,
    },
}

/// The unique constraint that a write would violate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// One account per e-mail address, ignoring case.
    Email,
    /// One portfolio per name and user, ignoring case.
    PortfolioName,
    /// One portfolio per slug.
    Slug,
    /// One default portfolio per user.
    DefaultPortfolio,
    /// One entry per identity and portfolio.
    EntryIdentity,
    /// One row per id, hash or other key.
    Key,
}

macro_rules! from {
    ($($cause:ident => $variant:ident),*) => {
        $(impl From<$cause> for Error {
            fn from(cause: $cause) -> Error {
                Error::$variant(cause)
            }
        })*
    };
}

from! { Outage => Unavailable, SetupProblem => Setup, CopyProblem => Copy, Damage => Corrupt, Bug => Internal }
