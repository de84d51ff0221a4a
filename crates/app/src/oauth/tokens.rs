//! Issues tokens.

use store::Tx;
use store::oauth::grants::{self, Grant};
use store::oauth::refresh_tokens::{self, RefreshToken};
use store::tokens::{self, NewAccessToken};
use uuid::Uuid;

use super::{DAY, MINUTE};
use crate::Error;
use crate::authentication::secret;

const ACCESS_LIVES: i64 = 60 * MINUTE;
const REFRESH_LIVES: i64 = 30 * DAY;
/// From the first tokens on; after that the user is asked again.
pub(super) const GRANT_LIVES: i64 = 90 * DAY;

/// The tokens only exist here and with the app; no `Debug`.
pub struct Issued {
    pub access_token: String,
    pub refresh_token: String,
    pub expires_in_seconds: i64,
}

/// An access token and its refresh token.
pub(super) struct Pair {
    access: String,
    refresh: String,
}

impl Pair {
    fn random() -> Result<Pair, Error> {
        let random = |prefix| secret::generate(prefix).map_err(Error::from);
        Ok(Pair { access: random(secret::ACCESS)?, refresh: random(secret::REFRESH)? })
    }

    /// The only pair that can replace a refresh token.
    pub(super) fn succeeding(refresh_token: &str, salt: &[u8; 32]) -> Pair {
        let derived = |prefix| secret::derived(prefix, salt, refresh_token);
        Pair { access: derived(secret::ACCESS), refresh: derived(secret::REFRESH) }
    }

    /// As issued at that time.
    pub(super) fn issued(self, grant: &Grant, at: i64, now: i64) -> Issued {
        let expires_in_seconds = (access_ends(grant, at) - now) / super::SECOND;
        Issued { access_token: self.access, refresh_token: self.refresh, expires_in_seconds }
    }
}

fn access_ends(grant: &Grant, at: i64) -> i64 {
    grant.expires_at.min(at + ACCESS_LIVES)
}

/// Stores the tokens of a valid grant.
pub(super) async fn issue(tx: &mut Tx, user_id: Uuid, grant: &Grant, pair: Pair, now: i64) -> Result<Issued, Error> {
    tokens::delete_past_access(tx, user_id, grant.id, now).await?;
    refresh_tokens::delete_past(tx, user_id, grant.id, now).await?;
    let access = NewAccessToken {
        hash: secret::hash(&pair.access),
        id: Uuid::now_v7(),
        user_id,
        grant_id: grant.id,
        audience: grant.audience,
        created_at: now,
        expires_at: access_ends(grant, now),
    };
    tokens::add_access(tx, &access).await?;
    let refresh = RefreshToken {
        user_id,
        grant_id: grant.id,
        created_at: now,
        expires_at: grant.expires_at.min(now + REFRESH_LIVES),
        rotated_at: None,
        salt: None,
    };
    refresh_tokens::add(tx, &secret::hash(&pair.refresh), &refresh).await?;
    grants::touch(tx, user_id, grant.id, now).await?;
    Ok(pair.issued(grant, now, now))
}

/// The first tokens of a grant, which now gets its full lifetime.
pub(super) async fn issue_first(tx: &mut Tx, user_id: Uuid, grant: Grant, now: i64) -> Result<Issued, Error> {
    let grant = Grant { expires_at: now + GRANT_LIVES, ..grant };
    grants::set_expiry(tx, user_id, grant.id, grant.expires_at).await?;
    issue(tx, user_id, &grant, Pair::random()?, now).await
}
