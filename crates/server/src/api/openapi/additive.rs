//! Version 1 may only add. Lists every change that would break a client.

use std::collections::BTreeSet;

use serde_json::Value;

/// Breaking differences from `old` to `new`, each as a sentence; empty when the change only adds.
pub fn breaking_changes(old: &Value, new: &Value) -> Vec<String> {
    let mut breaks = Vec::new();
    for (path, old_item) in members(&old["paths"]) {
        for (method, old_operation) in members(old_item) {
            let place = format!("{} {path}", method.to_uppercase());
            match new["paths"][path].get(method) {
                None => breaks.push(format!("{place} is gone")),
                Some(new_operation) => operation(&place, old_operation, new_operation, &mut breaks),
            }
        }
    }
    for kind in ["schemas", "responses", "headers", "securitySchemes"] {
        for (name, old_part) in members(&old["components"][kind]) {
            match new["components"][kind].get(name) {
                None => breaks.push(format!("the component {name} is gone")),
                Some(new_part) if kind == "schemas" => schema(name, old_part, new_part, &mut breaks),
                Some(new_part) => response(name, old_part, new_part, &mut breaks),
            }
        }
    }
    breaks
}

fn operation(place: &str, old: &Value, new: &Value, breaks: &mut Vec<String>) {
    if old["operationId"] != new["operationId"] {
        breaks.push(format!("{place} has another operationId"));
    }
    if old["security"] != new["security"] {
        breaks.push(format!("{place} asks for another kind of token"));
    }
    let named =
        |list: &Value, name: &Value| list.as_array().and_then(|list| list.iter().find(|one| one["name"] == *name).cloned());
    for parameter in old["parameters"].as_array().into_iter().flatten() {
        let name = &parameter["name"];
        match named(&new["parameters"], name) {
            None => breaks.push(format!("{place} lost the parameter {name}")),
            Some(now) => {
                if now["required"] == true && parameter["required"] != true {
                    breaks.push(format!("{place} now requires the parameter {name}"));
                }
                schema(&format!("{place} {name}"), &parameter["schema"], &now["schema"], breaks);
            }
        }
    }
    for parameter in new["parameters"].as_array().into_iter().flatten() {
        if parameter["required"] == true && named(&old["parameters"], &parameter["name"]).is_none() {
            breaks.push(format!("{place} requires the new parameter {}", parameter["name"]));
        }
    }
    for (status, old_response) in members(&old["responses"]) {
        match new["responses"].get(status) {
            None => breaks.push(format!("{place} lost its answer {status}")),
            Some(now) => response(&format!("{place} {status}"), old_response, now, breaks),
        }
    }
}

fn response(place: &str, old: &Value, new: &Value, breaks: &mut Vec<String>) {
    if old["$ref"] != new["$ref"] {
        breaks.push(format!("{place} points elsewhere"));
    }
    for (header, _) in members(&old["headers"]) {
        if new["headers"].get(header).is_none() {
            breaks.push(format!("{place} lost the header {header}"));
        }
    }
    for (media, content) in members(&old["content"]) {
        match new["content"].get(media) {
            None => breaks.push(format!("{place} lost the type {media}")),
            Some(now) => schema(place, &content["schema"], &now["schema"], breaks),
        }
    }
}

/// Nothing removed, nothing of another type, nothing narrowed, nothing that was always there now absent.
fn schema(place: &str, old: &Value, new: &Value, breaks: &mut Vec<String>) {
    for keyword in ["$ref", "type", "format", "pattern", "allOf", "oneOf", "minimum", "maximum", "minLength", "maxLength"] {
        if old[keyword] != new[keyword] {
            breaks.push(format!("{place}: {keyword} was {}, is {}", old[keyword], new[keyword]));
        }
    }
    if old["nullable"] != new["nullable"] {
        breaks.push(format!("{place}: whether it may be null has changed"));
    }
    let set = |value: &Value| value.as_array().into_iter().flatten().map(Value::to_string).collect::<BTreeSet<_>>();
    for value in set(&old["enum"]).symmetric_difference(&set(&new["enum"])) {
        breaks.push(format!("{place}: the value {value} was added to or removed from a closed list"));
    }
    for field in set(&old["required"]).difference(&set(&new["required"])) {
        breaks.push(format!("{place}: {field} is no longer always present"));
    }
    for (field, old_field) in members(&old["properties"]) {
        match new["properties"].get(field) {
            None => breaks.push(format!("{place}: the field {field} is gone")),
            Some(now) => schema(&format!("{place}.{field}"), old_field, now, breaks),
        }
    }
    for inner in ["items", "additionalProperties"] {
        if !old[inner].is_null() {
            schema(&format!("{place}.{inner}"), &old[inner], &new[inner], breaks);
        }
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document() -> Value {
        json!({
            "paths": {"/a": {"get": {
                "operationId": "getA",
                "parameters": [{"name": "days", "in": "query", "required": false, "schema": {"type": "integer"}}],
                "responses": {"200": {"headers": {"ETag": {}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}
            }}},
            "components": {"schemas": {"A": {
                "type": "object", "required": ["id"],
                "properties": {"id": {"type": "string"}, "kind": {"type": "string", "enum": ["x", "y"]}}
            }}}
        })
    }

    #[test]
    fn additions_are_not_breaking_changes() {
        let mut new = document();
        new["paths"]["/b"] = json!({"get": {}});
        new["paths"]["/a"]["get"]["parameters"].as_array_mut().unwrap().push(json!({"name": "extra", "required": false}));
        new["components"]["schemas"]["A"]["properties"]["more"] = json!({"type": "string"});
        new["components"]["schemas"]["A"]["required"] = json!(["id", "kind"]);
        assert_eq!(breaking_changes(&document(), &new), Vec::<String>::new());
    }

    #[test]
    fn every_breaking_change_is_named() {
        type Edit = fn(&mut Value);
        let edits: [(&str, Edit); 9] = [
            ("GET /a is gone", |new| new["paths"] = json!({})),
            ("lost the parameter", |new| new["paths"]["/a"]["get"]["parameters"] = json!([])),
            ("now requires the parameter", |new| new["paths"]["/a"]["get"]["parameters"][0]["required"] = json!(true)),
            ("requires the new parameter", |new| {
                new["paths"]["/a"]["get"]["parameters"].as_array_mut().unwrap().push(json!({"name": "must", "required": true}));
            }),
            ("lost its answer 200", |new| new["paths"]["/a"]["get"]["responses"] = json!({})),
            ("lost the header ETag", |new| new["paths"]["/a"]["get"]["responses"]["200"]["headers"] = json!({})),
            ("type was", |new| new["components"]["schemas"]["A"]["properties"]["id"]["type"] = json!("integer")),
            ("no longer always present", |new| new["components"]["schemas"]["A"]["required"] = json!([])),
            ("closed list", |new| new["components"]["schemas"]["A"]["properties"]["kind"]["enum"] = json!(["x", "y", "z"])),
        ];
        for (expected, edit) in edits {
            let mut new = document();
            edit(&mut new);
            let breaks = breaking_changes(&document(), &new);
            assert!(breaks.iter().any(|sentence| sentence.contains(expected)), "{expected}: {breaks:?}");
        }
    }
}
