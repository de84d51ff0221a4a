//! Database errors, for the operator.

use app::database_error::{Access, AuthorityProblem, CopyProblem, Damage, Fault, FileRole, Outage, SetupProblem};
use app::{DatabaseError, Rule};

use crate::{Keys, described};

pub const KEYS: &[Keys] = &[DATABASE, OUTAGE, SETUP, COPY, DAMAGE, FAULT, RULE];

described! { DATABASE = "error-database": pub fn text(language; DatabaseError) {
    Corrupt(damage) => damaged(damage = self::damage(language, damage)),
    NewerSchema { found, known } => newer_schema(found, known),
    TooOldSqlite { found } => old_sqlite(found),
    Internal(bug) => bug(details = format!("{bug:?}"));
    Unavailable(outage) => self::outage(language, outage),
    Setup(problem) => setup(language, problem),
    Copy(problem) => copy(language, problem),
    Conflict(rule) => conflict(language, rule),
} }

described! { OUTAGE = "error-database": fn outage(language; Outage) {
    Locked { path } => locked(path),
    Busy { path, access: Access::Reading } => busy_reading(path),
    Busy { path, access: Access::Writing } => busy_writing(path),
    DiskFull { path } => disk_full(path),
    NotWritable { path, cause } => not_writable(path, cause),
    Unreadable { path, cause } => unreadable(path, cause),
    NotCopied { path } => not_copied(path),
    Unreachable => unreachable,
    NoAnswerInTime => no_answer_in_time,
    ServerBusy => server_busy,
    StatementTooSlow => statement_too_slow,
    ChangedByOthers => changed_by_others,
    ServerNotReady { state } => server_not_ready(state),
    ReadOnlyServer => read_only_server,
    LoginRefused => login_refused,
    NoSuchDatabase => no_such_database,
    NotPermitted => not_permitted,
    ServerDiskFull => server_disk_full,
    TooManyConnections => too_many_connections,
    ConnectionsInUse => connections_in_use,
    CommitUnknown => commit_unknown,
    File { role: FileRole::DataFolder, path, cause } => data_folder_unusable(path, cause),
    File { role: FileRole::Database, path, cause } => file_unusable(path, cause),
    File { role: FileRole::DamagedDatabase, path, cause } => damaged_file_unusable(path, cause),
    File { role: FileRole::Backup, path, cause } => backup_unusable(path, cause),
    File { role: FileRole::RestoreLeftover, path, cause } => restore_leftover(path, cause),
} }

described! { SETUP = "error-database": fn setup(language; SetupProblem) {
    MalformedUrl => malformed_url,
    CertificateAuthority { path, problem: AuthorityProblem::Unreadable } => authority_unreadable(path),
    CertificateAuthority { path, problem: AuthorityProblem::NotPem } => authority_not_pem(path),
    CertificateAuthority { path, problem: AuthorityProblem::BadCertificate } => authority_bad_certificate(path),
    CertificateAuthority { path, problem: AuthorityProblem::NoCertificate } => authority_no_certificate(path),
    TablesOfAnotherProgram => tables_of_another_program,
    NoWriteAheadLog { path } => no_write_ahead_log(path),
} }

described! { COPY = "error-database": fn copy(language; CopyProblem) {
    TargetInUse { path } => backup_target_in_use(path),
    TargetNotEmpty { table } => copy_target_not_empty(table),
    AnotherStarted => another_copy_started,
    SourceUnfinished => copy_source_unfinished,
    Differs { table } => copy_differs(table),
} }

described! { DAMAGE = "error-database": fn damage(language; Damage) {
    File { path, cause } => damaged_file(path, cause),
    NotADatabase { path } => not_a_database(path),
    OfAnotherProgram { path } => of_another_program(path),
    CutOff { path } => cut_off(path),
    Copy { fault } => damaged_copy(cause = finding(language, fault)),
    Server { state } => damaged_server(state),
    Value { statement, column } => unreadable_value(statement, column),
    VersionMissing => version_missing,
} }

described! {
    /// One finding of a database check.
    FAULT = "error-database": pub fn finding(language; Fault) {
    Orphan { table, parent } => orphan(table, parent);
    File { finding } => finding.clone(),
} }

described! { RULE = "error-database": fn conflict(language; Rule) {
    Email => email_taken,
    PortfolioName => portfolio_name_taken,
    Slug => slug_taken,
    DefaultPortfolio => default_portfolio,
    EntryIdentity => entry_there,
    Key => key_there,
} }
