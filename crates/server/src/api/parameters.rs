//! The parameters of an endpoint, declared once as the fields of a struct: they are the parser, the OpenAPI parameters and,
//! as `Debug` text, the cache key.

use std::fmt::Debug;

use axum::http::Uri;
use jiff::civil::Date;
use ledger::Decimal;
use serde_json::{Value, json};
use serving::Query;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{Object, Required};

use super::Reply;

/// What an endpoint reads from its address. The `Debug` text must tell any two values apart.
pub trait Parameters: Debug + Send + Sync + Sized {
    fn parse(uri: &Uri) -> Reply<Self>;
    fn describe() -> Vec<Parameter>;
}

impl Parameters for () {
    fn parse(_: &Uri) -> Reply<()> {
        Ok(())
    }

    fn describe() -> Vec<Parameter> {
        Vec::new()
    }
}

/// Declares the parameters of a query. Each has its description, its type and an example. The first one that is malformed, in
/// this order, is the one an error names.
macro_rules! query {
    ($visibility:vis struct $name:ident { $($(#[doc = $text:literal])+ $field:ident: $type:ty = $example:literal,)+ }) => {
        #[derive(Debug)]
        $visibility struct $name {
            $($field: $type,)+
        }

        impl $crate::api::parameters::Parameters for $name {
            fn parse(uri: &axum::http::Uri) -> $crate::api::Reply<Self> {
                let query = ::serving::Query::parse(uri.query())?;
                Ok(Self { $($field: $crate::api::parameters::Param::parse(&query, $crate::api::parameters::name(stringify!($field)))?,)+ })
            }

            fn describe() -> Vec<utoipa::openapi::path::Parameter> {
                use $crate::api::parameters::{in_query, name};
                vec![$(in_query::<$type>(name(stringify!($field)), concat!($($text),+), serde_json::json!($example)),)+]
            }
        }
    };
}
pub(super) use query;

/// The name of the parameter that a field is for: `type` is a keyword, so its field is `r#type`.
pub fn name(field: &'static str) -> &'static str {
    field.trim_start_matches("r#")
}

/// A type that a parameter of a query can have.
pub trait Param: Debug + Sized {
    const REQUIRED: bool = false;

    fn parse(query: &Query<'_>, name: &str) -> Reply<Self>;
    fn schema() -> Object;
}

pub fn in_query<P: Param>(name: &str, description: &str, example: Value) -> Parameter {
    described(name, ParameterIn::Query, P::REQUIRED, description, P::schema(), example)
}

/// A non-blank text in the path.
pub fn in_path(name: &str, description: &str, example: &str) -> Parameter {
    described(name, ParameterIn::Path, true, description, text().build(), example.into())
}

fn described(name: &str, place: ParameterIn, required: bool, description: &str, schema: Object, example: Value) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(if required { Required::True } else { Required::False })
        .description(Some(description.trim_start()))
        .schema(Some(schema))
        .example(Some(example))
        .build()
}

/// A whole number of any length, clamped into the range. The schema has no range, because no number is refused.
#[derive(Debug)]
pub struct Whole<const MIN: i64, const MAX: i64, const DEFAULT: i64>(pub i64);

impl<const MIN: i64, const MAX: i64, const DEFAULT: i64> Param for Whole<MIN, MAX, DEFAULT> {
    fn parse(query: &Query<'_>, name: &str) -> Reply<Self> {
        query.integer(name, MIN..=MAX, DEFAULT).map(Self)
    }

    fn schema() -> Object {
        ObjectBuilder::new().schema_type(Type::Integer).default(Some(DEFAULT.into())).build()
    }
}

/// How many days to look ahead.
pub type Days = Whole<1, 120, 45>;

/// False if omitted.
impl Param for bool {
    fn parse(query: &Query<'_>, name: &str) -> Reply<bool> {
        query.boolean(name, false)
    }

    fn schema() -> Object {
        ObjectBuilder::new().schema_type(Type::Boolean).default(Some(json!(false))).build()
    }
}

impl Param for Option<Date> {
    fn parse(query: &Query<'_>, name: &str) -> Reply<Option<Date>> {
        query.date(name)
    }

    fn schema() -> Object {
        ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Date))).build()
    }
}

/// Of a number written as text.
pub const DECIMAL_PATTERN: &str = r"^[0-9]{1,12}(\.[0-9]{1,16})?$";

/// Above zero.
impl Param for Option<Decimal> {
    fn parse(query: &Query<'_>, name: &str) -> Reply<Option<Decimal>> {
        query.positive(name)
    }

    fn schema() -> Object {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(DECIMAL_PATTERN)).build()
    }
}

impl Param for Option<String> {
    fn parse(query: &Query<'_>, name: &str) -> Reply<Option<String>> {
        Ok(query.text(name)?.map(str::to_owned))
    }

    fn schema() -> Object {
        text().build()
    }
}

#[derive(Debug)]
pub struct RequiredText<const MAX: usize>(pub String);

impl<const MAX: usize> Param for RequiredText<MAX> {
    const REQUIRED: bool = true;

    fn parse(query: &Query<'_>, name: &str) -> Reply<Self> {
        query.required_text(name, MAX).map(|text| Self(text.to_owned()))
    }

    fn schema() -> Object {
        text().max_length(Some(MAX)).build()
    }
}

/// Not blank and without NUL. U+0085 is a blank that `\s` does not cover in some dialects.
fn text() -> ObjectBuilder {
    let pattern = r"^[^\u0000]*[^\u0000\u0085\s][^\u0000]*$";
    ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).pattern(Some(pattern))
}
