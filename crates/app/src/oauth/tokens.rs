//! Tokens as they are given out.

use store::Tx;
use store::oauth::grants::{self, Grant};
use store::oauth::refresh_tokens::{self, RefreshToken};
use store::tokens::{self, NewAccessToken};
use uuid::Uuid;

use super::{DAY, MINUTE};
use crate::{Error, secret};

const ACCESS_LIVES: i64 = 60 * MINUTE;
const REFRESH_LIVES: i64 = 30 * DAY;
/// From the first tokens on; then the user is asked again.
pub(super) const GRANT_LIVES: i64 = 90 * DAY;

/// The tokens' texts exist here and with the app, nowhere else; no `Debug`.
pub struct Issued {
    pub access_token: String,
    pub refresh_token: String,
    pub expires_in_seconds: i64,
}

/// Fresh tokens of a grant that is live.
pub(super) async fn issue(tx: &mut Tx, user_id: Uuid, grant: &Grant, now: i64) -> Result<Issued, Error> {
    let random = |prefix| secret::generate(prefix).map_err(|error| Error::Randomness(error.to_string()));
    let (access_token, refresh_token) = (random(secret::ACCESS)?, random(secret::REFRESH)?);
    tokens::delete_past_access(tx, user_id, grant.id, now).await?;
    refresh_tokens::delete_past(tx, user_id, grant.id, now).await?;
    let access = NewAccessToken {
        hash: secret::hash(&access_token),
        id: Uuid::now_v7(),
        user_id,
        grant_id: grant.id,
        audience: grant.audience,
        created_at: now,
        expires_at: grant.expires_at.min(now + ACCESS_LIVES),
    };
    tokens::add_access(tx, &access).await?;
    let refresh = RefreshToken {
        user_id,
        grant_id: grant.id,
        created_at: now,
        expires_at: grant.expires_at.min(now + REFRESH_LIVES),
        rotated_at: None,
        successors: 0,
    };
    refresh_tokens::add(tx, &secret::hash(&refresh_token), &refresh).await?;
    grants::touch(tx, user_id, grant.id, now).await?;
    Ok(Issued { access_token, refresh_token, expires_in_seconds: (access.expires_at - now) / super::SECOND })
}

/// The first tokens of a grant: from now on it lives its whole time.
pub(super) async fn issue_first(tx: &mut Tx, user_id: Uuid, grant: Grant, now: i64) -> Result<Issued, Error> {
    let grant = Grant { expires_at: now + GRANT_LIVES, ..grant };
    grants::set_expiry(tx, user_id, grant.id, grant.expires_at).await?;
    issue(tx, user_id, &grant, now).await
}
