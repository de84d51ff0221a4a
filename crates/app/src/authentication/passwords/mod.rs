//! Passwords: which are strong enough, and how they are hashed, one at a time per process.

mod breached;
mod predictable;

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{App, Error, refusal};

const CHARS_MIN: usize = 15;
const OWN_CHARS_MIN: usize = 12;
const BYTES_MAX: usize = 1024;
const MEMORY_KIB: u32 = 47_104;
const PASSES: u32 = 1;
const WAITING_MAX: usize = 8;
/// Hashed if there is nothing to compare with, so that it takes the same time.
const NOBODY: &[u8; 16] = b"nobody has this.";

/// The result of comparing a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    pub right: bool,
    /// It is stored with weaker parameters than today's.
    pub rehash: bool,
}

/// Whether it is strong enough to be the only factor. `words` are what somebody guessing this user's password would try first.
pub fn check(password: &str, words: &[&str]) -> Result<(), Error> {
    check_length(password)?;
    let own = ["dripline", "dividend", "dividends", "portfolio"];
    let halves = words.iter().flat_map(|word| word.split('@'));
    let parts = words.iter().flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric()));
    let words: Vec<&str> = own.into_iter().chain(words.iter().copied()).chain(halves).chain(parts).collect();
    if predictable::own_characters(password, &words) < OWN_CHARS_MIN {
        return Err(refusal::Password::TooEasy.into());
    }
    match breached::contains(password) {
        true => Err(refusal::Password::Breached.into()),
        false => Ok(()),
    }
}

fn check_length(password: &str) -> Result<(), Error> {
    match password.chars().count() < CHARS_MIN || password.len() > BYTES_MAX {
        true => Err(refusal::Password::Length { chars_min: CHARS_MIN, bytes_max: BYTES_MAX }.into()),
        false => Ok(()),
    }
}

/// Checks and hashes a new password, both in one turn of the queue and off the async workers.
pub async fn hash_new(app: &App, password: &str, words: &[&str]) -> Result<String, Error> {
    check_length(password)?;
    let turn = app.hasher.turn().await?;
    let (password, words) = (password.to_owned(), words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    let hashed = off_the_runtime(turn, move || {
        check(&password, &words.iter().map(String::as_str).collect::<Vec<_>>())?;
        hash_now(&password)
    });
    hashed.await?
}

/// The stored form, with its salt and parameters.
pub async fn hash(app: &App, password: &str) -> Result<String, Error> {
    let turn = app.hasher.turn().await?;
    hash_in(turn, password).await
}

/// Takes the same time with or without a stored password.
pub async fn verify(app: &App, stored: Option<&str>, password: &str) -> Result<Verdict, Error> {
    let turn = app.hasher.turn().await?;
    verify_in(turn, stored, password).await
}

/// Limits who may hash now and who waits.
pub struct Hasher {
    places: Arc<Semaphore>,
    one: Arc<Semaphore>,
}

/// Permission to hash once. Kept until the hash is done, even if nobody waits for it any more.
pub(crate) struct Turn {
    _place: OwnedSemaphorePermit,
    _one: OwnedSemaphorePermit,
}

impl Default for Hasher {
    fn default() -> Hasher {
        Hasher { places: Arc::new(Semaphore::new(1 + WAITING_MAX)), one: Arc::new(Semaphore::new(1)) }
    }
}

impl Hasher {
    pub(crate) async fn turn(&self) -> Result<Turn, Error> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Error::Busy)?;
        let one = self.one.clone().acquire_owned().await.map_err(|_| Error::Busy)?;
        Ok(Turn { _place: place, _one: one })
    }
}

pub(crate) async fn hash_in(turn: Turn, password: &str) -> Result<String, Error> {
    let password = password.to_owned();
    off_the_runtime(turn, move || hash_now(&password)).await?
}

fn hash_now(password: &str) -> Result<String, Error> {
    let hashed = argon2().and_then(|argon2| Ok(argon2.hash_password(password.as_bytes())?.to_string()));
    Ok(hashed?)
}

pub(crate) async fn verify_in(turn: Turn, stored: Option<&str>, password: &str) -> Result<Verdict, Error> {
    let (stored, password) = (stored.map(str::to_owned), password.to_owned());
    let verdict = off_the_runtime(turn, move || compare(stored.as_deref(), password.as_bytes())).await?;
    verdict.map_err(|cause| Error::StoredPasswordHash { cause })
}

fn compare(stored: Option<&str>, password: &[u8]) -> Result<Verdict, argon2::password_hash::Error> {
    // Longer passwords were never accepted, and take time to hash.
    let password = &password[..password.len().min(BYTES_MAX + 1)];
    let Some(stored) = stored else {
        let _: PasswordHash = argon2()?.hash_password_with_salt(password, NOBODY)?;
        return Ok(Verdict { right: false, rehash: false });
    };
    let stored = PasswordHash::new(stored)?;
    let right = argon2()?.verify_password(password, &stored).is_ok();
    let params = Params::try_from(&stored)?;
    let rehash = params.m_cost() * params.t_cost() < MEMORY_KIB * PASSES || stored.algorithm != Algorithm::Argon2id.ident();
    Ok(Verdict { right, rehash })
}

fn argon2() -> Result<Argon2<'static>, argon2::password_hash::Error> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

async fn off_the_runtime<T: Send + 'static>(turn: Turn, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(move || {
        let result = work();
        drop(turn);
        result
    });
    done.await.map_err(|_| Error::Busy)
}
