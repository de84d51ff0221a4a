//! Creates the demo account in the same way as any other: market files, a ledger file, a watchlist, a token.

use super::files;
use crate::authentication::tokens;
use crate::stocks::radar;
use crate::{App, Error, accounts, import, market, portfolios};

/// What a visitor of the demo needs to know.
pub struct Demo {
    pub email: &'static str,
    pub password: &'static str,
    pub token: String,
}

pub async fn install(app: &App) -> Result<Demo, Error> {
    let files = files(app.clock.today());
    market::load_texts(app, &files.market).await?;
    let account = accounts::NewAccount {
        email: super::EMAIL,
        name: Some(super::NAME),
        currency: super::CURRENCY,
        residence: Some(super::RESIDENCE),
        password: Some(super::PASSWORD),
    };
    let user_id = accounts::add(app, &account).await?;
    let request = import::Request {
        user_id,
        file_name: "demo.csv",
        bytes: import::FileBytes::Plain(files.ledger.as_bytes()),
        format: Some("dripline"),
        ..import::Request::default()
    };
    let report = import::import(app, &request, &|_, _, _| {}).await?;
    if !report.errors.is_empty() {
        return Err(Error::Lines(report.errors));
    }
    portfolios::share(app, user_id, super::SHARED_PORTFOLIO, Some(super::SHARED_SLUG)).await?;
    let symbols: Vec<String> = files.radar.iter().map(|symbol| (*symbol).to_owned()).collect();
    radar::add(app, user_id, &symbols).await?;
    let token = tokens::create(app, user_id, "demo").await?.token;
    Ok(Demo { email: super::EMAIL, password: super::PASSWORD, token })
}
