//! What the operator of the server maintains: keys, mail, backups and disks.

use app::NoSpace;
use app::operations::encryption::{KeyError, Remedy};
use app::refusal;

use crate::Language;

crate::texts! { Server = "error-server" {
    key_missing, key_first_in_use, key_unusable, remedy_change_setting, remedy_set_setting, mail_without_tls, mail_server;
    key_absent(key, secrets, remedy), key_open_to_others(path), key_malformed(path), key_unreadable(path, cause),
    key_unwritable(path, cause), remedy_add_to_file(path), remedy_copy_file(name, folder), mail_sender(address),
    backup_path(path, cause), disk_full(free, needed, reserve), uploads_full(max), own_files_full(used, max),
} }

crate::texts! { Tls = "error-tls" {;
    unreadable(path, cause), no_certificate(path), malformed_certificate(path), no_key(path), key_mismatch(key, certificate),
    unsupported_key(path), setup(cause),
} }

crate::texts! { Redis = "error-redis" {
    malformed_url, authority_without_tls;
    authority_unreadable(path, cause), authority_malformed(path),
} }

pub fn secret_key(language: &'static Language, error: &KeyError) -> String {
    let texts = Server::load(language);
    match error {
        KeyError::Missing => texts.key_missing.to_owned(),
        KeyError::Absent { key_id, secrets, remedy } => texts.key_absent(key_id.as_str(), *secrets, key_remedy(language, remedy)),
        KeyError::FirstInUse => texts.key_first_in_use.to_owned(),
        KeyError::OpenToOthers { path } => texts.key_open_to_others(path.display().to_string()),
        KeyError::Malformed { path } => texts.key_malformed(path.display().to_string()),
        KeyError::Unreadable { path, cause } => texts.key_unreadable(path.display().to_string(), cause.as_str()),
        KeyError::Unwritable { path, cause } => texts.key_unwritable(path.display().to_string(), cause.as_str()),
        KeyError::Unusable => texts.key_unusable.to_owned(),
    }
}

pub fn key_remedy(language: &'static Language, remedy: &Remedy) -> String {
    let texts = Server::load(language);
    match remedy {
        Remedy::ChangeSetting => texts.remedy_change_setting.to_owned(),
        Remedy::SetSetting => texts.remedy_set_setting.to_owned(),
        Remedy::AddToFile(path) => texts.remedy_add_to_file(path.display().to_string()),
        Remedy::CopyFile { name, folder } => texts.remedy_copy_file(*name, folder.display().to_string()),
    }
}

pub fn mail(language: &'static Language, refusal: &refusal::Mail) -> String {
    let texts = Server::load(language);
    match refusal {
        refusal::Mail::Sender { address } => texts.mail_sender(address.as_str()),
        refusal::Mail::NoTls => texts.mail_without_tls.to_owned(),
        refusal::Mail::Server => texts.mail_server.to_owned(),
    }
}

pub fn backup(language: &'static Language, refusal: &refusal::Backup) -> String {
    match refusal {
        refusal::Backup::Path { path, cause } => Server::load(language).backup_path(path.display().to_string(), cause.as_str()),
    }
}

pub fn no_space(language: &'static Language, space: &NoSpace) -> String {
    let texts = Server::load(language);
    match space {
        NoSpace::Disk { free_mib, needed_mib, reserve_mib } => texts.disk_full(*free_mib, *needed_mib, *reserve_mib),
        NoSpace::Uploads { max_mib } => texts.uploads_full(*max_mib),
        NoSpace::OwnFiles { used_mib, max_mib } => texts.own_files_full(*used_mib, *max_mib),
    }
}
