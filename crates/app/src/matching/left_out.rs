//! What a page's figures leave out, and what can be done about it.

use std::collections::BTreeSet;

use store::instruments::{self, Origin};
use uuid::Uuid;

use super::kept;
use crate::{App, Error};

#[derive(Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Symbols without data that the user can match.
    pub unmatched: Vec<String>,
    /// Symbols for which only market data is missing.
    pub without_data: Vec<String>,
    /// Keys and symbols of automatic matches that the user does not know of yet.
    pub linked: Vec<(String, String)>,
}

/// For figures that have no data about these symbols.
pub async fn left_out(app: &App, user_id: Uuid, without_data: &[String]) -> Result<LeftOut, Error> {
    let mut tx = app.store.read().await?;
    let matches = instruments::list(&mut tx, user_id).await?;
    let mut open = BTreeSet::new();
    if !without_data.is_empty() {
        let kept = kept::of_user(&mut tx, user_id).await?;
        let asked = kept.into_iter().filter(|one| one.is_open(app) && one.decision(&matches) != Some(Origin::Unlisted));
        open.extend(asked.map(|one| one.symbol));
    }
    let (unmatched, without_data) = without_data.iter().cloned().partition(|symbol| open.contains(symbol));
    let unseen = matches.into_iter().filter(|one| !one.seen && one.origin == Origin::Automatic);
    Ok(LeftOut { unmatched, without_data, linked: unseen.map(|one| (one.key, one.symbol)).collect() })
}
