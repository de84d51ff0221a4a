//! The radar: stocks a user watches without holding them.

use store::{Tx, radar, stocks, users};
use uuid::Uuid;

use crate::accounts::by_email;
use crate::{App, Error, tracking};

/// Every symbol has to be known; otherwise none is added.
pub async fn add(app: &App, email: &str, symbols: &[String]) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    for symbol in symbols {
        let symbol = symbol.trim().to_uppercase();
        if stocks::by_symbol(&mut tx, &symbol).await?.is_none() {
            return Err(Error::refused(format!(
                "{symbol} is not known here; load it with `dripline market load`. Nothing was added"
            )));
        }
        radar::add(&mut tx, user.id, &symbol, app.clock.now_micros()).await?;
    }
    finish(app, tx, user.id).await
}

pub async fn remove(app: &App, email: &str, symbols: &[String]) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    for symbol in symbols {
        let symbol = symbol.trim().to_uppercase();
        if !radar::remove(&mut tx, user.id, &symbol).await? {
            return Err(Error::refused(format!("{symbol} is not on the radar. Nothing was removed")));
        }
    }
    finish(app, tx, user.id).await
}

pub async fn list(app: &App, email: &str) -> Result<Vec<String>, Error> {
    let mut tx = app.store.read().await?;
    let user = by_email(&mut tx, email).await?;
    Ok(radar::list(&mut tx, user.id).await?.into_iter().map(|row| row.symbol).collect())
}

async fn finish(app: &App, mut tx: Tx, user_id: Uuid) -> Result<(), Error> {
    tracking::refresh(&mut tx, user_id, app.clock.today()).await?;
    users::bump_version(&mut tx, user_id).await?;
    Ok(tx.commit().await?)
}
