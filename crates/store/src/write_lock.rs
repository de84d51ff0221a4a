//! Whose turn it is to write.

use uuid::Uuid;

/// The embedded engine has one writer, and every turn is everyone's. PostgreSQL serves turns that do not meet side by side; what
/// is decided in one on the strength of what was read in it holds until its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteLock {
    /// Nobody else writes meanwhile.
    Everyone,
    /// What belongs to one user.
    User(Uuid),
    /// What is counted under a key that is no user's id.
    Key(i64),
    /// Market data, and the work of keeping it current.
    Market,
    /// Statements that each stand for themselves, whatever others write.
    Shared,
}
