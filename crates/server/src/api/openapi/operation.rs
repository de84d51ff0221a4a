//! The description of an endpoint.

use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::path::{Operation, OperationBuilder};
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use crate::api::caller::{Access, Caller};
use crate::api::endpoint::Endpoint;
use crate::api::parameters::Parameters;

/// The schemas that operations refer to, by name.
pub type Schemas = Vec<(String, RefOr<Schema>)>;

pub fn operation<E: Endpoint>(schemas: &mut Schemas) -> Operation {
    let nobody = SecurityRequirement::default();
    let securities = match E::Caller::ACCESS {
        Access::Token => None,
        Access::Public => Some(vec![nobody, token()]),
        Access::Unlimited => Some(vec![nobody]),
    };
    let parameters = Some(E::Query::describe()).filter(|parameters| !parameters.is_empty());
    let operation = OperationBuilder::new()
        .tag(E::TAG)
        .summary(Some(E::SUMMARY))
        .operation_id(Some(E::ID))
        .parameters(parameters)
        .securities(securities)
        .response("200", response::<E::Answer>(E::ANSWER, schemas));
    let not_found = E::NOT_FOUND.then(|| ("404", Ref::from_response_name("NotFound")));
    not_found.into_iter().fold(operation, |operation, (status, shared)| operation.response(status, shared)).build()
}

/// What an operation asks for unless it says otherwise.
pub fn token() -> SecurityRequirement {
    SecurityRequirement::new("bearerAuth", [""; 0])
}

fn response<T: ToSchema>(description: &str, schemas: &mut Schemas) -> Response {
    let content = ContentBuilder::new().schema(Some(body::<T>(schemas))).build();
    ResponseBuilder::new().description(description).content("application/json", content).build()
}

/// A reference, or any object for a body without a type of its own.
fn body<T: ToSchema>(schemas: &mut Schemas) -> RefOr<Schema> {
    if T::name() == Value::name() {
        return ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true))).build().into();
    }
    T::schemas(schemas);
    schemas.push((T::name().into_owned(), T::schema()));
    Ref::from_schema_name(T::name()).into()
}
