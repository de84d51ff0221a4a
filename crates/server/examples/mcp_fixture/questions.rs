//! Tools that ask the client while it waits, as the earlier revision does.
#![allow(deprecated)] // sampling is, and the suite checks it

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientResult, ContentBlock, CreateMessageRequest, CreateMessageRequestParams,
    ElicitRequest, ElicitRequestParams, SamplingMessage, ServerRequest,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

/// Without sessions the client's answer finds no way back.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

pub async fn answer(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Option<Result<CallToolResult, ErrorData>> {
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref()?;
        Some(arguments.get(name)?.as_str()?.to_owned())
    };
    let question = match request.name.as_ref() {
        "test_sampling" => sampling(&argument("prompt").unwrap_or_default()),
        "test_elicitation" => elicitation(&argument("message").unwrap_or_default(), person()),
        "test_elicitation_sep1034_defaults" => elicitation("Please look these over", with_defaults()),
        "test_elicitation_sep1330_enums" => elicitation("Please choose", choices()),
        _ => return None,
    };
    Some(ask(question, context).await)
}

async fn ask(question: ServerRequest, context: &RequestContext<RoleServer>) -> Result<CallToolResult, ErrorData> {
    let answer = tokio::time::timeout(ANSWER_TIMEOUT, context.peer.send_request(question)).await;
    let answer = answer.map_err(|_| ErrorData::internal_error("the client did not answer in time", None))?;
    let text = match answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))? {
        ClientResult::CreateMessageResult(result) => json!(result.message.content).to_string(),
        ClientResult::ElicitResult(result) => json!(result).to_string(),
        _ => return Err(ErrorData::internal_error("the client answered another question", None)),
    };
    Ok(CallToolResult::success(vec![ContentBlock::text(format!("The client answered: {text}"))]))
}

fn sampling(prompt: &str) -> ServerRequest {
    let params = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], 100);
    ServerRequest::CreateMessageRequest(CreateMessageRequest::new(params))
}

fn elicitation(message: &str, schema: Value) -> ServerRequest {
    let params: ElicitRequestParams =
        serde_json::from_value(json!({ "mode": "form", "message": message, "requestedSchema": schema })).unwrap();
    ServerRequest::ElicitRequest(ElicitRequest::new(params))
}

fn person() -> Value {
    json!({
        "type": "object",
        "properties": { "username": { "type": "string" }, "email": { "type": "string" } },
        "required": ["username", "email"],
    })
}

fn with_defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
    })
}

fn choices() -> Value {
    let plain = json!(["option1", "option2", "option3"]);
    let titled = |noun: &str| {
        json!([
            { "const": "value1", "title": format!("{noun} one") },
            { "const": "value2", "title": format!("{noun} two") },
            { "const": "value3", "title": format!("{noun} three") },
        ])
    };
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": plain },
            "titledSingle": { "type": "string", "oneOf": titled("Option") },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["One", "Two", "Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
        },
    })
}
