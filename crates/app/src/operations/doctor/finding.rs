//! Findings of checks.

use std::path::PathBuf;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Currency, Decimal, Split};
use store::error::Fault;
use store::refreshes::Topic;
use uuid::Uuid;

use crate::error::Unreplayable;
use crate::market::sources::Origin;
use crate::operations::encryption::{KeyError, Remedy};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    SoundFile { path: PathBuf, schema: i64, sqlite: String },
    Faults { path: PathBuf, count: usize, first: Fault },
    Server { version: String, schema: i64, megabytes: i64, replica_answers: Option<bool> },
    DatabaseOpenToOthers { path: PathBuf },
    DatabasePrivate,
    NoBackup { folder: PathBuf },
    OldBackup { folder: PathBuf, newest: Timestamp },
    RecentBackup { folder: PathBuf, newest: Timestamp },
    AuditIntact { accounts: usize },
    AuditChanged { accounts: usize, broken: usize },
    WrongDate { today: Date },
    FixedClock { instant: Timestamp },
    Today { today: Date },
    NoRates,
    OldRates { newest: Date },
    Rates { currencies: usize, newest: Date },
    SymbolsKnown,
    UnknownSymbols { symbols: Vec<String>, has_provider: bool },
    NoProvider,
    Providers { names: Vec<String>, origin: Origin },
    ProviderKeyUnreadable { name: String },
    ProviderNeverAsked { name: String },
    ProviderFails { name: String, error: String, requests: i64, day: Date },
    ProviderAnswers { name: String, requests: i64, day: Date },
    RefreshLate { topic: Topic, due: i64 },
    RejectedValues { count: i64 },
    SecretKey(KeyError),
    KeyNotNeeded,
    NotEncrypted { secrets: usize },
    KeyAbsentUnused { key_id: String },
    KeyAbsent { key_id: String, unreadable: usize, remedy: Remedy },
    KeyOpenToOthers { place: KeyPlace },
    KeyInUse { key_id: String, secrets: usize, place: KeyPlace },
    OtherKeyAbsent { unreadable: usize, secrets: usize, place: KeyPlace },
    OldCopies { names: Vec<String> },
    SnapshotsCurrent { count: usize },
    SnapshotsDiffer { different: usize, count: usize },
    SnapshotDiffers { symbol: String, user_id: Uuid, mismatch: Mismatch },
    SplitNotApplied { symbol: String, user_id: Uuid, split: Split },
    DiskLow { free_mib: u64, reserve_mib: u64, folder: PathBuf },
    DiskFree { free_mib: u64, folder: PathBuf },
    DiskUnmeasured { folder: PathBuf, cause: String },
    UploadsFull { files: u64, used_mib: u64, quota_mib: u64 },
    Uploads { files: u64, used_mib: u64, quota_mib: u64 },
}

/// Where the secret key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyPlace {
    File(PathBuf),
    Setting,
    Nowhere,
}

/// How a stored position differs from its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    Unreplayable(Unreplayable),
    NotStored,
    NoEntries,
    Different { stored: Snapshot, replayed: Option<Snapshot> },
}

/// The figures by which a person recognises a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub dividends: usize,
    pub position: Option<SnapshotPosition>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotPosition {
    pub shares: Decimal,
    pub cost: Decimal,
    pub currency: Currency,
    pub opened: Date,
}
