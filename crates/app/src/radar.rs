//! The radar: stocks a user watches without holding them.

use store::{Tx, radar, users};
use uuid::Uuid;

use crate::accounts::by_email;
use crate::{App, Error, newcomer, tracking};

/// A symbol that is not known here is looked up; one that nobody knows is named, and then none is added.
pub async fn add(app: &App, email: &str, symbols: &[String]) -> Result<(), Error> {
    let symbols: Vec<String> = symbols.iter().map(|symbol| symbol.trim().to_uppercase()).collect();
    by_email(&mut app.store.read().await?, email).await?;
    newcomer::introduce(app, &symbols).await?;
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    for symbol in &symbols {
        radar::add(&mut tx, user.id, symbol, app.clock.now_micros()).await?;
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
