//! The audit log of an account, for its owner to see. Each row's hash covers the previous row, so changing a row or removing one
//! from the middle breaks the chain. The hash covers a salted digest instead of the detail, so that detail and salt can be
//! deleted with the account and the chain stays valid.

use std::net::IpAddr;

use sha2::{Digest, Sha256};
use store::Tx;
use store::audit::{self, Record};
use uuid::Uuid;

use crate::authentication::secret;
use crate::{App, Error, refusal};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    AccountMade,
    /// Somebody tried to sign up with this account's address.
    SignUpAgain,
    SignedIn,
    SignInFailed,
    SignedOut,
    SessionEnded,
    TokenCreated,
    TokenRevoked,
    FeedCreated,
    FeedRevoked,
    AppAllowed,
    AppRevoked,
    /// The operator removed the app from the service.
    AppRemoved,
    /// An app's code or token was used twice: it was stolen, and the grant was ended.
    TokenReused,
    PasswordChanged,
    PasswordReset,
    TotpOn,
    TotpOff,
    RecoveryCodesMade,
    RecoveryCodeUsed,
    ProfileChanged,
    EmailChanged,
    EmailVerified,
    /// The lock after wrong passwords was lifted, by a mailed link or by the operator.
    Unlocked,
    /// As the owner of the service: where market data comes from.
    ProvidersChosen,
    /// The account owns the service from now on.
    BecameOwner,
    Exported,
    /// As a list, which the password does not protect.
    TransactionsExported,
    Deleted,
}

impl Event {
    pub fn word(self) -> &'static str {
        match self {
            Event::AccountMade => "account_made",
            Event::SignUpAgain => "sign_up_again",
            Event::SignedIn => "signed_in",
            Event::SignInFailed => "sign_in_failed",
            Event::SignedOut => "signed_out",
            Event::SessionEnded => "session_ended",
            Event::TokenCreated => "token_created",
            Event::TokenRevoked => "token_revoked",
            Event::FeedCreated => "feed_created",
            Event::FeedRevoked => "feed_revoked",
            Event::AppAllowed => "app_allowed",
            Event::AppRevoked => "app_revoked",
            Event::AppRemoved => "app_removed",
            Event::TokenReused => "token_reused",
            Event::PasswordChanged => "password_changed",
            Event::PasswordReset => "password_reset",
            Event::TotpOn => "totp_on",
            Event::TotpOff => "totp_off",
            Event::RecoveryCodesMade => "recovery_codes_made",
            Event::RecoveryCodeUsed => "recovery_code_used",
            Event::ProfileChanged => "profile_changed",
            Event::EmailChanged => "email_changed",
            Event::EmailVerified => "email_verified",
            Event::Unlocked => "unlocked",
            Event::ProvidersChosen => "providers_chosen",
            Event::BecameOwner => "became_owner",
            Event::Exported => "exported",
            Event::TransactionsExported => "transactions_exported",
            Event::Deleted => "deleted",
        }
    }
}

/// Belongs in the same transaction as the action itself. A detail never contains a secret.
pub async fn record(tx: &mut Tx, user_id: Uuid, now: i64, event: Event, detail: &str) -> Result<(), Error> {
    let last = audit::list(tx, user_id, 1).await?.pop();
    let (position, before) = last.map_or((1, [0; 32]), |last| (last.position + 1, last.hash));
    let salt = secret::salt()?;
    let mut row = Record {
        position,
        at: now,
        event: event.word().to_owned(),
        detail: detail.to_owned(),
        digest: Some(digest(&salt, detail)),
        salt: Some(salt),
        hash: [0; 32],
    };
    row.hash = chained(&before, user_id, &row);
    Ok(audit::add(tx, user_id, &row).await?)
}

/// Removes the details of all of a user's rows. Old rows without a digest get one now, with new hashes for them and the following
/// rows, unless the chain is broken: then it stays so.
pub(crate) async fn forget_details(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    let rows = audit::all(tx, user_id).await?;
    let unbroken = holds(user_id, &rows);
    let (mut before, mut anew) = ([0; 32], false);
    for mut row in rows {
        anew |= row.digest.is_none() && unbroken;
        let digest = match row.digest {
            Some(digest) => digest,
            None => digest(&secret::salt()?, &row.detail),
        };
        row.digest = Some(digest);
        if anew {
            row.hash = chained(&before, user_id, &row);
        }
        audit::blank(tx, user_id, row.position, &digest, &row.hash).await?;
        before = row.hash;
    }
    Ok(())
}

/// Records an action that stores nothing else, such as an export.
pub async fn note(app: &App, user_id: Uuid, event: Event, detail: &str) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    record(&mut tx, user_id, app.clock.now_micros(), event, detail).await?;
    Ok(tx.commit().await?)
}

const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// Records an export, unless there were too many within a day. Counted and recorded in one step, so that simultaneous requests
/// cannot all pass.
pub(crate) async fn admit_export(app: &App, user_id: Uuid, event: Event, max: usize) -> Result<(), Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.write_for(user_id).await?;
    let all = audit::all(&mut tx, user_id).await?;
    let lately = all.iter().filter(|row| row.event == event.word() && now - row.at < DAY).count();
    if lately >= max {
        return Err(refusal::Export::TooMany { max }.into());
    }
    record(&mut tx, user_id, now, event, "").await?;
    Ok(tx.commit().await?)
}

/// Newest first.
pub async fn list(app: &App, user_id: Uuid, limit: i64) -> Result<Vec<Record>, Error> {
    Ok(audit::list(&mut app.store.read().await?, user_id, limit).await?)
}

/// In how many seconds fewer than `most` of these events will lie within the last `window` microseconds.
pub async fn wait_for(app: &App, user_id: Uuid, event: Event, most: usize, window: i64) -> Result<i64, Error> {
    let mut rows = audit::all(&mut app.store.read().await?, user_id).await?;
    rows.retain(|row| row.event == event.word());
    let blocking = rows.iter().rev().nth(most.saturating_sub(1)).map_or(0, |row| row.at + window - app.clock.now_micros());
    Ok(blocking.div_euclid(1_000_000).max(0) + 1)
}

/// Whether every row is unchanged; for deleted users, except the details.
pub async fn verify(app: &App, user_id: Uuid) -> Result<bool, Error> {
    Ok(holds(user_id, &audit::all(&mut app.store.read().await?, user_id).await?))
}

/// The number of chains, including those of deleted users, and how many of them are broken.
pub(crate) async fn verify_all(app: &App) -> Result<(usize, usize), Error> {
    let mut tx = app.store.read().await?;
    let users = audit::users(&mut tx).await?;
    let mut broken = 0;
    for user_id in &users {
        broken += usize::from(!holds(*user_id, &audit::all(&mut tx, *user_id).await?));
    }
    Ok((users.len(), broken))
}

fn holds(user_id: Uuid, rows: &[Record]) -> bool {
    let mut before = [0; 32];
    for (index, row) in rows.iter().enumerate() {
        let words = match (&row.digest, &row.salt) {
            (Some(known), Some(salt)) => digest(salt, &row.detail) == *known,
            (Some(_), None) => row.detail.is_empty(),
            (None, _) => true,
        };
        if !words || usize::try_from(row.position) != Ok(index + 1) || chained(&before, user_id, row) != row.hash {
            return false;
        }
        before = row.hash;
    }
    true
}

/// The network of an address: enough to recognise a place, too little to identify a person.
pub fn network(address: &str) -> String {
    match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(address)) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        Ok(IpAddr::V6(address)) => {
            let [a, b, c, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}::/48")
        }
        Err(_) => "unknown".to_owned(),
    }
}

/// Texts are prefixed with their lengths, so that no two rows have the same encoding.
fn chained(before: &[u8; 32], user_id: Uuid, row: &Record) -> [u8; 32] {
    let mut digest = Sha256::new().chain_update(before).chain_update(user_id.as_bytes());
    digest.update(row.position.to_be_bytes());
    digest.update(row.at.to_be_bytes());
    let detail = row.digest.as_ref().map_or(row.detail.as_bytes(), <[u8; 32]>::as_slice);
    for text in [row.event.as_bytes(), detail] {
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(text);
    }
    digest.finalize().into()
}

fn digest(salt: &[u8; 32], detail: &str) -> [u8; 32] {
    Sha256::new().chain_update(salt).chain_update(detail).finalize().into()
}
