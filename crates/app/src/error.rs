//! Why a use case failed. `messages` has the texts for people; the texts here are for logs.

use ledger::ReplayError;

use crate::automatic::Key;
use crate::entries::problem::Problem as EntryProblem;
use crate::import::reason::Problem;
use crate::operations::encryption::key_error::KeyError;
use crate::refusal::Refusal;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is invalid. Nothing was changed.
    #[error("refused, {code}: {0:?}", code = .0.code())]
    Refused(Refusal),

    /// With the names of those that the user has.
    #[error("unknown portfolio {wanted:?}")]
    UnknownPortfolio { wanted: String, names: Vec<String> },

    #[error("unknown account {0:?}")]
    UnknownAccount(String),

    /// Lines of a file, each with its reason. Nothing was stored.
    #[error("{} bad line(s)", .0.len())]
    Lines(Vec<Problem>),

    /// An entry that cannot be recorded, by field. Nothing was stored.
    #[error("bad entry: {0:?}")]
    Entry(Vec<EntryProblem>),

    /// Payments that cannot be recorded, each with its problems. Nothing was stored.
    #[error("bad payments: {0:?}")]
    Payments(Vec<(Key, Vec<EntryProblem>)>),

    /// Problems in market-data files, each with its location. Nothing was stored.
    #[error("{} problem(s) in market files", .0.len())]
    MarketFiles(Vec<market::files::Problem>),

    #[error(transparent)]
    Store(#[from] store::Error),

    /// A temporary file on the server's own disk.
    #[error("{role:?} could not be written: {cause}")]
    WorkingFile { role: WorkingFile, cause: std::io::Error },

    #[error("a figure is too large to compute with")]
    Overflow(#[from] ledger::Overflow),

    /// A stored ledger that cannot be replayed; checks on entry prevent this.
    #[error("the ledger of {symbol} cannot be replayed: {cause}")]
    Ledger { symbol: String, cause: Unreplayable },

    /// Passwords are checked one at a time, and the queue is full.
    #[error("too many passwords to check")]
    Busy,

    /// Only a few files are processed at a time, and the queue is full.
    #[error("too many large files in progress")]
    Crowded,

    /// One of this user's files is being processed, and two are waiting.
    #[error("too many files of one user in progress")]
    TooManyJobs,

    /// Too many of this user's uploads are in progress.
    #[error("too many uploads of one user")]
    TooManyUploads,

    /// On the disk, or in a quota. Nothing was changed.
    #[error("no space, {code}: {0:?}", code = .0.code())]
    NoSpace(NoSpace),

    /// After too many attempts.
    #[error("too many attempts; {seconds} seconds to wait")]
    Wait { seconds: i64 },

    /// Secrets in the database cannot be read or written because the key is missing; for the operator.
    #[error("secret key: {0}")]
    SecretKey(#[from] KeyError),

    #[error("no randomness from the operating system: {0}")]
    Randomness(#[from] getrandom::Error),

    #[error("a password cannot be hashed: {0}")]
    PasswordHash(#[from] argon2::password_hash::Error),

    #[error("the stored hash of a password cannot be read: {cause}")]
    StoredPasswordHash { cause: argon2::password_hash::Error },

    #[error("the secret of a second factor cannot be used: {cause}")]
    SecondFactorSecret { cause: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkingFile {
    Upload,
    /// The file of an earlier import, decompressed for download.
    ImportedFile,
    Export,
}

/// What is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSpace {
    Disk {
        free_mib: u64,
        needed_mib: u64,
        reserve_mib: u64,
    },
    /// The quota for uploads of all users together.
    Uploads {
        max_mib: u64,
    },
    /// The quota for one user's files.
    OwnFiles {
        used_mib: u64,
        max_mib: u64,
    },
}

impl NoSpace {
    pub fn code(&self) -> &'static str {
        match self {
            NoSpace::Disk { .. } => "disk_full",
            NoSpace::Uploads { .. } => "uploads_full",
            NoSpace::OwnFiles { .. } => "own_files_full",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreplayable {
    #[error(transparent)]
    Replay(#[from] ReplayError),

    #[error("entry {sequence} has no {field}")]
    Incomplete { sequence: i64, field: &'static str },

    #[error("its snapshot has no entries")]
    NoEntries,
}

impl<R: Into<Refusal>> From<R> for Error {
    fn from(refusal: R) -> Error {
        Error::Refused(refusal.into())
    }
}

impl Error {
    /// Separates a refusal, after which a form is shown again, from other errors.
    pub fn or_refusal<T>(done: Result<T, Error>) -> Result<Result<T, Refusal>, Error> {
        match done {
            Ok(done) => Ok(Ok(done)),
            Err(Error::Refused(refusal)) => Ok(Err(refusal)),
            Err(error) => Err(error),
        }
    }

    /// Stable: programs branch on it.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Refused(refusal) => refusal.code(),
            Error::UnknownPortfolio { .. } => "unknown_portfolio",
            Error::UnknownAccount(_) => "unknown_account",
            Error::Lines(_) => "bad_lines",
            Error::Entry(_) => "bad_entry",
            Error::Payments(_) => "bad_payments",
            Error::MarketFiles(_) => "bad_market_files",
            Error::Store(_) => "database",
            Error::WorkingFile { .. } => "working_file",
            Error::Overflow(_) => "overflow",
            Error::Ledger { .. } => "unreplayable_ledger",
            Error::Busy => "busy",
            Error::Crowded => "crowded",
            Error::TooManyJobs => "too_many_jobs",
            Error::TooManyUploads => "too_many_uploads_at_once",
            Error::NoSpace(space) => space.code(),
            Error::Wait { .. } => "wait",
            Error::SecretKey(error) => error.code(),
            Error::Randomness(_) => "no_randomness",
            Error::PasswordHash(_) => "password_hash",
            Error::StoredPasswordHash { .. } => "stored_password_hash",
            Error::SecondFactorSecret { .. } => "second_factor_secret",
        }
    }

    /// The database or the disk is unavailable; the same request may succeed later.
    pub fn is_outage(&self) -> bool {
        matches!(self, Error::Store(store::Error::Unavailable(_)) | Error::WorkingFile { .. })
    }
}
