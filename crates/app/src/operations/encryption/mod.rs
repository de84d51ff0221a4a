//! Encryption at rest: secrets that the service must read again are encrypted with a key kept outside the database, so a backup
//! alone reveals none of them. The database stores the id of the current key.

mod key;
pub(crate) mod key_error;
mod keyring;

use store::service_settings::{self, Setting};
use store::{Store, Tx, encryption_keys, totp};
use uuid::Uuid;

use crate::{App, Error};

pub use key::Key;
pub use key_error::{KeyError, Remedy};
pub use keyring::{FILE, KeySource};

pub(crate) use key::{Context, key_id_of};
pub(crate) use keyring::{Keyring, is_open_to_others};

/// The result of rotating the key.
pub struct Rotated {
    /// The id of the new key.
    pub key_id: String,
    pub encrypted: usize,
    /// Secrets whose key is missing; they stay unchanged.
    pub unreadable: usize,
}

/// Facts for `doctor`.
pub struct Status {
    /// The id of the key that the database names; `None` if nothing is encrypted.
    pub key_id: Option<String>,
    pub is_here: bool,
    pub secrets: usize,
    /// Secrets whose key is missing.
    pub unreadable: usize,
}

/// Call before serving. Encrypts secrets that an older version stored in plain text, creates a key if there is none, and refuses
/// a database whose key is missing.
pub async fn prepare(app: &App) -> Result<(), Error> {
    ensure_key(app).await?;
    // Overwritten plain text may still be in the log.
    if let Err(error) = app.store.checkpoint().await {
        tracing::warn!(%error, "the database's log could not be emptied; it is when the service stops");
    }
    Ok(())
}

/// The same, before encrypting something.
pub(crate) async fn ensure_key(app: &App) -> Result<(), Error> {
    if is_ready(app, &mut app.store.read().await?).await? {
        return Ok(());
    }
    let mut tx = app.store.write().await?;
    // Read again: another node may have been first.
    if is_ready(app, &mut tx).await? {
        return Ok(());
    }
    let key = app.keyring.first_or_new()?;
    let secrets = totp::secrets(&mut tx).await?;
    let encrypted: Result<Vec<_>, Error> =
        secrets.iter().map(|(user_id, secret)| Ok((*user_id, key.encrypt(&totp_secret(user_id), secret)?))).collect();
    totp::replace_secrets(&mut tx, &encrypted?).await?;
    encryption_keys::set_current(&mut tx, &key.id, app.clock.now_micros()).await?;
    tx.commit().await?;
    let (id, secrets) = (key.id(), secrets.len());
    match (app.store.file(), app.keyring.source()) {
        (None, KeySource::DataFolder(_)) => {
            tracing::warn!(
                key = id,
                secrets,
                "second factors are encrypted with a key of this node; set DRIPLINE_SECRET_KEY_FILE"
            );
        }
        _ => tracing::info!(key = id, secrets, "second factors are encrypted"),
    }
    Ok(())
}

/// Whether the key that the database names is available. False if it names none, or one that nothing is encrypted with and no
/// other node can have.
async fn is_ready(app: &App, tx: &mut Tx) -> Result<bool, Error> {
    let Some(id) = encryption_keys::current(tx).await? else { return Ok(false) };
    if app.keyring.find(&id)?.is_some() {
        return Ok(true);
    }
    let secrets = secrets(tx).await?.len();
    if secrets == 0 && app.store.file().is_some() {
        return Ok(false);
    }
    Err(KeyError::Absent { key_id: key::hex(&id), secrets, remedy: app.keyring.remedy() }.into())
}

/// Encrypts all secrets again, in one transaction, with the first configured key, or with a new key in the data folder's file.
/// Running nodes continue as long as they have both keys. An interrupted rotation is completed by running it again.
pub async fn rotate(app: &App, lost: bool) -> Result<Rotated, Error> {
    if !lost || encryption_keys::current(&mut app.store.read().await?).await?.is_none() {
        ensure_key(app).await?;
    }
    // The key file is also only written under the exclusive write lock.
    let mut tx = app.store.write().await?;
    tx.allow_long_statements().await?;
    let key = next_key(app, &mut tx).await?;
    let secrets = secrets(&mut tx).await?;
    let mut encrypted = 0;
    for (place, secret) in &secrets {
        if let Some(plain) = app.keyring.decrypt(&place.context(), secret)? {
            place.replace(&mut tx, key.encrypt(&place.context(), &plain)?).await?;
            encrypted += 1;
        }
    }
    encryption_keys::set_current(&mut tx, &key.id, app.clock.now_micros()).await?;
    tx.commit().await?;
    app.store.checkpoint().await?;
    Ok(Rotated { key_id: key.id(), encrypted, unreadable: secrets.len() - encrypted })
}

/// The first configured key, if something is to be encrypted with it or another was in use; else a new one.
async fn next_key(app: &App, tx: &mut Tx) -> Result<Key, Error> {
    let current = encryption_keys::current(tx).await?.unwrap_or_default();
    let Some(first) = app.keyring.first()? else { return app.keyring.add_new() };
    let mut is_wanted = first.id != *current;
    for (_, secret) in secrets(tx).await? {
        let other = key_id_of(&secret).filter(|id| *id != first.id);
        is_wanted |= other.map(|id| app.keyring.find(id)).transpose()?.flatten().is_some();
    }
    if is_wanted { Ok(first) } else { app.keyring.add_new() }
}

/// Which key a database needs; `None` if nothing is encrypted.
pub async fn key_id(store: &Store) -> Result<Option<String>, Error> {
    Ok(encryption_keys::current(&mut store.read().await?).await?.as_deref().map(key::hex))
}

/// Changes nothing.
pub async fn status(app: &App) -> Result<Status, Error> {
    let mut tx = app.store.read().await?;
    let id = encryption_keys::current(&mut tx).await?;
    let secrets = secrets(&mut tx).await?;
    let mut unreadable = 0;
    for (place, secret) in &secrets {
        unreadable += usize::from(app.keyring.decrypt(&place.context(), secret)?.is_none());
    }
    let is_here = match &id {
        Some(id) => app.keyring.find(id)?.is_some(),
        None => true,
    };
    Ok(Status { key_id: id.as_deref().map(key::hex), is_here, secrets: secrets.len(), unreadable })
}

/// Encrypts with the key that the database names; call [`ensure_key`] first.
pub(crate) async fn encrypt(app: &App, tx: &mut Tx, context: &Context<'_>, plain: &[u8]) -> Result<Vec<u8>, Error> {
    let id = encryption_keys::current(tx).await?.unwrap_or_default();
    let key = app.keyring.find(&id)?.ok_or_else(|| KeyError::Absent {
        key_id: key::hex(&id),
        secrets: 1,
        remedy: app.keyring.remedy(),
    })?;
    key.encrypt(context, plain)
}

/// Where an encrypted secret is stored.
enum Place {
    Totp(Uuid),
    Setting(String),
}

impl Place {
    fn context(&self) -> Context<'_> {
        match self {
            Place::Totp(user_id) => totp_secret(user_id),
            Place::Setting(name) => setting_secret(name),
        }
    }

    async fn replace(&self, tx: &mut Tx, secret: Vec<u8>) -> Result<(), Error> {
        let replaced = match self {
            Place::Totp(user_id) => totp::replace_secrets(tx, &[(*user_id, secret)]).await,
            Place::Setting(name) => {
                service_settings::put(tx, &Setting { name: name.clone(), value: None, secret: Some(secret) }).await
            }
        };
        Ok(replaced?)
    }
}

async fn secrets(tx: &mut Tx) -> Result<Vec<(Place, Vec<u8>)>, Error> {
    let factors = totp::secrets(tx).await?.into_iter().map(|(user_id, secret)| (Place::Totp(user_id), secret));
    let settings = service_settings::all(tx).await?.into_iter();
    let settings = settings.filter_map(|setting| Some((Place::Setting(setting.name), setting.secret?)));
    Ok(factors.chain(settings).collect())
}

pub(crate) fn setting_secret(name: &str) -> Context<'_> {
    Context { purpose: "setting", row: name.as_bytes() }
}

pub(crate) fn totp_secret(user_id: &Uuid) -> Context<'_> {
    Context { purpose: "totp", row: user_id.as_bytes() }
}
