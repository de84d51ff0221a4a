//! OpenAPI 3.1 → 3.0.3: null types become `nullable`, and siblings of a reference are moved, because 3.0 ignores them.

use serde_json::{Map, Value, json};

const SCHEMAS: &str = "#/components/schemas/";

pub fn to_3_0(mut document: Value) -> Value {
    document["openapi"] = json!("3.0.3");
    if let Some(license) = document["info"]["license"].as_object_mut() {
        license.remove("identifier");
    }
    let mut nullable = Vec::new();
    walk(&mut document, &mut nullable);
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        nullable.iter().for_each(|name| add_nullable(schemas, name));
        schemas.sort_keys();
    }
    document
}

/// Collects in `nullable` the schemas that need a nullable variant.
fn walk(node: &mut Value, nullable: &mut Vec<String>) {
    match node {
        Value::Object(object) => {
            null_type(object);
            null_branch(object, nullable);
            lone_reference(object);
            object.remove("propertyNames");
            object.values_mut().for_each(|value| walk(value, nullable));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| walk(value, nullable)),
        _ => {}
    }
}

/// `type: [string, null]` → `type: string, nullable: true`
fn null_type(object: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = object.get("type") else { return };
    let Some(one) = types.iter().find(|one| **one != "null").cloned() else { return };
    let nullable = types.iter().any(|one| one == "null");
    object.insert("type".to_owned(), one);
    if nullable {
        object.insert("nullable".to_owned(), Value::Bool(true));
    }
}

/// `oneOf: [{$ref: Money}, {type: null}]` → `allOf: [{$ref: NullableMoney}], nullable: true`. `nullable` next
/// to a reference is not enough: in 3.0 it only applies to a type in the same place, and the referenced schema would still refuse null.
fn null_branch(object: &mut Map<String, Value>, nullable: &mut Vec<String>) {
    let Some(Value::Array(branches)) = object.get("oneOf") else { return };
    let (nulls, others): (Vec<&Value>, Vec<&Value>) = branches.iter().partition(|branch| branch["type"] == "null");
    let ([_], [Value::Object(other)]) = (nulls.as_slice(), others.as_slice()) else { return };
    let mut beside = other.clone();
    let Some(Value::String(target)) = beside.remove("$ref") else { return };
    let Some(name) = target.strip_prefix(SCHEMAS) else { return };
    object.remove("oneOf");
    object.append(&mut beside);
    object.insert("allOf".to_owned(), json!([{"$ref": format!("{SCHEMAS}{}", nullable_name(name))}]));
    object.insert("nullable".to_owned(), Value::Bool(true));
    if !nullable.iter().any(|known| known == name) {
        nullable.push(name.to_owned());
    }
}

/// `$ref, description` → `allOf: [{$ref}], description`: 3.0 ignores siblings of a reference.
fn lone_reference(object: &mut Map<String, Value>) {
    if object.len() > 1
        && let Some(target @ Value::String(_)) = object.remove("$ref")
    {
        object.insert("allOf".to_owned(), json!([{"$ref": target}]));
    }
}

fn add_nullable(schemas: &mut Map<String, Value>, name: &str) {
    let Some(mut schema) = schemas.get(name).cloned() else { return };
    schema["nullable"] = Value::Bool(true);
    schemas.insert(nullable_name(name), schema);
}

fn nullable_name(name: &str) -> String {
    format!("Nullable{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn property(schema: Value) -> (Value, Value) {
        let money = json!({"type": "object", "properties": {"amount": {"type": ["string", "null"]}}});
        let holder = json!({"type": "object", "properties": {"field": schema}});
        let document = to_3_0(json!({"components": {"schemas": {"Holder": holder, "Money": money}}}));
        let schemas = &document["components"]["schemas"];
        (schemas["Holder"]["properties"]["field"].clone(), schemas.clone())
    }

    #[test]
    fn a_reference_that_may_be_null_points_to_a_schema_that_takes_null_itself() {
        let reference = json!({"$ref": "#/components/schemas/Money", "description": "Gross."});
        for branches in [json!([reference, {"type": "null"}]), json!([{"type": "null"}, reference])] {
            let (field, schemas) = property(json!({"oneOf": branches}));
            let expected =
                json!({"allOf": [{"$ref": "#/components/schemas/NullableMoney"}], "nullable": true, "description": "Gross."});
            assert_eq!(field, expected);
            let nullable =
                json!({"type": "object", "nullable": true, "properties": {"amount": {"type": "string", "nullable": true}}});
            assert_eq!(schemas["NullableMoney"], nullable);
            assert_eq!(schemas["Money"].get("nullable"), None);
        }
    }

    #[test]
    fn a_description_beside_a_reference_is_kept_where_it_counts() {
        let (field, _) = property(json!({"$ref": "#/components/schemas/Money", "description": "Gross."}));
        assert_eq!(field, json!({"allOf": [{"$ref": "#/components/schemas/Money"}], "description": "Gross."}));
        let (field, _) = property(json!({"$ref": "#/components/schemas/Money"}));
        assert_eq!(field, json!({"$ref": "#/components/schemas/Money"}));
    }

    #[test]
    fn nothing_of_3_1_is_left_in_the_document() {
        let text = super::super::DOCUMENT_3_0.to_string();
        for word in ["\"oneOf\"", "\"null\"", "\"propertyNames\"", "\"examples\"", "\"identifier\""] {
            assert!(!text.contains(word), "{word}");
        }
    }
}
