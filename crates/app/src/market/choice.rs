//! The owner's choice of market-data providers. It is stored in the database, with encrypted keys, and applies on all nodes
//! unless the operator configured providers.

use std::sync::Arc;
use std::time::Duration;

use store::service_settings::{self, Setting};
use store::users;
use uuid::Uuid;

use crate::accounts::audit::{self, Event};
use crate::market::sources::{Origin, PROVIDER_NAMES, ProviderConfig, Sources};
use crate::operations::encryption;
use crate::operations::jobs::health::{record_health, replace_sources};
use crate::{App, Error, refusal};

pub use market::{Failure, needs_key};

/// How soon this node notices what another stored.
const FOLLOW_EVERY: Duration = Duration::from_secs(1);
const AFTER_TROUBLE: Duration = Duration::from_secs(10);

/// The setting with the names in order of preference; empty for none.
const ORDER: &str = "provider";
const KEY_CHARS_MAX: usize = 200;

/// No `Debug`: the keys must not appear in a log.
pub struct Choice<'a> {
    /// In order of preference; empty for none.
    pub order: &'a [&'a str],
    /// New keys by provider. Other providers keep theirs; the key of a provider that is not in the order is deleted.
    pub keys: &'a [(&'a str, &'a str)],
}

/// The providers that an owner can choose. `files` is the operator's: it watches a folder of the server.
pub fn offered() -> impl Iterator<Item = &'static str> {
    PROVIDER_NAMES.iter().copied().filter(|name| *name != "files")
}

/// Opens what is stored, unless the operator configured providers.
pub async fn load(app: &App) -> Result<(), Error> {
    let current = app.sources();
    if current.origin.is_configured() {
        return Ok(());
    }
    let stored = service_settings::all(&mut app.store.read().await?).await?;
    if stored == current.stored {
        return Ok(());
    }
    replace_sources(app, open(app, stored)?).await
}

/// Keeps up with what other nodes and commands store. Runs until it is dropped.
pub(crate) async fn follow(app: Arc<App>) {
    if app.sources().origin.is_configured() {
        return;
    }
    loop {
        let pause = match load(&app).await {
            Ok(()) => FOLLOW_EVERY,
            Err(error) => {
                tracing::warn!(%error, "the owner's choice of market-data providers could not be read");
                AFTER_TROUBLE
            }
        };
        tokio::time::sleep(pause).await;
    }
}

fn open(app: &App, stored: Vec<Setting>) -> Result<Sources, Error> {
    let Some(order) = stored.iter().find(|setting| setting.name == ORDER).and_then(|setting| setting.value.as_deref()) else {
        return Ok(Sources { stored, ..Sources::default() });
    };
    let (mut configs, mut without_key) = (Vec::new(), Vec::new());
    for name in order.split(',').filter(|name| offered().any(|offered| offered == *name)) {
        let config = with_stored_key(app, app.configured.provider(name), &stored)?;
        match config.key.is_none() && needs_key(name) {
            true => without_key.push(name.to_owned()),
            false => configs.push(config),
        }
    }
    let sources = Sources::open(Origin::Owner, &configs, app.configured.folder.clone())?;
    Ok(Sources { without_key, stored, ..sources })
}

/// The operator's key takes precedence.
fn with_stored_key(app: &App, mut config: ProviderConfig, stored: &[Setting]) -> Result<ProviderConfig, Error> {
    let name = key_setting(&config.name);
    if let (None, Some(secret)) = (&config.key, stored.iter().find(|one| one.name == name).and_then(|one| one.secret.as_ref())) {
        let key = app.keyring.decrypt(&encryption::setting_secret(&name), secret)?;
        config.key = key.and_then(|key| String::from_utf8(key).ok());
    }
    Ok(config)
}

fn key_setting(provider: &str) -> String {
    format!("{provider}_key")
}

/// Stores the choice, and uses it from now on.
pub async fn choose(app: &App, user_id: Uuid, choice: &Choice<'_>) -> Result<(), Error> {
    if app.sources().origin.is_configured() {
        return Err(refusal::Market::ConfiguredByOperator.into());
    }
    check(choice)?;
    encryption::ensure_key(app).await?;
    let mut tx = app.store.write_for(user_id).await?;
    if users::owner(&mut tx).await? != Some(user_id) {
        return Err(refusal::Market::NotOwner.into());
    }
    let stored = service_settings::all(&mut tx).await?;
    for name in offered() {
        let setting = key_setting(name);
        let key = choice.keys.iter().find(|(provider, _)| *provider == name).map(|(_, key)| *key);
        match key {
            _ if !choice.order.contains(&name) => drop(service_settings::remove(&mut tx, &setting).await?),
            Some(key) => {
                let context = encryption::setting_secret(&setting);
                let secret = encryption::encrypt(app, &mut tx, &context, key.as_bytes()).await?;
                let setting = Setting { name: setting, value: None, secret: Some(secret) };
                service_settings::put(&mut tx, &setting).await?;
            }
            None if needs_key(name) && with_stored_key(app, app.configured.provider(name), &stored)?.key.is_none() => {
                return Err(refusal::Market::ChosenWithoutKey { provider: name }.into());
            }
            None => {}
        }
    }
    let order = choice.order.join(",");
    audit::record(&mut tx, user_id, app.clock.now_micros(), Event::ProvidersChosen, &order).await?;
    service_settings::put(&mut tx, &Setting { name: ORDER.to_owned(), value: Some(order), secret: None }).await?;
    tx.commit().await?;
    load(app).await
}

/// Whether the choice can be stored, apart from missing keys.
pub fn check(choice: &Choice<'_>) -> Result<(), Error> {
    let unknown = |name: &&&str| !offered().any(|offered| offered == **name);
    if let Some(name) = choice.order.iter().find(unknown) {
        return Err(refusal::Market::NotOffered { provider: (*name).to_owned() }.into());
    }
    if let Some(name) =
        choice.order.iter().enumerate().find(|(at, name)| choice.order[..*at].contains(name)).map(|(_, name)| name)
    {
        return Err(refusal::Market::ChosenTwice { provider: (*name).to_owned() }.into());
    }
    for (name, key) in choice.keys {
        if key.is_empty() || key.len() > KEY_CHARS_MAX || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(refusal::Market::MalformedKey { provider: (*name).to_owned(), max: KEY_CHARS_MAX }.into());
        }
    }
    Ok(())
}

/// Sends the provider one real request, with this key or else the one that is set.
pub async fn test(app: &App, provider: &str, key: Option<&str>) -> Result<Result<(), Failure>, Error> {
    if !offered().any(|offered| offered == provider) {
        return Err(refusal::Market::NotOffered { provider: provider.to_owned() }.into());
    }
    let mut config = app.configured.provider(provider);
    match key {
        Some(key) => config.key = Some(key.to_owned()),
        None => config = with_stored_key(app, config, &service_settings::all(&mut app.store.read().await?).await?)?,
    }
    let market = market::open(&[config]).map_err(|error| refusal::Market::Settings { error })?;
    let result = market.test(app.clock.today()).await;
    record_health(app, &market.health()).await?;
    Ok(result)
}

/// The providers whose key is set, by the operator or by the owner.
pub async fn with_key(app: &App) -> Result<Vec<&'static str>, Error> {
    let stored = service_settings::all(&mut app.store.read().await?).await?;
    let mut names = Vec::new();
    for name in offered().filter(|name| needs_key(name)) {
        if with_stored_key(app, app.configured.provider(name), &stored)?.key.is_some() {
            names.push(name);
        }
    }
    Ok(names)
}
