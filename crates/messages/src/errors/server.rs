//! What the operator of the server maintains: keys, mail, backups and disks.

use app::NoSpace;
use app::operations::encryption::{KeyError, Remedy};
use app::refusal::{Backup, Mail};

use crate::{Keys, described};

pub const KEYS: &[Keys] = &[Tls::KEYS, Redis::KEYS, SECRET_KEY, REMEDY, MAIL, BACKUP, NO_SPACE];

crate::texts! { Tls = "error-tls" {;
    unreadable(path, cause), no_certificate(path), malformed_certificate(path), no_key(path), key_mismatch(key, certificate),
    unsupported_key(path), setup(cause),
} }

crate::texts! { Redis = "error-redis" {
    malformed_url, authority_without_tls;
    authority_unreadable(path, cause), authority_malformed(path),
} }

described! { SECRET_KEY = "error-server": pub fn secret_key(language; KeyError) {
    Missing => key_missing,
    Absent { key_id, secrets, remedy } => key_absent(key = key_id, secrets, remedy = key_remedy(language, remedy)),
    FirstInUse => key_first_in_use,
    OpenToOthers { path } => key_open_to_others(path),
    Malformed { path } => key_malformed(path),
    Unreadable { path, cause } => key_unreadable(path, cause),
    Unwritable { path, cause } => key_unwritable(path, cause),
    Unusable => key_unusable,
} }

described! { REMEDY = "error-server": pub fn key_remedy(language; Remedy) {
    ChangeSetting => remedy_change_setting,
    SetSetting => remedy_set_setting,
    AddToFile(path) => remedy_add_to_file(path),
    CopyFile { name, folder } => remedy_copy_file(name, folder),
} }

described! { MAIL = "error-server": pub fn mail(language; Mail) {
    Sender { address } => mail_sender(address),
    NoTls => mail_without_tls,
    Server => mail_server,
} }

described! { BACKUP = "error-server": pub fn backup(language; Backup) {
    Path { path, cause } => backup_path(path, cause),
} }

described! { NO_SPACE = "error-server": pub fn no_space(language; NoSpace) {
    Disk { free_mib, needed_mib, reserve_mib } => disk_full(free = free_mib, needed = needed_mib, reserve = reserve_mib),
    Uploads { max_mib } => uploads_full(max = max_mib),
    OwnFiles { used_mib, max_mib } => own_files_full(used = used_mib, max = max_mib),
} }
