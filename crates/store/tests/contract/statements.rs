use std::collections::HashSet;

use scratch::Scratch;
use store::Store;
use store::postgres::{Settings, batch_sql};
use store::statement::Type;
use store::statements;
use tokio_postgres::types::{Kind, Type as Wire};

use crate::sample::Database;

#[tokio::test]
async fn every_statement_prepares_with_the_parameters_and_columns_it_declares() {
    let database = Database::embedded().await;
    let connection = database.raw();
    for statement in statements::all() {
        let prepared = connection.prepare(&statement.sql).unwrap_or_else(|error| panic!("{}: {error}", statement.name));
        assert_eq!(prepared.parameter_count(), statement.params.len(), "{}", statement.name);
        assert_eq!(prepared.column_count(), statement.columns.len(), "{}", statement.name);
    }
}

/// The types that PostgreSQL finds are those that SQLite's values are read as.
#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn every_statement_prepares_on_postgresql_with_the_types_it_declares() {
    let scratch = Scratch::empty().await;
    drop(Store::connect(&Settings::new(&scratch.url())).await.unwrap());
    let client = scratch.raw().await;
    for statement in statements::all() {
        let prepared = client.prepare(&statement.sql).await.unwrap_or_else(|error| panic!("{}: {error:?}", statement.name));
        let params: Vec<Wire> = statement.params.iter().map(wire).collect();
        assert_eq!(prepared.params(), params, "{}", statement.name);
        let columns: Vec<&Wire> = prepared.columns().iter().map(|column| column.type_()).collect();
        let declared: Vec<Wire> = statement.columns.iter().map(wire).collect();
        assert_eq!(columns, declared.iter().collect::<Vec<_>>(), "{}", statement.name);
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn every_insert_prepares_in_its_batched_form() {
    let scratch = Scratch::empty().await;
    drop(Store::connect(&Settings::new(&scratch.url())).await.unwrap());
    let client = scratch.raw().await;
    let mut prepared_for = HashSet::new();
    for (statement, sql) in statements::all().filter_map(|statement| Some((statement, batch_sql(statement)?))) {
        let prepared = client.prepare(&sql).await.unwrap_or_else(|error| panic!("{}: {error:?}", statement.name));
        let arrays = statement.params.iter().map(|kind| Kind::Array(wire(kind)));
        assert!(prepared.params().iter().map(|kind| kind.kind().clone()).eq(arrays), "{}", statement.name);
        prepared_for.insert(statement.name);
    }
    for name in ["entries::ADD", "positions::MARK", "instruments::PUT", "stocks::ADD_PLACEHOLDER", "prices::UPSERT"] {
        assert!(prepared_for.contains(format!("store::{name}").as_str()), "{name} takes one row at a time");
    }
    for name in ["positions::MARK_STORED", "positions::KEEP", "entries::OF_SYMBOLS", "positions::REMOVE"] {
        assert!(!prepared_for.contains(format!("store::{name}").as_str()), "{name} has no list of values");
    }
}

fn wire(kind: &Type) -> Wire {
    match kind {
        Type::Text => Wire::TEXT,
        Type::Integer => Wire::INT8,
        Type::Boolean => Wire::BOOL,
        Type::Decimal => Wire::NUMERIC,
        Type::Date => Wire::DATE,
        Type::Uuid => Wire::UUID,
        Type::Bytes => Wire::BYTEA,
    }
}

/// SQLite numbers `$1` by appearance; PostgreSQL by its number.
#[tokio::test]
async fn parameters_appear_in_the_order_of_their_numbers() {
    let database = Database::embedded().await;
    let connection = database.raw();
    for statement in statements::all() {
        let prepared = connection.prepare(&statement.sql).unwrap();
        for index in 1..=statement.params.len() {
            assert_eq!(prepared.parameter_name(index), Some(format!("${index}").as_str()), "{}", statement.name);
        }
    }
}

#[test]
fn statement_names_are_unique() {
    let names: HashSet<_> = statements::all().map(|statement| statement.name).collect();
    assert_eq!(names.len(), statements::all().count());
    assert!(names.contains("store::look_ups::SESSION"));
}

/// Statements for the operator, sign-in and the service itself; every other one serves one user.
const ABOUT_MANY_USERS: &[&str] = &[
    "store::feeds::OWNER",
    "store::imports::OWNER",
    "store::instruments::CONFIRMED",
    "store::oauth::codes::BY_HASH",
    "store::oauth::codes::DELETE_BEFORE",
    "store::oauth::codes::SET_USED",
    "store::oauth::device_codes::BY_HASH",
    "store::oauth::device_codes::BY_USER_CODE",
    "store::oauth::device_codes::COUNT_PENDING",
    "store::oauth::device_codes::COUNT_TRY",
    "store::oauth::device_codes::DECIDE",
    "store::oauth::device_codes::DELETE_BEFORE",
    "store::oauth::device_codes::POLLED",
    "store::oauth::device_codes::SET_USED",
    "store::deleted_entries::EXPIRED",
    "store::entries::USERS_OF_SYMBOL",
    "store::oauth::grants::USERS_OF_CLIENT",
    "store::oauth::grants::DELETE_CLIENT_TOKENS",
    "store::oauth::grants::DELETE_CLIENT_REFRESH_TOKENS",
    "store::oauth::grants::DELETE_CLIENT_CODES",
    "store::oauth::grants::DELETE_CLIENT_DEVICE_CODES",
    "store::oauth::grants::DELETE_OF_CLIENT",
    "store::oauth::refresh_tokens::BY_HASH",
    "store::oauth::refresh_tokens::ROTATE",
    "store::audit::ANY",
    "store::audit::USERS",
    "store::mail_links::CLEAR",
    "store::mail_links::CLEAR_EXPIRED",
    "store::mail_links::COUNT",
    "store::mail_links::GET",
    "store::portfolios::SHARED",
    "store::portfolios::USERS_RECORDING",
    "store::resets::OWNER",
    "store::sessions::VISIT",
    "store::tokens::ACCESS",
    "store::tokens::KNOWN",
    "store::tokens::REVOKE",
    "store::look_ups::SESSION",
    "store::totp::SECRETS",
    "store::look_ups::SESSIONS",
    "store::tokens::TOUCH",
    "store::stocks::placeholders::IN_LEDGERS",
    "store::stocks::placeholders::UNUSED",
    "store::tracking::IS_TRACKED",
    "store::uploads::EXPIRED",
    "store::uploads::SIZES",
    "store::users::BY_EMAIL",
    "store::users::ANY",
    "store::users::LIST",
    "store::users::OWNER",
    "store::users::HEIR",
    "store::users::CLEAR_OWNER",
];

#[test]
fn every_private_statement_filters_by_user() {
    let private = [
        "users",
        "tokens",
        "oauth_grants",
        "oauth_codes",
        "oauth_refresh_tokens",
        "oauth_device_codes",
        "portfolios",
        "positions",
        "payment_decisions",
        "reinvest_rules",
        "entries",
        "deleted_entries",
        "radar",
        "tracking",
        "imports",
        "instruments",
        "column_maps",
        "statements",
        "accruals",
        "import_files",
        "sessions",
        "devices",
        "resets",
        "email_changes",
        "mail_links",
        "totp",
        "recovery_codes",
        "audit",
        "feeds",
        "uploads",
    ];
    // A copy is of everybody.
    for statement in statements::all().filter(|statement| !statement.name.starts_with("store::copy::")) {
        let outside_quotes = statement.sql.split('\'').step_by(2);
        let words: HashSet<&str> = outside_quotes.flat_map(|sql| sql.split(|c: char| !c.is_alphanumeric() && c != '_')).collect();
        let touches = private.iter().any(|table| words.contains(table));
        let scoped = match statement.sql.split_once("WHERE") {
            Some((before, condition)) => {
                condition.contains("user_id = $") || (before.contains("users") && condition.trim_start().starts_with("id = $"))
            }
            None => statement.sql.starts_with("INSERT INTO") && statement.params.contains(&Type::Uuid),
        };
        let excepted = ABOUT_MANY_USERS.contains(&statement.name);
        assert_eq!(touches && !scoped, excepted, "{}", statement.name);
    }
}

#[test]
fn no_statement_uses_what_the_engines_do_differently() {
    for statement in statements::all() {
        let sql = statement.sql.to_lowercase();
        for word in [
            "now()",
            "lower(",
            "upper(",
            "nocase",
            "sum(",
            "avg(",
            "total(",
            "like",
            "glob",
            "or ignore",
            "or replace",
            "rowid",
            "substr",
            "strftime",
            "ifnull",
            "?",
        ] {
            assert!(!sql.contains(word), "{} uses {word}", statement.name);
        }
    }
}
