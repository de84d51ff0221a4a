//! What users allowed apps. Revoking a grant ends all its tokens in the same transaction.

use uuid::Uuid;

use super::Audience;
use crate::row::Columns;
use crate::table::{statements, table};
use crate::value::Param;
use crate::{Error, Tx};

table! {
    TABLE = oauth_grants [user_id, id] { user_id: Uuid, revoked_at: Option<i64> }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Grant {
        pub id: Uuid,
        pub client_id: String,
        /// As shown when it was allowed.
        pub client_name: String,
        /// The host it redirected to; empty for a device.
        pub redirect_host: String,
        pub redirects_hash: [u8; 32],
        pub audience: Audience,
        pub created_at: i64,
        /// When tokens were last issued or used.
        pub used_at: i64,
        pub expires_at: i64,
    }
}

pub async fn add(tx: &mut Tx, user_id: Uuid, grant: &Grant) -> Result<(), Error> {
    tx.execute(&ADD, &grant.params_after([user_id.into(), Param::Null])).await.map(drop)
}

/// Grants that are neither revoked nor expired, newest first.
pub async fn live(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<Vec<Grant>, Error> {
    let mut grants = tx.query(&LIVE, &[user_id.into(), now.into()]).await?;
    let used = tx.query(&USES, &[user_id.into()]).await?;
    for (id, at) in used {
        if let Some(grant) = grants.iter_mut().find(|grant| grant.id == id) {
            grant.used_at = grant.used_at.max(at.unwrap_or(0));
        }
    }
    Ok(grants)
}

/// A grant that is neither revoked nor expired.
pub async fn one(tx: &mut Tx, user_id: Uuid, id: Uuid, now: i64) -> Result<Option<Grant>, Error> {
    tx.query_one(&ONE, &[user_id.into(), id.into(), now.into()]).await
}

pub async fn touch(tx: &mut Tx, user_id: Uuid, id: Uuid, at: i64) -> Result<(), Error> {
    tx.execute(&TOUCH, &[at.into(), user_id.into(), id.into()]).await.map(drop)
}

pub async fn set_expiry(tx: &mut Tx, user_id: Uuid, id: Uuid, expires_at: i64) -> Result<(), Error> {
    tx.execute(&SET_EXPIRY, &[expires_at.into(), user_id.into(), id.into()]).await.map(drop)
}

/// Ends the grant and everything issued under it. False if there was nothing to end.
pub async fn revoke(tx: &mut Tx, user_id: Uuid, id: Uuid, at: i64) -> Result<bool, Error> {
    let of_grant = [user_id.into(), id.into()];
    tx.execute(&DELETE_TOKENS, &of_grant).await?;
    tx.execute(&DELETE_REFRESH_TOKENS, &of_grant).await?;
    Ok(tx.execute(&REVOKE, &[at.into(), user_id.into(), id.into()]).await? > 0)
}

/// Users with a grant for the app that is neither revoked nor expired, and the app's name as they know it; one row per user and
/// name.
pub async fn users_of_client(tx: &mut Tx, client_id: &str, now: i64) -> Result<Vec<(Uuid, String)>, Error> {
    tx.query(&USERS_OF_CLIENT, &[client_id.into(), now.into()]).await
}

/// Ends all grants of the app, with all their tokens and codes.
pub async fn delete_of_client(tx: &mut Tx, client_id: &str) -> Result<u64, Error> {
    for statement in [&DELETE_CLIENT_TOKENS, &DELETE_CLIENT_REFRESH_TOKENS, &DELETE_CLIENT_CODES, &DELETE_CLIENT_DEVICE_CODES] {
        tx.execute(statement, &[client_id.into()]).await?;
    }
    tx.execute(&DELETE_OF_CLIENT, &[client_id.into()]).await
}

/// Deletes the user's grants that ended before `oldest`, and what is left of them.
pub async fn delete_ended(tx: &mut Tx, user_id: Uuid, oldest: i64) -> Result<u64, Error> {
    for statement in [&DELETE_ENDED_TOKENS, &DELETE_ENDED_REFRESH_TOKENS] {
        tx.execute(statement, &[user_id.into(), user_id.into(), oldest.into()]).await?;
    }
    tx.execute(&DELETE_ENDED, &[user_id.into(), oldest.into()]).await
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    LIVE = "SELECT * FROM oauth_grants WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2 ORDER BY created_at DESC, id",
        [Uuid, Integer] => Grant;
    USES = "SELECT grant_id, MAX(last_used_at) FROM tokens WHERE user_id = $1 AND grant_id IS NOT NULL GROUP BY grant_id",
        [Uuid] => (Uuid, Option<i64>);
    ONE = "SELECT * FROM oauth_grants WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3",
        [Uuid, Uuid, Integer] => Grant;
    TOUCH = "UPDATE oauth_grants SET used_at = $1 WHERE user_id = $2 AND id = $3", [Integer, Uuid, Uuid] => ();
    SET_EXPIRY = "UPDATE oauth_grants SET expires_at = $1 WHERE user_id = $2 AND id = $3", [Integer, Uuid, Uuid] => ();
    REVOKE = "UPDATE oauth_grants SET revoked_at = $1 WHERE user_id = $2 AND id = $3 AND revoked_at IS NULL",
        [Integer, Uuid, Uuid] => ();
    DELETE_TOKENS = "DELETE FROM tokens WHERE user_id = $1 AND grant_id = $2", [Uuid, Uuid] => ();
    DELETE_REFRESH_TOKENS = "DELETE FROM oauth_refresh_tokens WHERE user_id = $1 AND grant_id = $2", [Uuid, Uuid] => ();
    DELETE_ENDED_TOKENS = "DELETE FROM tokens WHERE user_id = $1 AND grant_id IN
        (SELECT id FROM oauth_grants WHERE user_id = $2 AND (revoked_at IS NOT NULL OR expires_at < $3))",
        [Uuid, Uuid, Integer] => ();
    DELETE_ENDED_REFRESH_TOKENS = "DELETE FROM oauth_refresh_tokens WHERE user_id = $1 AND grant_id IN
        (SELECT id FROM oauth_grants WHERE user_id = $2 AND (revoked_at IS NOT NULL OR expires_at < $3))",
        [Uuid, Uuid, Integer] => ();
    DELETE_ENDED = "DELETE FROM oauth_grants WHERE user_id = $1 AND (revoked_at IS NOT NULL OR expires_at < $2)",
        [Uuid, Integer] => ();
    USERS_OF_CLIENT = "SELECT DISTINCT user_id, client_name FROM oauth_grants
        WHERE client_id = $1 AND revoked_at IS NULL AND expires_at > $2 ORDER BY user_id, client_name",
        [Text, Integer] => (Uuid, String);
    DELETE_CLIENT_TOKENS = "DELETE FROM tokens WHERE grant_id IN (SELECT id FROM oauth_grants WHERE client_id = $1)",
        [Text] => ();
    DELETE_CLIENT_REFRESH_TOKENS = "DELETE FROM oauth_refresh_tokens
        WHERE grant_id IN (SELECT id FROM oauth_grants WHERE client_id = $1)", [Text] => ();
    DELETE_CLIENT_CODES = "DELETE FROM oauth_codes WHERE client_id = $1", [Text] => ();
    DELETE_CLIENT_DEVICE_CODES = "DELETE FROM oauth_device_codes WHERE client_id = $1", [Text] => ();
    DELETE_OF_CLIENT = "DELETE FROM oauth_grants WHERE client_id = $1", [Text] => ();
}
