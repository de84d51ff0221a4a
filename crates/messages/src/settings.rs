//! The settings file.

use crate::Keys;

pub const KEYS: &[Keys] = &[File::KEYS];

crate::texts! { File = "settings" {
    key, mail_server, address;
    unusable(path, line, problem), unusable_setting(path, line, setting, problem),
} }
