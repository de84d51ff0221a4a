//! The owner of a token.

use ledger::Currency;
use store::users;
use uuid::Uuid;

use crate::{App, Error};

pub struct Me {
    pub id: Uuid,
    pub email: String,
    pub name: Option<String>,
    pub preferred_currency: Currency,
}

pub async fn me(app: &App, user_id: Uuid) -> Result<Me, Error> {
    let mut tx = app.store.read().await?;
    let user = users::by_id(&mut tx, user_id).await?.ok_or_else(|| Error::UnknownAccount(user_id.to_string()))?;
    Ok(Me { id: user.id, email: user.email, name: user.name, preferred_currency: user.preferred_currency })
}
