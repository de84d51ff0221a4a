//! Errors of the secret key.

use std::fmt;
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("no secret key is set")]
    Missing,

    /// The key that the database names is missing, although secrets are encrypted with it.
    #[error("key {key_id} is not here; {secrets} second factor(s) need it")]
    Absent { key_id: String, secrets: usize, remedy: Remedy },

    /// It should be replaced by the first of the given keys, but already is that key.
    #[error("the first key is in use already")]
    FirstInUse,

    #[error("{} can be read by others", path.display())]
    OpenToOthers { path: PathBuf },

    #[error("{} holds no key", path.display())]
    Malformed { path: PathBuf },

    #[error("{} cannot be read: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: String },

    #[error("{} cannot be written: {cause}", path.display())]
    Unwritable { path: PathBuf, cause: String },

    #[error("the cipher refused the key")]
    Unusable,
}

/// What to do about a missing key, which depends on where keys come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    ChangeSetting,
    SetSetting,
    AddToFile(PathBuf),
    CopyFile { name: &'static str, folder: PathBuf },
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remedy::ChangeSetting => f.write_str("set DRIPLINE_SECRET_KEY to it"),
            Remedy::SetSetting => f.write_str("set DRIPLINE_SECRET_KEY or DRIPLINE_SECRET_KEY_FILE"),
            Remedy::AddToFile(path) => write!(f, "put it into {}, the file of DRIPLINE_SECRET_KEY_FILE", path.display()),
            Remedy::CopyFile { name, folder } => write!(f, "put the old {name} into {}", folder.display()),
        }
    }
}

impl KeyError {
    pub fn code(&self) -> &'static str {
        match self {
            KeyError::Missing => "secret_key_missing",
            KeyError::Absent { .. } => "secret_key_absent",
            KeyError::FirstInUse => "secret_key_in_use",
            KeyError::OpenToOthers { .. } => "secret_key_open_to_others",
            KeyError::Malformed { .. } => "secret_key_malformed",
            KeyError::Unreadable { .. } => "secret_key_unreadable",
            KeyError::Unwritable { .. } => "secret_key_unwritable",
            KeyError::Unusable => "secret_key_unusable",
        }
    }
}
