//! The tools that the suite calls, as they are listed.

use std::sync::Arc;

use rmcp::model::Tool;
use serde_json::{Value, json};

use crate::rounds;

const TAKING_NOTHING: [&str; 13] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_tool_with_progress",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
];

pub fn all() -> Vec<Tool> {
    let taking_nothing = TAKING_NOTHING.into_iter().chain(rounds::tools());
    let mut tools: Vec<Tool> = taking_nothing.map(|name| tool(name, json!({ "type": "object", "properties": {} }))).collect();
    tools.push(tool("test_sampling", taking("prompt", json!({ "type": "string" }))));
    tools.push(tool("test_elicitation", taking("message", json!({ "type": "string" }))));
    tools.push(tool("test_header_parameter", taking("region", json!({ "type": "string", "x-mcp-header": "Region" }))));
    tools.push(tool("json_schema_2020_12_tool", every_keyword()));
    tools
}

fn tool(name: &'static str, schema: Value) -> Tool {
    let schema = schema.as_object().cloned().unwrap_or_default();
    Tool::new(name, "For the conformance suite.", Arc::new(schema))
}

fn taking(name: &str, kind: Value) -> Value {
    json!({ "type": "object", "properties": { name: kind }, "required": [name] })
}

/// Whether a schema comes through as it is.
fn every_keyword() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": { "$anchor": "address", "type": "object", "properties": { "city": { "type": "string" } } } },
        "properties": { "address": { "$ref": "#/$defs/address" }, "letter": { "type": "boolean" }, "mail": { "type": "string" } },
        "allOf": [{ "anyOf": [{ "required": ["address"] }, { "required": ["mail"] }] }],
        "if": { "properties": { "letter": { "const": true } }, "required": ["letter"] },
        "then": { "required": ["address"] },
        "else": { "required": ["mail"] },
        "additionalProperties": false,
    })
}
