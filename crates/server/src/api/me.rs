//! `GET /api/v1/me`

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Api, Reply};

/// The user the token belongs to.
#[derive(Serialize, ToSchema)]
pub struct Me {
    #[schema(format = "uuid", example = "0198f1c2-7d5e-7cc3-98c4-dc0c0c07398f")]
    id: String,
    #[schema(example = "demo@dripline.local")]
    email: String,
    #[schema(example = "Demo")]
    name: Option<String>,
    /// ISO 4217 code of the currency used for totals.
    #[schema(pattern = "^[A-Z]{3}$", example = "EUR")]
    preferred_currency: String,
}

/// The user the token belongs to. Also the cheapest way to check a token.
#[utoipa::path(
    get, path = "/api/v1/me", operation_id = "getMe", tag = "account",
    responses((status = 200, description = "The user.", body = Me)),
    security(("token" = []))
)]
pub async fn get(State(api): State<Api>, parts: Parts) -> Reply<Response> {
    let caller = api.private(&parts).await?;
    let key = caller.key("me");
    api.answer(key, async {
        let me = app::accounts::me::me(&api.app, caller.user_id).await?;
        Ok(Me { id: me.id.to_string(), email: me.email, name: me.name, preferred_currency: me.preferred_currency.to_string() })
    })
    .await
}
