//! Database errors, for the operator.

use app::database_error::{Access, AuthorityProblem, CopyProblem, Damage, Fault, FileRole, Outage, SetupProblem};
use app::{DatabaseError as Error, Rule};

use crate::Language;

crate::texts! { Database = "error-database" {
    email_taken, portfolio_name_taken, slug_taken, default_portfolio, entry_there, key_there,
    unreachable, no_answer_in_time, server_busy, statement_too_slow, changed_by_others, read_only_server, login_refused,
    no_such_database, not_permitted, server_disk_full, too_many_connections, connections_in_use, commit_unknown, malformed_url,
    tables_of_another_program, another_copy_started, copy_source_unfinished, version_missing;
    newer_schema(found, known), old_sqlite(found), bug(details), damaged(damage),
    locked(path), busy_reading(path), busy_writing(path), disk_full(path), not_writable(path, cause), unreadable(path, cause),
    no_write_ahead_log(path), backup_target_in_use(path), not_copied(path), server_not_ready(state),
    data_folder_unusable(path, cause), file_unusable(path, cause), damaged_file_unusable(path, cause),
    backup_unusable(path, cause), restore_leftover(path, cause),
    authority_unreadable(path), authority_not_pem(path), authority_bad_certificate(path), authority_no_certificate(path),
    copy_target_not_empty(table), copy_differs(table),
    damaged_file(path, cause), not_a_database(path), of_another_program(path), cut_off(path), damaged_copy(cause),
    damaged_server(state), unreadable_value(statement, column), orphan(table, parent),
} }

pub fn text(language: &'static Language, error: &Error) -> String {
    let texts = Database::load(language);
    match error {
        Error::Unavailable(outage) => self::outage(&texts, outage),
        Error::Setup(problem) => setup(&texts, problem),
        Error::Copy(problem) => copy(&texts, problem),
        Error::Corrupt(damage) => texts.damaged(self::damage(&texts, damage)),
        Error::NewerSchema { found, known } => texts.newer_schema(*found, *known),
        Error::TooOldSqlite { found } => texts.old_sqlite(found.as_str()),
        Error::Conflict(rule) => conflict(&texts, *rule).to_owned(),
        Error::Internal(bug) => texts.bug(format!("{bug:?}")),
    }
}

fn outage(texts: &Database, outage: &Outage) -> String {
    match outage {
        Outage::Locked { path } => texts.locked(path.display().to_string()),
        Outage::Busy { path, access: Access::Reading } => texts.busy_reading(path.display().to_string()),
        Outage::Busy { path, access: Access::Writing } => texts.busy_writing(path.display().to_string()),
        Outage::DiskFull { path } => texts.disk_full(path.display().to_string()),
        Outage::NotWritable { path, cause } => texts.not_writable(path.display().to_string(), cause.as_str()),
        Outage::Unreadable { path, cause } => texts.unreadable(path.display().to_string(), cause.as_str()),
        Outage::File { role, path, cause } => file(texts, *role, path.display().to_string(), cause),
        Outage::NotCopied { path } => texts.not_copied(path.display().to_string()),
        Outage::Unreachable => texts.unreachable.to_owned(),
        Outage::NoAnswerInTime => texts.no_answer_in_time.to_owned(),
        Outage::ServerBusy => texts.server_busy.to_owned(),
        Outage::StatementTooSlow => texts.statement_too_slow.to_owned(),
        Outage::ChangedByOthers => texts.changed_by_others.to_owned(),
        Outage::ServerNotReady { state } => texts.server_not_ready(state.as_str()),
        Outage::ReadOnlyServer => texts.read_only_server.to_owned(),
        Outage::LoginRefused => texts.login_refused.to_owned(),
        Outage::NoSuchDatabase => texts.no_such_database.to_owned(),
        Outage::NotPermitted => texts.not_permitted.to_owned(),
        Outage::ServerDiskFull => texts.server_disk_full.to_owned(),
        Outage::TooManyConnections => texts.too_many_connections.to_owned(),
        Outage::ConnectionsInUse => texts.connections_in_use.to_owned(),
        Outage::CommitUnknown => texts.commit_unknown.to_owned(),
    }
}

fn setup(texts: &Database, problem: &SetupProblem) -> String {
    match problem {
        SetupProblem::MalformedUrl => texts.malformed_url.to_owned(),
        SetupProblem::CertificateAuthority { path, problem } => authority(texts, path.display().to_string(), *problem),
        SetupProblem::TablesOfAnotherProgram => texts.tables_of_another_program.to_owned(),
        SetupProblem::NoWriteAheadLog { path } => texts.no_write_ahead_log(path.display().to_string()),
    }
}

fn copy(texts: &Database, problem: &CopyProblem) -> String {
    match problem {
        CopyProblem::TargetInUse { path } => texts.backup_target_in_use(path.display().to_string()),
        CopyProblem::TargetNotEmpty { table } => texts.copy_target_not_empty(*table),
        CopyProblem::AnotherStarted => texts.another_copy_started.to_owned(),
        CopyProblem::SourceUnfinished => texts.copy_source_unfinished.to_owned(),
        CopyProblem::Differs { table } => texts.copy_differs(*table),
    }
}

fn file(texts: &Database, role: FileRole, path: String, cause: &str) -> String {
    match role {
        FileRole::DataFolder => texts.data_folder_unusable(path, cause),
        FileRole::Database => texts.file_unusable(path, cause),
        FileRole::DamagedDatabase => texts.damaged_file_unusable(path, cause),
        FileRole::Backup => texts.backup_unusable(path, cause),
        FileRole::RestoreLeftover => texts.restore_leftover(path, cause),
    }
}

fn authority(texts: &Database, path: String, problem: AuthorityProblem) -> String {
    match problem {
        AuthorityProblem::Unreadable => texts.authority_unreadable(path),
        AuthorityProblem::NotPem => texts.authority_not_pem(path),
        AuthorityProblem::BadCertificate => texts.authority_bad_certificate(path),
        AuthorityProblem::NoCertificate => texts.authority_no_certificate(path),
    }
}

fn damage(texts: &Database, damage: &Damage) -> String {
    match damage {
        Damage::File { path, cause } => texts.damaged_file(path.display().to_string(), cause.as_str()),
        Damage::NotADatabase { path } => texts.not_a_database(path.display().to_string()),
        Damage::OfAnotherProgram { path } => texts.of_another_program(path.display().to_string()),
        Damage::CutOff { path } => texts.cut_off(path.display().to_string()),
        Damage::Copy { fault } => texts.damaged_copy(self::fault(texts, fault)),
        Damage::Server { state } => texts.damaged_server(state.as_str()),
        Damage::Value { statement, column } => texts.unreadable_value(*statement, *column),
        Damage::VersionMissing => texts.version_missing.to_owned(),
    }
}

/// One finding of a database check.
pub fn finding(language: &'static Language, fault: &Fault) -> String {
    self::fault(&Database::load(language), fault)
}

fn fault(texts: &Database, fault: &Fault) -> String {
    match fault {
        Fault::File { finding } => finding.clone(),
        Fault::Orphan { table, parent } => texts.orphan(table.as_str(), parent.as_str()),
    }
}

fn conflict(texts: &Database, rule: Rule) -> &'static str {
    match rule {
        Rule::Email => texts.email_taken,
        Rule::PortfolioName => texts.portfolio_name_taken,
        Rule::Slug => texts.slug_taken,
        Rule::DefaultPortfolio => texts.default_portfolio,
        Rule::EntryIdentity => texts.entry_there,
        Rule::Key => texts.key_there,
    }
}
