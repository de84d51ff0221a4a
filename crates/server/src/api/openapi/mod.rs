//! The OpenAPI description, generated from the endpoints: 3.1 as generated, 3.0.3 for the tools that need it.

mod additive;
mod complete;
mod components;
mod downgrade;
pub(super) mod operation;

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use serving::error::Error;
use utoipa::openapi::path::{HttpMethod, PathsBuilder};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApiBuilder, PathItem, tag::TagBuilder};
use utoipa::{PartialSchema, ToSchema};

use super::Reply;
use super::caller::Reader;
use super::endpoint::{Ask, Endpoint};
use super::endpoints::{ENDPOINTS, Row};

pub use additive::breaking_changes;

/// The endpoints that serve the description.
pub(super) const ENDPOINTS_OF_DOCUMENT: [Row; 2] = [Row::of::<GetOpenApi>(), Row::of::<GetOpenApi31>()];

/// The document in OpenAPI 3.1.
pub static DOCUMENT_3_1: LazyLock<Value> = LazyLock::new(generate);

/// The same in OpenAPI 3.0.3, which is what the contract path serves. For generators, it has no examples.
pub static DOCUMENT_3_0: LazyLock<Value> = LazyLock::new(|| {
    let mut document = with_examples();
    downgrade::without_examples(&mut document);
    document
});

/// The description in OpenAPI 3.0.3 for readers.
pub fn with_examples() -> Value {
    downgrade::to_3_0(DOCUMENT_3_1.clone())
}

/// For people: pretty, with a final newline. The committed copy is compared byte for byte.
pub fn text(document: &Value) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

const DESCRIPTION: &str = "Read-only JSON API for a dividend portfolio and public dividend data. Money is an object with a decimal string and an ISO 4217 currency code, never a floating-point number. Fields ending in _pct are percentages; all other rates are fractions. Dates are YYYY-MM-DD, timestamps UTC. A malformed parameter gets 422, but a number outside its range is clamped. Every response has an ETag. Send it in If-None-Match: an unchanged response is 304 without a body. Version 1 may gain fields but loses none, so ignore unknown ones.";

const TAGS: [(&str, &str); 4] = [
    ("account", "The user and their portfolios."),
    ("ledger", "Holdings, dividends and income."),
    ("stocks", "Dividend data of stocks."),
    ("meta", "The description of this API."),
];

fn generate() -> Value {
    let rows = || ENDPOINTS.iter().chain(&ENDPOINTS_OF_DOCUMENT);
    let mut schemas = vec![(Error::name().into_owned(), Error::schema())];
    Error::schemas(&mut schemas);
    let paths = rows().fold(PathsBuilder::new(), |paths, row| {
        paths.path(row.path, PathItem::new(HttpMethod::Get, (row.operation)(&mut schemas)))
    });
    let token = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A personal access token, or one from OAuth."))
        .build();
    let components =
        ComponentsBuilder::new().schemas_from_iter(schemas).security_scheme("bearerAuth", SecurityScheme::Http(token));
    let license = LicenseBuilder::new().name("MIT").identifier(Some("MIT")).build();
    let info = InfoBuilder::new().title("Dripline API").version("1").description(Some(DESCRIPTION)).license(Some(license));
    let tags = TAGS.map(|(name, description)| TagBuilder::new().name(name).description(Some(description)).build());
    let document = OpenApiBuilder::new()
        .info(info)
        .security(Some([operation::token()]))
        .paths(paths)
        .components(Some(components.build()))
        .tags(Some(tags))
        .build();
    complete::complete(serde_json::to_value(document).unwrap_or_default(), rows())
}

struct GetOpenApi;

impl Endpoint for GetOpenApi {
    const PATH: &'static str = "/api/v1/openapi.json";
    const ID: &'static str = "getOpenApi";
    const TAG: &'static str = "meta";
    const SUMMARY: &'static str = "The description of this API in OpenAPI 3.0.3.";
    const ANSWER: &'static str = "The document. With examples, it is at /api/v1/openapi-3.1.json.";
    type Caller = Reader;
    type Query = ();
    type Answer = Value;

    async fn answer(_: &Ask<Self>) -> Reply<Response> {
        Ok(served(&DOCUMENT_3_0))
    }
}

struct GetOpenApi31;

impl Endpoint for GetOpenApi31 {
    const PATH: &'static str = "/api/v1/openapi-3.1.json";
    const ID: &'static str = "getOpenApi31";
    const TAG: &'static str = "meta";
    const SUMMARY: &'static str = "The description of this API in OpenAPI 3.1.";
    const ANSWER: &'static str = "The document.";
    type Caller = Reader;
    type Query = ();
    type Answer = Value;

    async fn answer(_: &Ask<Self>) -> Reply<Response> {
        Ok(served(&DOCUMENT_3_1))
    }
}

fn served(document: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], document.to_string()).into_response()
}
