//! Why a use case did not do what was asked.

use importers::Problem;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request makes no sense as it stands; the sentence says what to do. Nothing was changed.
    #[error("{0}")]
    Refused(String),

    #[error("no portfolio of yours is called \"{0}\", by name or by slug")]
    UnknownPortfolio(String),

    #[error("there is no account {0}; `dripline user list` shows them")]
    UnknownAccount(String),

    /// Lines of a file, each with its reason. Nothing was stored.
    #[error("{} line(s) cannot be taken", .0.len())]
    Lines(Vec<Problem>),

    /// An entry that cannot be recorded, field by field. Nothing was stored.
    #[error("{}", told(.0))]
    Entry(Vec<crate::entries::Problem>),

    /// Files of market data, each problem with its place. Nothing was stored.
    #[error("{} problem(s) in the market files", .0.len())]
    MarketFiles(Vec<market::files::Problem>),

    #[error(transparent)]
    Store(#[from] store::Error),

    #[error("a figure is too large to compute with")]
    Overflow(#[from] ledger::Overflow),

    /// A stored ledger that cannot be replayed; checks at entry keep this from happening.
    #[error("the ledger of {symbol} cannot be replayed: {cause}")]
    Ledger { symbol: String, cause: String },

    /// Passwords are checked one at a time; the line is full.
    #[error("too many people are signing in at this moment; try again in a few seconds")]
    Busy,

    /// Files are worked on a few at a time; the line is full.
    #[error("several large files are being worked on at this moment; try again in a few seconds")]
    Crowded,

    /// One user's own: one file is worked on, and two wait.
    #[error("you already have three files in progress; wait until one is done, then try again")]
    TooManyJobs,

    /// One user's own uploads that are being received.
    #[error("you are already uploading two files; wait until one has arrived, then try again")]
    TooManyUploads,

    /// On the disk, or of what may be kept. Nothing was changed.
    #[error("{0}")]
    NoSpace(String),

    /// After too many tries.
    #[error("too many wrong passwords; try again in {seconds} seconds")]
    Wait { seconds: i64 },

    /// What is secret in the database cannot be read or written for want of its key; for the operator.
    #[error("{0}")]
    SecretKey(String),

    #[error("the operating system gives no randomness: {0}")]
    Randomness(String),
}

fn told(problems: &[crate::entries::Problem]) -> String {
    problems.iter().map(|problem| problem.reason.as_str()).collect::<Vec<_>>().join("; ")
}

impl Error {
    /// The database cannot be reached now; the same request may succeed later.
    pub fn is_outage(&self) -> bool {
        matches!(self, Error::Store(store::Error::Unavailable(_)))
    }

    pub(crate) fn refused(sentence: impl Into<String>) -> Error {
        Error::Refused(sentence.into())
    }
}
