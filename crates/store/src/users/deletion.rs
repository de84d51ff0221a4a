//! Deletes accounts.

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::table::statements;
use crate::value::Param;
use crate::{Error, Tx, devices, email_changes, mail_links, resets, sessions, totp, tracking};

/// Deletes the account and its rows in all tables but the audit log, which only has its id. False if there is no such account.
pub async fn delete(tx: &mut Tx, user_id: Uuid) -> Result<bool, Error> {
    // Its stocks have one follower less.
    tracking::replace_for_user(tx, user_id, &BTreeSet::new()).await?;
    let of_user: [Param<'_>; 1] = [user_id.into()];
    for statement in [
        &DELETE_RADAR,
        &DELETE_ENTRIES,
        &DELETE_POSITIONS,
        &DELETE_ACCRUALS,
        &DELETE_STATEMENTS,
        &DELETE_IMPORT_FILES,
        &DELETE_IMPORTS,
        &DELETE_INSTRUMENTS,
        &DELETE_COLUMN_MAPS,
        &DELETE_PORTFOLIOS,
        &DELETE_TOKENS,
        &DELETE_OAUTH_CODES,
        &DELETE_REFRESH_TOKENS,
        &DELETE_DEVICE_CODES,
        &DELETE_GRANTS,
        &sessions::END_ALL,
        &devices::FORGET_ALL,
        &resets::CLEAR,
        &email_changes::CLEAR,
        &mail_links::CLEAR_FOR,
        &totp::DELETE_CODES,
        &totp::DELETE,
        &DELETE_FEEDS,
        &DELETE_UPLOADS,
    ] {
        tx.execute(statement, &of_user).await?;
    }
    Ok(tx.execute(&DELETE, &of_user).await? > 0)
}

statements! {
    DELETE_RADAR = "DELETE FROM radar WHERE user_id = $1", [Uuid] => ();
    DELETE_ENTRIES = "DELETE FROM entries WHERE user_id = $1", [Uuid] => ();
    DELETE_POSITIONS = "DELETE FROM positions WHERE user_id = $1", [Uuid] => ();
    DELETE_ACCRUALS = "DELETE FROM accruals WHERE user_id = $1", [Uuid] => ();
    DELETE_STATEMENTS = "DELETE FROM statements WHERE user_id = $1", [Uuid] => ();
    DELETE_INSTRUMENTS = "DELETE FROM instruments WHERE user_id = $1", [Uuid] => ();
    DELETE_COLUMN_MAPS = "DELETE FROM column_maps WHERE user_id = $1", [Uuid] => ();
    DELETE_IMPORT_FILES = "DELETE FROM import_files WHERE user_id = $1", [Uuid] => ();
    DELETE_IMPORTS = "DELETE FROM imports WHERE user_id = $1", [Uuid] => ();
    DELETE_PORTFOLIOS = "DELETE FROM portfolios WHERE user_id = $1", [Uuid] => ();
    DELETE_TOKENS = "DELETE FROM tokens WHERE user_id = $1", [Uuid] => ();
    DELETE_OAUTH_CODES = "DELETE FROM oauth_codes WHERE user_id = $1", [Uuid] => ();
    DELETE_REFRESH_TOKENS = "DELETE FROM oauth_refresh_tokens WHERE user_id = $1", [Uuid] => ();
    DELETE_DEVICE_CODES = "DELETE FROM oauth_device_codes WHERE user_id = $1", [Uuid] => ();
    DELETE_GRANTS = "DELETE FROM oauth_grants WHERE user_id = $1", [Uuid] => ();
    DELETE_FEEDS = "DELETE FROM feeds WHERE user_id = $1", [Uuid] => ();
    DELETE_UPLOADS = "DELETE FROM uploads WHERE user_id = $1", [Uuid] => ();
    DELETE = "DELETE FROM users WHERE id = $1", [Uuid] => ();
}
