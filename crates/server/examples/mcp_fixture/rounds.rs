//! Tools that need to hear something of the client first: they answer with questions, and the client calls again with its answers.
#![allow(deprecated)] // sampling and roots are, and the suite checks them

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, InputRequest, InputRequests,
    InputRequiredResult, InputResponses,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use crate::seal::Seal;

struct Line {
    tool: &'static str,
    /// The questions of each round, by their keys.
    rounds: &'static [&'static [&'static str]],
    /// Whether the client carries a state from round to round.
    sealed: bool,
}

const TABLE: [Line; 10] = [
    Line { tool: "test_input_required_result_elicitation", rounds: &[&["user_name"]], sealed: false },
    Line { tool: "test_input_required_result_sampling", rounds: &[&["capital_question"]], sealed: false },
    Line { tool: "test_input_required_result_list_roots", rounds: &[&["client_roots"]], sealed: false },
    Line { tool: "test_input_required_result_request_state", rounds: &[&["confirm"]], sealed: true },
    Line {
        tool: "test_input_required_result_multiple_inputs",
        rounds: &[&["user_name", "greeting", "client_roots"]],
        sealed: true,
    },
    Line { tool: "test_input_required_result_multi_round", rounds: &[&["step1"], &["step2"]], sealed: true },
    Line { tool: "test_input_required_result_tampered_state", rounds: &[&["confirm"]], sealed: true },
    Line { tool: "test_input_required_result_capabilities", rounds: &[&["user_name", "greeting"]], sealed: false },
    Line { tool: "test_streaming_elicitation", rounds: &[&["user_name"]], sealed: false },
    Line { tool: "test_missing_capability", rounds: &[&["greeting"]], sealed: false },
];

pub fn tools() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|line| line.tool)
}

pub fn answer(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    seal: &Seal,
) -> Option<Result<CallToolResponse, ErrorData>> {
    let line = TABLE.iter().find(|line| line.tool == request.name)?;
    let able = context.meta.client_capabilities().unwrap_or_default();
    Some(go_on(line, request, &able, seal))
}

fn go_on(
    line: &Line,
    request: &CallToolRequestParams,
    able: &ClientCapabilities,
    seal: &Seal,
) -> Result<CallToolResponse, ErrorData> {
    let carried = request.request_state.as_deref().filter(|_| line.sealed);
    let mut round = carried.map(|state| seal.open(line.tool, state)).transpose()?.unwrap_or(0);
    let asked = line.rounds.get(round).copied().unwrap_or_default();
    if is_answered(asked, request.input_responses.as_ref()) && (carried.is_some() || !line.sealed) {
        round += 1;
    }
    let Some(keys) = line.rounds.get(round) else {
        let responses = json!(request.input_responses).to_string();
        return Ok(CallToolResult::success(vec![ContentBlock::text(format!("The client said {responses}"))]).into());
    };
    let state = line.sealed.then(|| seal.close(line.tool, round));
    Ok(InputRequiredResult::new(Some(questions(keys, able)?), state).into())
}

pub fn is_answered(keys: &[&str], responses: Option<&InputResponses>) -> bool {
    responses.is_some_and(|responses| keys.iter().all(|key| responses.get(*key).is_some_and(Value::is_object)))
}

/// Those that the client said it can answer.
fn questions(keys: &[&str], able: &ClientCapabilities) -> Result<InputRequests, ErrorData> {
    let all = keys.iter().map(|key| ((*key).to_owned(), question(key)));
    let asked: InputRequests = all.filter(|(_, question)| can_answer(question, able)).collect();
    match keys.first() {
        Some(first) if asked.is_empty() => Err(ErrorData::missing_required_client_capability(needed(&question(first)))),
        _ => Ok(asked),
    }
}

fn can_answer(question: &InputRequest, able: &ClientCapabilities) -> bool {
    match question {
        InputRequest::CreateMessage(_) => able.sampling.is_some(),
        InputRequest::Elicitation(_) => able.elicitation.is_some(),
        _ => able.roots.is_some(),
    }
}

fn needed(question: &InputRequest) -> ClientCapabilities {
    match question {
        InputRequest::CreateMessage(_) => ClientCapabilities::builder().enable_sampling().build(),
        InputRequest::Elicitation(_) => ClientCapabilities::builder().enable_elicitation().build(),
        _ => ClientCapabilities::builder().enable_roots().build(),
    }
}

pub fn question(key: &str) -> InputRequest {
    let asked = match key {
        "capital_question" => sampling("A question to a model"),
        "greeting" => sampling("Another question to a model"),
        "client_roots" => json!({ "method": "roots/list" }),
        "confirm" => form("Is that right?", "ok", "boolean"),
        "step1" => form("First, a name", "name", "string"),
        "step2" => form("Then, a color", "color", "string"),
        "user_context" => form("In which context?", "context", "string"),
        _ => form("By which name?", "name", "string"),
    };
    serde_json::from_value(asked).unwrap()
}

fn sampling(text: &str) -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
    json!({ "method": "sampling/createMessage", "params": { "messages": [message], "maxTokens": 100 } })
}

fn form(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { field: { "type": kind } }, "required": [field] });
    json!({ "method": "elicitation/create", "params": { "mode": "form", "message": message, "requestedSchema": schema } })
}
