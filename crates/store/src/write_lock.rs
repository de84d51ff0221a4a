//! Which writes exclude each other.

use uuid::Uuid;

/// The embedded engine has one writer, so all writes share one lock. PostgreSQL runs writes with different locks in parallel;
/// what a transaction reads under its lock stays valid until its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteLock {
    /// Excludes all other writes.
    Everyone,
    /// One user's data.
    User(Uuid),
    /// A counter with a key other than a user's id.
    Key(i64),
    /// Market data, and the work of keeping it current.
    Market,
    /// Independent statements, whatever others write.
    Shared,
}
