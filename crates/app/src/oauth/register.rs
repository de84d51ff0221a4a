//! Self-registration of apps.

use store::oauth::clients::{self, AuthMethod, Kind};

use super::clients::{Client, REDIRECTS_MAX, new_client};
use super::redirects::{self, Way};
use super::{Failure, MetadataError, Refused, names, prune};
use crate::App;
use crate::authentication::secret;

pub const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";
pub const GRANT_TYPES: [&str; 3] = ["authorization_code", "refresh_token", DEVICE_GRANT];
/// Without any grant yet: if too many register, the oldest are deleted.
const WAITING_MAX: i64 = 20_000;

/// An app's own metadata.
#[derive(Debug, Default, Clone)]
pub struct Registration {
    pub name: Option<String>,
    pub redirect_uris: Vec<String>,
    pub auth_method: Option<String>,
    pub grant_types: Option<Vec<String>>,
    pub response_types: Option<Vec<String>>,
    /// `native` or `web`.
    pub application_type: Option<String>,
    pub scope: Option<String>,
}

pub struct Registered {
    pub client: Client,
    pub secret: Option<String>,
    pub grant_types: Vec<String>,
    pub created_at: i64,
}

/// The app's redirect addresses and authentication, or why it is refused.
pub fn check(registration: &Registration) -> Result<(Vec<String>, AuthMethod), Refused> {
    let grant_types = grant_types(registration)?;
    let only_devices = !grant_types.iter().any(|grant| grant == "authorization_code");
    check_redirects(&registration.redirect_uris, only_devices)?;
    if registration.response_types.as_ref().is_some_and(|types| types.iter().any(|kind| kind != "code")) {
        return Err(metadata(MetadataError::ResponseType));
    }
    super::check_scope(registration.scope.as_deref()).map_err(|_| metadata(MetadataError::Scope))?;
    Ok((grant_types, auth_method(registration)?))
}

pub async fn register(app: &App, registration: &Registration) -> Result<Registered, Failure> {
    let (grant_types, auth_method) = check(registration)?;
    let devices = grant_types.iter().any(|grant| grant == DEVICE_GRANT);
    let host = registration.redirect_uris.first().map(|uri| redirects::shown_host(uri));
    let named = registration.name.as_deref().map(names::shown_name).filter(|name| !name.is_empty());
    let name = named.or(host).unwrap_or_default();
    let made = new_client(app, Kind::Registered, name, registration.redirect_uris.clone(), auth_method, devices)?;
    let mut tx = app.store.write().await?;
    prune::clients(&mut tx, made.row.created_at).await?;
    let too_many = clients::count_waiting(&mut tx).await? + 1 - WAITING_MAX;
    if too_many > 0 {
        clients::delete_oldest_waiting(&mut tx, too_many).await?;
    }
    clients::put(&mut tx, &made.row, made.secret.as_deref().map(secret::hash).as_ref()).await?;
    tx.commit().await?;
    let created_at = made.row.created_at;
    Ok(Registered { client: made.row, secret: made.secret, grant_types, created_at })
}

fn grant_types(registration: &Registration) -> Result<Vec<String>, Refused> {
    let default = || GRANT_TYPES[..2].iter().map(|grant| (*grant).to_owned()).collect();
    let grants = registration.grant_types.clone().unwrap_or_else(default);
    if grants.is_empty() || grants.iter().any(|grant| !GRANT_TYPES.contains(&grant.as_str())) {
        return Err(metadata(MetadataError::GrantTypes));
    }
    Ok(grants)
}

fn check_redirects(uris: &[String], only_devices: bool) -> Result<(), Refused> {
    if uris.len() > REDIRECTS_MAX || uris.is_empty() && !only_devices {
        return Err(Refused::RedirectCount { max: REDIRECTS_MAX });
    }
    match uris.iter().find(|uri| redirects::way(uri).is_none()) {
        None => Ok(()),
        Some(_) => Err(Refused::RedirectMalformed),
    }
}

/// An app on a user's machine cannot keep a secret; one that does not ask for a secret gets none.
fn auth_method(registration: &Registration) -> Result<AuthMethod, Refused> {
    let native = match registration.application_type.as_deref() {
        None => registration.redirect_uris.iter().any(|uri| redirects::way(uri) != Some(Way::Web)),
        Some("native") => true,
        Some("web") => false,
        Some(_) => return Err(metadata(MetadataError::ApplicationType)),
    };
    let Some(method) = registration.auth_method.as_deref() else {
        return Ok(if native { AuthMethod::None } else { AuthMethod::SecretBasic });
    };
    let method = AuthMethod::of_word(method).ok_or_else(|| metadata(MetadataError::AuthMethod))?;
    match registration.application_type.as_deref() == Some("native") && method != AuthMethod::None {
        true => Err(metadata(MetadataError::SecretOfNativeApp)),
        false => Ok(method),
    }
}

fn metadata(error: MetadataError) -> Refused {
    Refused::Metadata(error)
}
