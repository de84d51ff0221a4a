//! Accounts, as the operator manages them.

use argon2::Argon2;
use argon2::password_hash::PasswordHasher;
use ledger::Currency;
use store::users::{self, NewUser, User};
use store::{Tx, versions};
use uuid::Uuid;

use crate::{App, Error};

pub struct NewAccount<'a> {
    pub email: &'a str,
    pub name: Option<&'a str>,
    pub currency: &'a str,
    /// ISO 3166 code of the country of tax residence.
    pub residence: Option<&'a str>,
    pub password: Option<&'a str>,
}

pub async fn add(app: &App, account: &NewAccount<'_>) -> Result<Uuid, Error> {
    let user = NewUser {
        id: Uuid::now_v7(),
        email: email(account.email)?,
        name: account.name.map(name).transpose()?,
        preferred_currency: Currency::parse(account.currency).map_err(|unknown| Error::refused(unknown.to_string()))?,
        residence: account.residence.map(residence).transpose()?,
        password_hash: account.password.map(password_hash).transpose()?,
        created_at: app.clock.now_micros(),
    };
    let mut tx = app.store.write().await?;
    users::add(&mut tx, &user).await.map_err(|error| match error {
        store::Error::Conflict(store::Rule::Email) => Error::refused(format!("there is an account {} already", user.email)),
        other => other.into(),
    })?;
    tx.commit().await?;
    Ok(user.id)
}

pub async fn list(app: &App) -> Result<Vec<User>, Error> {
    Ok(users::list(&mut app.store.read().await?).await?)
}

pub async fn id_of(app: &App, email: &str) -> Result<Uuid, Error> {
    Ok(by_email(&mut app.store.read().await?, email).await?.id)
}

/// A disabled account's tokens are refused from the next request on.
pub async fn set_disabled(app: &App, email: &str, disabled: bool) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    users::set_disabled(&mut tx, user.id, disabled).await?;
    Ok(tx.commit().await?)
}

/// Deletes the account and every row of it.
pub async fn delete(app: &App, email: &str) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    users::delete(&mut tx, user.id).await?;
    versions::bump_tracking(&mut tx).await?;
    tx.commit().await?;
    Ok(app.store.checkpoint().await?)
}

pub(crate) async fn by_email(tx: &mut Tx, email: &str) -> Result<User, Error> {
    users::by_email(tx, email).await?.ok_or_else(|| Error::UnknownAccount(email.trim().to_owned()))
}

fn email(text: &str) -> Result<String, Error> {
    let email = text.trim();
    let shaped = email.split_once('@').is_some_and(|(local, host)| !local.is_empty() && !host.is_empty() && !host.contains('@'));
    match shaped && email.len() <= 254 && !email.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
        true => Ok(email.to_owned()),
        false => Err(Error::refused(format!("\"{email}\" is not an e-mail address such as ana@example.com"))),
    }
}

fn name(text: &str) -> Result<String, Error> {
    let name = text.trim();
    match name.is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control) {
        true => Err(Error::refused("a name has 1 to 100 characters")),
        false => Ok(name.to_owned()),
    }
}

fn residence(text: &str) -> Result<String, Error> {
    let code = text.trim().to_uppercase();
    let known = code.len() == 2 && ledger::withholding::country_code(&code).is_some();
    if known {
        Ok(code)
    } else {
        Err(Error::refused(format!("\"{text}\" is not a country code of two letters, such as ES or US")))
    }
}

fn password_hash(password: &str) -> Result<String, Error> {
    if password.chars().count() < 15 || password.len() > 1024 {
        return Err(Error::refused("a password has at least 15 characters and at most 1,024 bytes"));
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|error| Error::Randomness(error.to_string()))
}
