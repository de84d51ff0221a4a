//! Types of the API as tables of their fields.

use serde_json::Value;
use serving::resolved;

use super::document::{members, text};
use super::prose;
use crate::format::Html;

pub struct Schema {
    pub name: String,
    pub description: Option<Html>,
    pub fields: Vec<Field>,
    /// For a type that is a single value instead of an object.
    pub kind: Option<Kind>,
}

pub struct Field {
    /// For a field of a nested object without a name: the path to it.
    pub name: String,
    pub kind: Kind,
    pub always: bool,
    pub description: Html,
}

pub struct Kind {
    pub word: String,
    /// The type, if it is explained further below.
    pub schema: Option<String>,
    pub list: bool,
    pub map: bool,
    pub nullable: bool,
    pub values: Vec<String>,
}

pub fn schemas(document: &Value) -> Vec<Schema> {
    let all = members(&document["components"]["schemas"]);
    all.map(|(name, schema)| Schema {
        name: name.to_owned(),
        description: schema["description"].as_str().map(prose::html),
        fields: list(document, schema),
        kind: schema.get("properties").is_none().then(|| kind(schema)),
    })
    .collect()
}

/// Required fields first, in the order of the type.
pub fn list(document: &Value, schema: &Value) -> Vec<Field> {
    let mut fields = Vec::new();
    gather(resolved(document, schema), "", &mut fields);
    fields
}

fn gather(schema: &Value, before: &str, fields: &mut Vec<Field>) {
    let required: Vec<&str> = members(&schema["required"]).filter_map(|(_, name)| name.as_str()).collect();
    let mut properties: Vec<(&str, &Value)> = members(&schema["properties"]).collect();
    let place = |name: &str| required.iter().position(|one| *one == name);
    properties.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
    for (name, property) in properties {
        let path = format!("{before}{name}");
        fields.push(Field {
            kind: kind(property),
            always: place(name).is_some(),
            description: prose::html(&text(&property["description"])),
            name: path.clone(),
        });
        gather(property, &format!("{path}."), fields);
    }
}

pub fn kind(schema: &Value) -> Kind {
    let nullable = schema["nullable"] == true;
    let inner = schema.pointer("/allOf/0").unwrap_or(schema);
    if inner["items"].is_object() {
        return Kind { list: true, nullable, ..kind(&inner["items"]) };
    }
    if inner["additionalProperties"].is_object() {
        return Kind { map: true, nullable, ..kind(&inner["additionalProperties"]) };
    }
    if let Some(name) = inner["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
        let name = name.to_owned();
        return Kind { word: name.clone(), schema: Some(name), list: false, map: false, nullable, values: Vec::new() };
    }
    // The format of a value says more than its type; the width of a number says nothing.
    let format = inner["format"].as_str().filter(|format| *format != "double");
    Kind {
        word: format.map_or_else(|| text(&inner["type"]), str::to_owned),
        schema: None,
        list: false,
        map: false,
        nullable,
        values: members(&inner["enum"]).map(|(_, value)| text(value)).collect(),
    }
}
