//! Where the keys come from. The first of several is the one to change to; the others can still decrypt.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwapOption;

use super::key::{Context, Key, key_id_of};
use super::key_error::{KeyError, Remedy};
use crate::Error;

/// In the data folder.
pub const FILE: &str = "secret.key";

#[derive(Clone)]
pub enum KeySource {
    /// In a setting.
    Given(Vec<Key>),
    /// A file chosen by the operator.
    File(PathBuf),
    /// A file in the data folder, created when first needed.
    DataFolder(PathBuf),
    /// None was given, and there is no folder to create one in.
    Nowhere,
}

impl KeySource {
    /// Keys in hexadecimal or base 64, separated by spaces, lines or commas. `None` if one of them is invalid.
    pub fn parse(text: &str) -> Option<Vec<Key>> {
        let words = text.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|word| !word.is_empty());
        words.map(Key::parse).collect::<Option<Vec<Key>>>().filter(|keys| !keys.is_empty())
    }

    /// The file with the keys, if there is one.
    pub fn path(&self) -> Option<PathBuf> {
        match self {
            KeySource::File(path) => Some(path.clone()),
            KeySource::DataFolder(folder) => Some(folder.join(FILE)),
            KeySource::Given(_) | KeySource::Nowhere => None,
        }
    }
}

/// Reads its source when first used, and again when an unknown key is requested.
pub(crate) struct Keyring {
    source: KeySource,
    keys: ArcSwapOption<Vec<Key>>,
}

impl Keyring {
    pub fn new(source: KeySource) -> Keyring {
        Keyring { source, keys: ArcSwapOption::empty() }
    }

    pub fn source(&self) -> &KeySource {
        &self.source
    }

    pub fn find(&self, id: &[u8]) -> Result<Option<Key>, Error> {
        let among = |keys: &[Key]| keys.iter().find(|key| key.id == id).cloned();
        match self.keys.load().as_deref().and_then(|keys| among(keys)) {
            Some(key) => Ok(Some(key)),
            None => Ok(among(&self.read()?)),
        }
    }

    /// `None` if its key is missing, or it is not what was encrypted.
    pub fn decrypt(&self, context: &Context<'_>, made: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let Some(id) = key_id_of(made) else { return Ok(None) };
        Ok(self.find(id)?.and_then(|key| key.decrypt(context, made)))
    }

    pub fn first(&self) -> Result<Option<Key>, Error> {
        Ok(self.read()?.first().cloned())
    }

    pub fn first_or_new(&self) -> Result<Key, Error> {
        match self.first()? {
            Some(key) => Ok(key),
            None => self.add_new(),
        }
    }

    /// Adds a new key before the others in the data folder's file.
    pub fn add_new(&self) -> Result<Key, Error> {
        let folder = match &self.source {
            KeySource::DataFolder(folder) => folder,
            KeySource::Nowhere => return Err(KeyError::Missing.into()),
            KeySource::Given(_) | KeySource::File(_) => {
                return Err(KeyError::FirstInUse.into());
            }
        };
        let key = Key::generate()?;
        let old = self.read()?;
        let lines: Vec<String> = std::iter::once(&key).chain(old.iter()).map(|key| format!("{}\n", key.text())).collect();
        let path = folder.join(FILE);
        let written = create_private_folder(folder).and_then(|()| write_private(&path, &lines.concat()));
        written.map_err(|error| KeyError::Unwritable { path: path.clone(), cause: error.to_string() })?;
        self.read()?;
        Ok(key)
    }

    /// What to do about a missing key.
    pub fn remedy(&self) -> Remedy {
        match &self.source {
            KeySource::Given(_) => Remedy::ChangeSetting,
            KeySource::File(path) => Remedy::AddToFile(path.clone()),
            KeySource::DataFolder(folder) => Remedy::CopyFile { name: FILE, folder: folder.clone() },
            KeySource::Nowhere => Remedy::SetSetting,
        }
    }

    fn read(&self) -> Result<Arc<Vec<Key>>, Error> {
        let keys = match &self.source {
            KeySource::Given(keys) => keys.clone(),
            KeySource::File(path) => parsed(path, &read_file(path)?)?,
            KeySource::DataFolder(folder) => of_data_folder(&folder.join(FILE))?,
            KeySource::Nowhere => Vec::new(),
        };
        let keys = Arc::new(keys);
        self.keys.store(Some(keys.clone()));
        Ok(keys)
    }
}

fn of_data_folder(path: &Path) -> Result<Vec<Key>, Error> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    if is_open_to_others(path) {
        return Err(KeyError::OpenToOthers { path: path.to_owned() }.into());
    }
    parsed(path, &read_file(path)?)
}

fn read_file(path: &Path) -> Result<String, Error> {
    Ok(fs::read_to_string(path).map_err(|error| KeyError::Unreadable { path: path.to_owned(), cause: error.to_string() })?)
}

fn parsed(path: &Path, text: &str) -> Result<Vec<Key>, Error> {
    Ok(KeySource::parse(text).ok_or_else(|| KeyError::Malformed { path: path.to_owned() })?)
}

#[cfg(unix)]
pub(crate) fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
pub(crate) fn is_open_to_others(_path: &Path) -> bool {
    false
}

fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Written completely or not at all, and synced to disk before anything is encrypted with it.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension(format!("new-{}", uuid::Uuid::now_v7().simple()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written?;
    match path.parent() {
        Some(folder) if cfg!(unix) => fs::File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}
