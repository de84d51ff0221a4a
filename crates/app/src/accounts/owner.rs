//! The owner of the service: the first account, unless the operator chooses another.

use store::Tx;
use store::users;
use uuid::Uuid;

use crate::Error;
use crate::accounts::audit::{self, Event};

/// For a new account, if nobody owns the service yet. Accounts of people who signed up do not claim it.
pub(super) async fn claim(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    match users::owner(tx).await? {
        Some(_) => Ok(()),
        None => Ok(users::set_owner(tx, user_id).await?),
    }
}

/// After the owner's account was deleted.
pub(super) async fn pass_on(tx: &mut Tx, now: i64) -> Result<(), Error> {
    match users::heir(tx).await? {
        Some(heir) => set(tx, heir, now).await,
        None => Ok(()),
    }
}

pub(super) async fn set(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<(), Error> {
    users::set_owner(tx, user_id).await?;
    audit::record(tx, user_id, now, Event::BecameOwner, "").await
}
