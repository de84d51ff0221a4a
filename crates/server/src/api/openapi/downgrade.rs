//! OpenAPI 3.1 → 3.0.3: null types become `nullable`, and siblings of a reference are moved, because 3.0 ignores them.

use serde_json::{Map, Value, json};

pub fn to_3_0(mut document: Value) -> Value {
    document["openapi"] = json!("3.0.3");
    if let Some(license) = document["info"]["license"].as_object_mut() {
        license.remove("identifier");
    }
    walk(&mut document);
    document
}

fn walk(node: &mut Value) {
    match node {
        Value::Object(object) => {
            null_type(object);
            null_branch(object);
            lone_reference(object);
            object.remove("propertyNames");
            object.values_mut().for_each(walk);
        }
        Value::Array(list) => list.iter_mut().for_each(walk),
        _ => {}
    }
}

pub fn without_examples(node: &mut Value) {
    match node {
        Value::Object(object) => {
            object.remove("example");
            object.values_mut().for_each(without_examples);
        }
        Value::Array(list) => list.iter_mut().for_each(without_examples),
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

/// `oneOf: [{$ref: Money}, {type: null}]` → `allOf: [{$ref: Money}], nullable: true`. Read by the letter, 3.0 lets the referenced
/// schema still refuse null. Generators and validators read it as meant, and a second schema that takes null would be a second type
/// in every client.
fn null_branch(object: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = object.get("oneOf") else { return };
    let (nulls, others): (Vec<&Value>, Vec<&Value>) = branches.iter().partition(|branch| branch["type"] == "null");
    let ([_], [Value::Object(other)]) = (nulls.as_slice(), others.as_slice()) else { return };
    let mut beside = other.clone();
    let Some(target @ Value::String(_)) = beside.remove("$ref") else { return };
    object.remove("oneOf");
    object.append(&mut beside);
    object.insert("allOf".to_owned(), json!([{"$ref": target}]));
    object.insert("nullable".to_owned(), Value::Bool(true));
}

/// `$ref, description` → `allOf: [{$ref}], description`: 3.0 ignores siblings of a reference.
fn lone_reference(object: &mut Map<String, Value>) {
    if object.len() > 1
        && let Some(target @ Value::String(_)) = object.remove("$ref")
    {
        object.insert("allOf".to_owned(), json!([{"$ref": target}]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn property(schema: Value) -> Value {
        let money = json!({"type": "object", "properties": {"amount": {"type": ["string", "null"]}}});
        let holder = json!({"type": "object", "properties": {"field": schema}});
        let document = to_3_0(json!({"components": {"schemas": {"Holder": holder, "Money": money}}}));
        let schemas = &document["components"]["schemas"];
        assert_eq!(schemas["Money"]["properties"]["amount"], json!({"type": "string", "nullable": true}));
        assert_eq!(schemas.as_object().unwrap().len(), 2);
        schemas["Holder"]["properties"]["field"].clone()
    }

    #[test]
    fn a_reference_that_may_be_null_needs_no_second_schema() {
        let reference = json!({"$ref": "#/components/schemas/Money", "description": "Gross."});
        let expected = json!({"allOf": [{"$ref": "#/components/schemas/Money"}], "nullable": true, "description": "Gross."});
        for branches in [json!([reference, {"type": "null"}]), json!([{"type": "null"}, reference])] {
            assert_eq!(property(json!({"oneOf": branches})), expected);
        }
    }

    #[test]
    fn a_description_beside_a_reference_is_kept_where_it_counts() {
        let field = property(json!({"$ref": "#/components/schemas/Money", "description": "Gross."}));
        assert_eq!(field, json!({"allOf": [{"$ref": "#/components/schemas/Money"}], "description": "Gross."}));
        let field = property(json!({"$ref": "#/components/schemas/Money"}));
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
