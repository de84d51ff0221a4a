//! What happened to an account, for its owner to see. Each row's hash covers the row before: one that is changed, or taken
//! out of the middle, breaks the chain.

use std::net::IpAddr;

use sha2::{Digest, Sha256};
use store::Tx;
use store::audit::{self, Record};
use uuid::Uuid;

use crate::{App, Error};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    AccountMade,
    /// Somebody asked for an account with the address of this one.
    SignUpAgain,
    SignedIn,
    SignInFailed,
    SignedOut,
    SessionEnded,
    TokenCreated,
    TokenRevoked,
    FeedCreated,
    FeedRevoked,
    PasswordChanged,
    PasswordReset,
    TotpOn,
    TotpOff,
    RecoveryCodesMade,
    RecoveryCodeUsed,
    ProfileChanged,
    EmailChanged,
    Exported,
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
            Event::PasswordChanged => "password_changed",
            Event::PasswordReset => "password_reset",
            Event::TotpOn => "totp_on",
            Event::TotpOff => "totp_off",
            Event::RecoveryCodesMade => "recovery_codes_made",
            Event::RecoveryCodeUsed => "recovery_code_used",
            Event::ProfileChanged => "profile_changed",
            Event::EmailChanged => "email_changed",
            Event::Exported => "exported",
            Event::Deleted => "deleted",
        }
    }
}

/// Belongs into the transaction of the act itself. A detail never holds a secret.
pub async fn record(tx: &mut Tx, user_id: Uuid, now: i64, event: Event, detail: &str) -> Result<(), Error> {
    let last = audit::list(tx, user_id, 1).await?.pop();
    let (position, before) = last.map_or((1, [0; 32]), |last| (last.position + 1, last.hash));
    let mut row = Record { position, at: now, event: event.word().to_owned(), detail: detail.to_owned(), hash: [0; 32] };
    row.hash = chained(&before, user_id, &row);
    Ok(audit::add(tx, user_id, &row).await?)
}

/// An act that is not stored otherwise, such as an export.
pub async fn note(app: &App, user_id: Uuid, event: Event, detail: &str) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    record(&mut tx, user_id, app.clock.now_micros(), event, detail).await?;
    Ok(tx.commit().await?)
}

/// Newest first.
pub async fn list(app: &App, user_id: Uuid, limit: i64) -> Result<Vec<Record>, Error> {
    Ok(audit::list(&mut app.store.read().await?, user_id, limit).await?)
}

/// Whether every row is as it was written.
pub async fn verify(app: &App, user_id: Uuid) -> Result<bool, Error> {
    let mut before = [0; 32];
    for (index, row) in audit::all(&mut app.store.read().await?, user_id).await?.iter().enumerate() {
        if usize::try_from(row.position) != Ok(index + 1) || chained(&before, user_id, row) != row.hash {
            return Ok(false);
        }
        before = row.hash;
    }
    Ok(true)
}

/// The network of an address: enough to recognise a place, too little to find a person.
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

/// Texts with their lengths, so that no two rows are written the same.
fn chained(before: &[u8; 32], user_id: Uuid, row: &Record) -> [u8; 32] {
    let mut digest = Sha256::new().chain_update(before).chain_update(user_id.as_bytes());
    digest.update(row.position.to_be_bytes());
    digest.update(row.at.to_be_bytes());
    for text in [&row.event, &row.detail] {
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(text);
    }
    digest.finalize().into()
}
