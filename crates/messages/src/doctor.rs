//! `dripline doctor`: what its checks found, and what to do about it.

use app::operations::doctor::{Finding, KeyPlace, Mismatch, Snapshot};

use crate::{Keys, Language, described, errors, providers};

pub const KEYS: &[Keys] = &[FINDING, PLACE, MISMATCH, Doctor::KEYS, Certificate::KEYS];

crate::texts! { Doctor = "doctor" {
    lost_key, snapshot_not_replayed;
    server(version, schema, megabytes), server_with_replica(version, schema, megabytes),
    server_without_replica(version, schema, megabytes), snapshot_without_shares(dividends),
    snapshot(shares, cost, currency, opened, dividends),
} }

crate::texts! { Certificate = "doctor-certificate" {;
    expired(path, day), expires_soon(path, day, days), valid(path, day, days), key_open_to_others(path),
} }

described! { FINDING = "doctor": pub fn finding(language; Finding) {
    SoundFile { path, schema, sqlite } => sound_file(path, schema, sqlite),
    Faults { path, count, first } => faults(path, count, first = errors::database_fault(language, first)),
    DatabaseOpenToOthers { path } => database_open_to_others(path),
    DatabasePrivate => database_private,
    NoBackup { folder } => no_backup(folder),
    OldBackup { folder, newest } => old_backup(folder, newest),
    RecentBackup { folder, newest } => recent_backup(folder, newest),
    AuditIntact { accounts } => audit_intact(accounts),
    AuditChanged { accounts, broken } => audit_changed(accounts, broken),
    WrongDate { today } => wrong_date(today),
    FixedClock { instant } => fixed_clock(instant),
    Today { today } => today(today),
    NoRates => no_rates,
    OldRates { newest } => old_rates(newest),
    Rates { currencies, newest } => rates(currencies, newest),
    SymbolsKnown => symbols_known,
    UnknownSymbols { symbols, has_provider: false } => unknown_symbols(symbols),
    UnknownSymbols { symbols, has_provider: true } => unknown_to_providers(symbols),
    NoProvider => no_provider,
    Providers { names, origin } => providers(names, origin = providers::origin(language, origin)),
    ProviderKeyUnreadable { name } => provider_key_unreadable(name),
    ProviderNeverAsked { name } => provider_never_asked(name),
    ProviderFails { name, error, requests, day } =>
        provider_fails(error = providers::stored_fault(language, name, error), requests, day),
    ProviderAnswers { name, requests, day } => provider_answers(name, requests, day),
    RefreshLate { topic, due } => refresh_late(topic = topic.as_str(), due),
    RejectedValues { count } => rejected_values(count),
    KeyNotNeeded => key_not_needed,
    NotEncrypted { secrets } => not_encrypted(secrets),
    KeyAbsentUnused { key_id } => key_absent_unused(key = key_id),
    KeyAbsent { key_id, unreadable, remedy } =>
        key_absent(key = key_id, unreadable, remedy = errors::key_remedy(language, remedy), lost = Doctor::load(language).lost_key),
    KeyOpenToOthers { place } => key_open_to_others(place = key_place(language, place)),
    KeyInUse { key_id, secrets, place } => key_in_use(key = key_id, secrets, place = key_place(language, place)),
    OtherKeyAbsent { unreadable, secrets, place } =>
        other_key_absent(unreadable, secrets, place = key_place(language, place), lost = Doctor::load(language).lost_key),
    OldCopies { names } => old_copies(count = names.len(), names),
    SnapshotsCurrent { count } => snapshots_current(count),
    SnapshotsDiffer { different, count } => snapshots_differ(different, count),
    SnapshotDiffers { symbol, user_id, mismatch } =>
        snapshot_differs(symbol, user = user_id.to_string(), mismatch = self::mismatch(language, symbol, mismatch)),
    SplitNotApplied { symbol, user_id, split } =>
        split_not_applied(symbol, user = user_id.to_string(), date = split.date, ratio = split.ratio.to_string()),
    DiskLow { free_mib, reserve_mib, folder } => disk_low(free = free_mib, reserve = reserve_mib, folder),
    DiskFree { free_mib, folder } => disk_free(free = free_mib, folder),
    DiskUnmeasured { folder, cause } => disk_unmeasured(folder, cause),
    UploadsFull { files, used_mib, quota_mib } => uploads_full(files, used = used_mib, quota = quota_mib),
    Uploads { files, used_mib, quota_mib } => uploads(files, used = used_mib, quota = quota_mib);
    SecretKey(error) => errors::secret_key(language, error),
    Server { version, schema, megabytes, replica_answers } => {
        let (texts, version) = (Doctor::load(language), version.as_str());
        match replica_answers {
            None => texts.server(version, *schema, *megabytes),
            Some(true) => texts.server_with_replica(version, *schema, *megabytes),
            Some(false) => texts.server_without_replica(version, *schema, *megabytes),
        }
    }
} }

described! { PLACE = "doctor": fn key_place(language; KeyPlace) {
    Setting => place_setting,
    Nowhere => place_nowhere;
    File(path) => path.display().to_string(),
} }

described! { MISMATCH = "doctor": fn mismatch(language, symbol: &str; Mismatch) {
    NotStored => not_stored,
    NoEntries => no_entries,
    Different { stored, replayed } =>
        snapshot_different(stored = snapshot(language, Some(stored)), replayed = snapshot(language, replayed.as_ref()));
    Unreplayable(cause) => errors::unreplayable(language, symbol, cause),
} }

fn snapshot(language: &'static Language, snapshot: Option<&Snapshot>) -> String {
    let texts = Doctor::load(language);
    let Some(snapshot) = snapshot else { return texts.snapshot_not_replayed.to_owned() };
    match &snapshot.position {
        None => texts.snapshot_without_shares(snapshot.dividends),
        Some(position) => texts.snapshot(
            ledger::shares_text(position.shares),
            position.cost.to_string(),
            position.currency.to_string(),
            position.opened.to_string(),
            snapshot.dividends,
        ),
    }
}
