//! Asks a provider which stock has an ISIN.

use market::{Ability, Failure, Match, validation};
use store::WriteLock;
use store::stocks::{self, Stock};
use store::{provenance, tracking, versions};

use super::heal;
use crate::market::refresh::outcome::{Cause, Outcome};
use crate::stocks::symbol_lookup;
use crate::{App, Error, Refusal, refusal};

/// More listings of one security than these are not looked up.
const LISTINGS_MAX: usize = 6;

/// Stores the listings that a provider knows for the ISIN, and links everybody's securities with them. Not done if somebody has to
/// choose among several.
pub(crate) async fn provider(app: &App, isin: &str) -> Result<Outcome, Error> {
    if !app.sources().market.can(Ability::Search) {
        return Ok(Outcome::Unknown(Cause::UnknownSymbol));
    }
    let found = match app.sources().market.search(isin).await {
        Ok(found) => found,
        Err(failure) => return Ok(Outcome::from(&failure)),
    };
    let agrees = |hit: &Match| hit.isin.as_deref().is_none_or(|own| own == isin);
    let hits = found.answer.into_iter().filter_map(validation::hit).filter(agrees).take(LISTINGS_MAX);
    for hit in hits {
        match Error::or_refusal(symbol_lookup::ensure_known(app, std::slice::from_ref(&hit.symbol), None).await)? {
            Ok(()) => identify(app, isin, hit, found.provider).await?,
            Err(Refusal::Lookup(refusal::Lookup::Failed { failure, .. })) => return Ok(waiting(&failure)),
            Err(_) => {}
        }
    }
    heal(app, None).await?;
    let is_open = tracking::is_tracked(&mut app.store.read().await?, isin).await?;
    Ok(if is_open { Outcome::Unknown(Cause::UnknownSymbol) } else { Outcome::Done })
}

/// The rest of the listings is looked up with the next attempt.
fn waiting(failure: &Failure) -> Outcome {
    match Outcome::from(failure) {
        Outcome::Unknown(cause) => Outcome::Failed(cause),
        outcome => outcome,
    }
}

async fn identify(app: &App, isin: &str, hit: Match, provider: &str) -> Result<(), Error> {
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    let Some(stock) = stocks::by_symbol(&mut tx, &hit.symbol).await?.filter(|stock| stock.isin.is_none()) else { return Ok(()) };
    let name = stock.name.clone().or(hit.name);
    stocks::upsert(&mut tx, &[Stock { isin: Some(isin.to_owned()), name, ..stock }]).await?;
    provenance::put(&mut tx, &hit.symbol, &[("isin", provider)], app.clock.now_micros()).await?;
    versions::bump_listings(&mut tx).await?;
    versions::bump_market(&mut tx).await?;
    Ok(tx.commit().await?)
}
