//! `GET /api/v1/me`

use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};

/// The user the token belongs to.
#[derive(Serialize, ToSchema)]
pub struct Me {
    #[schema(format = "uuid", example = "0198f1c2-7d5e-7cc3-98c4-dc0c0c07398f")]
    id: String,
    #[schema(example = "demo@dripline.local")]
    email: String,
    #[schema(example = "Demo")]
    name: Option<String>,
    /// Of totals, as ISO 4217 code.
    #[schema(pattern = "^[A-Z]{3}$", example = "EUR")]
    preferred_currency: String,
}

pub struct GetMe;

impl Endpoint for GetMe {
    const PATH: &'static str = "/api/v1/me";
    const ID: &'static str = "getMe";
    const TAG: &'static str = "account";
    const SUMMARY: &'static str = "The user the token belongs to.";
    const ANSWER: &'static str = "The user.";
    type Caller = User;
    type Query = ();
    type Answer = Me;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        ask.cached(async {
            let me = app::accounts::me::me(&ask.api.app, ask.caller.id).await?;
            Ok(Me {
                id: me.id.to_string(),
                email: me.email,
                name: me.name,
                preferred_currency: me.preferred_currency.to_string(),
            })
        })
        .await
    }
}
