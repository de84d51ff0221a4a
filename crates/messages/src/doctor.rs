//! `dripline doctor`: what its checks found, and what to do about it.

use app::operations::doctor::{Finding, KeyPlace, Mismatch, Snapshot};

use crate::{Keys, Language, errors, providers};

pub const KEYS: &[Keys] = &[Doctor::KEYS, Certificate::KEYS];

crate::texts! { Doctor = "doctor" {
    database_private, no_rates, symbols_known, no_provider, key_not_needed, place_setting, place_nowhere, not_stored, no_entries,
    snapshot_not_replayed, lost_key;
    sound_file(path, schema, sqlite), faults(path, count, first), server(version, schema, megabytes),
    server_with_replica(version, schema, megabytes), server_without_replica(version, schema, megabytes),
    database_open_to_others(path), no_backup(folder), old_backup(folder, newest), recent_backup(folder, newest),
    audit_intact(accounts), audit_changed(accounts, broken), wrong_date(today), fixed_clock(instant), today(today),
    old_rates(newest), rates(currencies, newest), unknown_symbols(symbols), unknown_to_providers(symbols),
    provider_never_asked(name), provider_fails(error, requests, day), provider_answers(name, requests, day),
    refresh_late(topic, due), rejected_values(count), not_encrypted(secrets), key_absent_unused(key),
    key_absent(key, unreadable, remedy, lost), key_open_to_others(place), key_in_use(key, secrets, place),
    other_key_absent(unreadable, secrets, place, lost), old_copies(count, names), snapshots_current(count),
    snapshots_differ(different, count), snapshot_differs(symbol, user, mismatch), snapshot_different(stored, replayed),
    snapshot_without_shares(dividends), snapshot(shares, cost, currency, opened, dividends), disk_low(free, reserve, folder),
    disk_free(free, folder), disk_unmeasured(folder, cause), uploads_full(files, used, quota), uploads(files, used, quota),
} }

crate::texts! { Certificate = "doctor-certificate" {;
    expired(path, day), expires_soon(path, day, days), valid(path, day, days), key_open_to_others(path),
} }

pub fn finding(language: &'static Language, finding: &Finding) -> String {
    let texts = Doctor::load(language);
    match finding {
        Finding::SoundFile { path, schema, sqlite } => texts.sound_file(path.display().to_string(), *schema, sqlite.as_str()),
        Finding::Faults { path, count, first } => {
            texts.faults(path.display().to_string(), *count, errors::database_fault(language, first))
        }
        Finding::Server { version, schema, megabytes, replica_answers } => {
            let (version, schema, megabytes) = (version.as_str(), *schema, *megabytes);
            match replica_answers {
                None => texts.server(version, schema, megabytes),
                Some(true) => texts.server_with_replica(version, schema, megabytes),
                Some(false) => texts.server_without_replica(version, schema, megabytes),
            }
        }
        Finding::DatabaseOpenToOthers { path } => texts.database_open_to_others(path.display().to_string()),
        Finding::DatabasePrivate => texts.database_private.to_owned(),
        Finding::NoBackup { folder } => texts.no_backup(folder.display().to_string()),
        Finding::OldBackup { folder, newest } => texts.old_backup(folder.display().to_string(), newest.to_string()),
        Finding::RecentBackup { folder, newest } => texts.recent_backup(folder.display().to_string(), newest.to_string()),
        Finding::AuditIntact { accounts } => texts.audit_intact(*accounts),
        Finding::AuditChanged { accounts, broken } => texts.audit_changed(*accounts, *broken),
        Finding::WrongDate { today } => texts.wrong_date(today.to_string()),
        Finding::FixedClock { instant } => texts.fixed_clock(instant.to_string()),
        Finding::Today { today } => texts.today(today.to_string()),
        Finding::NoRates => texts.no_rates.to_owned(),
        Finding::OldRates { newest } => texts.old_rates(newest.to_string()),
        Finding::Rates { currencies, newest } => texts.rates(*currencies, newest.to_string()),
        Finding::SymbolsKnown => texts.symbols_known.to_owned(),
        Finding::UnknownSymbols { symbols, has_provider: false } => texts.unknown_symbols(symbols.join(", ")),
        Finding::UnknownSymbols { symbols, has_provider: true } => texts.unknown_to_providers(symbols.join(", ")),
        Finding::NoProvider => texts.no_provider.to_owned(),
        Finding::ProviderNeverAsked { name } => texts.provider_never_asked(name.as_str()),
        Finding::ProviderFails { name, error, requests, day } => {
            texts.provider_fails(providers::stored_fault(language, name, error), *requests, day.to_string())
        }
        Finding::ProviderAnswers { name, requests, day } => texts.provider_answers(name.as_str(), *requests, day.to_string()),
        Finding::RefreshLate { topic, due } => texts.refresh_late(topic.as_str(), *due),
        Finding::RejectedValues { count } => texts.rejected_values(*count),
        Finding::SecretKey(error) => errors::secret_key(language, error),
        Finding::KeyNotNeeded => texts.key_not_needed.to_owned(),
        Finding::NotEncrypted { secrets } => texts.not_encrypted(*secrets),
        Finding::KeyAbsentUnused { key_id } => texts.key_absent_unused(key_id.as_str()),
        Finding::KeyAbsent { key_id, unreadable, remedy } => {
            texts.key_absent(key_id.as_str(), *unreadable, errors::key_remedy(language, remedy), texts.lost_key)
        }
        Finding::KeyOpenToOthers { place } => texts.key_open_to_others(key_place(&texts, place)),
        Finding::KeyInUse { key_id, secrets, place } => texts.key_in_use(key_id.as_str(), *secrets, key_place(&texts, place)),
        Finding::OtherKeyAbsent { unreadable, secrets, place } => {
            texts.other_key_absent(*unreadable, *secrets, key_place(&texts, place), texts.lost_key)
        }
        Finding::OldCopies { names } => texts.old_copies(names.len(), names.join(", ")),
        Finding::SnapshotsCurrent { count } => texts.snapshots_current(*count),
        Finding::SnapshotsDiffer { different, count } => texts.snapshots_differ(*different, *count),
        Finding::SnapshotDiffers { symbol, user_id, mismatch } => {
            texts.snapshot_differs(symbol.as_str(), user_id.to_string(), self::mismatch(language, &texts, symbol, mismatch))
        }
        Finding::DiskLow { free_mib, reserve_mib, folder } => {
            texts.disk_low(*free_mib, *reserve_mib, folder.display().to_string())
        }
        Finding::DiskFree { free_mib, folder } => texts.disk_free(*free_mib, folder.display().to_string()),
        Finding::DiskUnmeasured { folder, cause } => texts.disk_unmeasured(folder.display().to_string(), cause.as_str()),
        Finding::UploadsFull { files, used_mib, quota_mib } => texts.uploads_full(*files, *used_mib, *quota_mib),
        Finding::Uploads { files, used_mib, quota_mib } => texts.uploads(*files, *used_mib, *quota_mib),
    }
}

fn key_place(texts: &Doctor, place: &KeyPlace) -> String {
    match place {
        KeyPlace::File(path) => path.display().to_string(),
        KeyPlace::Setting => texts.place_setting.to_owned(),
        KeyPlace::Nowhere => texts.place_nowhere.to_owned(),
    }
}

fn mismatch(language: &'static Language, texts: &Doctor, symbol: &str, mismatch: &Mismatch) -> String {
    match mismatch {
        Mismatch::Unreplayable(cause) => errors::unreplayable(language, symbol, cause),
        Mismatch::NotStored => texts.not_stored.to_owned(),
        Mismatch::NoEntries => texts.no_entries.to_owned(),
        Mismatch::Different { stored, replayed } => {
            let replayed =
                replayed.as_ref().map_or_else(|| texts.snapshot_not_replayed.to_owned(), |replayed| snapshot(texts, replayed));
            texts.snapshot_different(snapshot(texts, stored), replayed)
        }
    }
}

fn snapshot(texts: &Doctor, snapshot: &Snapshot) -> String {
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
