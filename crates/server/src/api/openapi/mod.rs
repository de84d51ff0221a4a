//! The OpenAPI description, generated from the handlers and wire types: 3.1 as generated, 3.0.3 for the tools that need it.

mod additive;
mod complete;
mod components;
mod downgrade;
mod parameters;

use std::sync::LazyLock;

use serde_json::Value;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};

pub use additive::breaking_changes;

/// The document in OpenAPI 3.1.
pub static DOCUMENT_3_1: LazyLock<Value> = LazyLock::new(|| {
    let generated = serde_json::to_value(Document::openapi()).unwrap_or_default();
    complete::complete(generated)
});

/// The same in OpenAPI 3.0.3, which is what the contract path serves.
pub static DOCUMENT_3_0: LazyLock<Value> = LazyLock::new(|| downgrade::to_3_0(DOCUMENT_3_1.clone()));

/// Pretty, with a final newline: the committed copy is compared byte for byte.
pub fn text(document: &Value) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Dripline API",
        version = "1",
        description = "Read-only JSON API for a dividend portfolio and public dividend data. Money is an object with a decimal string and an ISO 4217 currency code, never a floating-point number. Fields ending in _pct are percentages; all other rates are fractions. Dates are YYYY-MM-DD, timestamps UTC. A malformed parameter is an error (422); a number outside the allowed range is clamped. Every response has an ETag: send it in If-None-Match to get 304 while nothing has changed. Version 1 only adds fields, so ignore those you do not know.",
        license(name = "MIT", identifier = "MIT")
    ),
    paths(
        super::me::get,
        super::portfolios::list,
        super::holdings::list,
        super::dividends::list,
        super::income::get,
        super::upcoming::list,
        super::calendar::get,
        super::stocks::search,
        super::stocks::get,
        document,
        document_3_1,
    ),
    components(schemas(super::wire::Error)),
    modifiers(&Security),
    tags(
        (name = "account", description = "The user the token belongs to, and their portfolios."),
        (name = "ledger", description = "Holdings, dividends received, forward income and upcoming payments."),
        (name = "stocks", description = "Public dividend data."),
        (name = "meta", description = "This document.")
    )
)]
struct Document;

struct Security;

impl utoipa::Modify for Security {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("A personal access token or an OAuth access token. Read-only."))
            .build();
        openapi.components.get_or_insert_default().add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// The OpenAPI description of this API.
#[utoipa::path(
    get, path = "/api/v1/openapi.json", operation_id = "getOpenApi", tag = "meta",
    responses((status = 200, description = "The OpenAPI 3.0.3 document. Version 3.1 is at /api/v1/openapi-3.1.json.", body = Object)),
    security(())
)]
#[allow(dead_code)] // the attribute above is what counts; the route serves the text
fn document() {}

/// The description of this API in OpenAPI 3.1.
#[utoipa::path(
    get, path = "/api/v1/openapi-3.1.json", operation_id = "getOpenApi31", tag = "meta",
    responses((status = 200, description = "The OpenAPI 3.1 document.", body = Object)),
    security(())
)]
#[allow(dead_code)] // as above
fn document_3_1() {}
