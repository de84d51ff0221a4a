//! The OpenAPI description, split up for the page: operations, errors, types.

use std::collections::BTreeSet;

use serde_json::Value;
use serving::resolved;

use super::document::{members, text};
use super::fields::{self, Field, Kind, Schema};
use super::{prose, sample};
use crate::format::Html;
use crate::visit::links;

pub struct Reference {
    pub operations: Vec<Operation>,
    /// Errors of every operation; an operation lists only its own.
    pub errors: Vec<Failure>,
    pub schemas: Vec<Schema>,
}

pub struct Operation {
    pub id: String,
    pub path: String,
    pub summary: Html,
    pub description: Option<Html>,
    pub token: Token,
    pub parameters: Vec<Parameter>,
    pub answer: Html,
    pub kind: Option<Kind>,
    pub fields: Vec<Field>,
    pub example: Option<String>,
    pub errors: Vec<Failure>,
    pub curl: String,
}

#[derive(PartialEq, Eq, Clone, Copy)]
pub enum Token {
    Required,
    Optional,
    None,
}

pub struct Parameter {
    pub name: String,
    pub place: String,
    pub kind: Kind,
    pub required: bool,
    pub description: Html,
}

pub struct Failure {
    pub status: String,
    /// The code, a colon and when it occurs.
    pub words: Html,
}

impl Reference {
    pub fn of(document: &Value, base_url: &str) -> Reference {
        let common = common_statuses(document);
        let tag = |operation: &Value| members(&document["tags"]).position(|(_, tag)| tag["name"] == operation["tags"][0]);
        let mut found: Vec<(&str, &Value)> = members(&document["paths"]).map(|(path, item)| (path, &item["get"])).collect();
        found.sort_by_key(|(_, operation)| tag(operation));
        let any = found.first().map(|(_, operation)| failures(document, operation, |status| common.contains(status)));
        Reference {
            operations: found.iter().map(|(path, one)| operation(document, base_url, path, one, &common)).collect(),
            errors: any.unwrap_or_default(),
            schemas: fields::schemas(document),
        }
    }
}

fn operation(document: &Value, base_url: &str, path: &str, operation: &Value, common: &BTreeSet<String>) -> Operation {
    let (status, answer) =
        members(&operation["responses"]).find(|(status, _)| status.starts_with('2')).unwrap_or(("", &Value::Null));
    let schema = &answer["content"]["application/json"]["schema"];
    let token = token(operation);
    Operation {
        id: text(&operation["operationId"]),
        path: path.to_owned(),
        summary: prose::html(&text(&operation["summary"])),
        description: operation["description"].as_str().map(prose::html),
        parameters: members(&operation["parameters"]).map(|(_, one)| parameter(resolved(document, one))).collect(),
        answer: prose::html(&format!("{status}: {}", text(&answer["description"]))),
        kind: schema.get("$ref").map(|_| fields::kind(schema)),
        fields: fields::list(document, schema),
        example: schema.get("$ref").map(|_| sample::render(document, schema)),
        errors: failures(document, operation, |status| !status.starts_with('2') && !common.contains(status)),
        curl: curl(base_url, path, operation, token),
        token,
    }
}

fn token(operation: &Value) -> Token {
    if operation.get("security").is_none() {
        return Token::Required;
    }
    let choices: Vec<bool> = members(&operation["security"]).map(|(_, choice)| choice.get("bearerAuth").is_some()).collect();
    if choices.contains(&true) { Token::Optional } else { Token::None }
}

fn parameter(parameter: &Value) -> Parameter {
    Parameter {
        name: text(&parameter["name"]),
        place: text(&parameter["in"]),
        kind: fields::kind(&parameter["schema"]),
        required: parameter["required"] == true,
        description: prose::html(&text(&parameter["description"])),
    }
}

/// Statuses that mean the same error everywhere.
fn common_statuses(document: &Value) -> BTreeSet<String> {
    let statuses =
        |operation: &Value| members(&operation["responses"]).map(|(status, _)| status.to_owned()).collect::<BTreeSet<_>>();
    let sets = members(&document["paths"]).map(|(_, item)| statuses(&item["get"]));
    let shared = sets.reduce(|one, other| one.intersection(&other).cloned().collect()).unwrap_or_default();
    shared.into_iter().filter(|status| !status.starts_with('2')).collect()
}

fn failures(document: &Value, operation: &Value, wanted: impl Fn(&str) -> bool) -> Vec<Failure> {
    let responses = members(&operation["responses"]).filter(|(status, _)| wanted(status));
    let failure = |(status, response): (&str, &Value)| Failure {
        status: status.to_owned(),
        words: prose::html(&text(&resolved(document, response)["description"])),
    };
    responses.map(failure).collect()
}

/// With the required parameters, taken from the examples.
fn curl(base_url: &str, path: &str, operation: &Value, token: Token) -> String {
    let mut path = path.to_owned();
    let mut query = Vec::new();
    for (_, one) in members(&operation["parameters"]).filter(|(_, one)| one["required"] == true) {
        let (name, value) = (text(&one["name"]), links::escaped(&text(&one["example"])));
        match one["in"] == "path" {
            true => path = path.replace(&format!("{{{name}}}"), &value),
            false => query.push(format!("{name}={value}")),
        }
    }
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let header = if token == Token::None { "" } else { "-H \"Authorization: Bearer $TOKEN\" " };
    format!("curl {header}\"{base_url}{path}{query}\"")
}
