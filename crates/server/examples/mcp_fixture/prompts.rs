//! The prompts that the suite gets.

use rmcp::ErrorData;
use rmcp::model::{
    ContentBlock, GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequiredResult, Prompt, PromptArgument,
    PromptMessage, Role,
};

use crate::{content, rounds};

const TABLE: [(&str, &[&str]); 5] = [
    ("test_simple_prompt", &[]),
    ("test_prompt_with_arguments", &["arg1", "arg2"]),
    ("test_prompt_with_embedded_resource", &["resourceUri"]),
    ("test_prompt_with_image", &[]),
    ("test_input_required_result_prompt", &[]),
];

pub fn all() -> Vec<Prompt> {
    let argument = |name: &&str| PromptArgument::new(*name).with_required(true);
    let prompt = |(name, takes): &(&str, &[&str])| {
        Prompt::new(*name, Some("For the conformance suite."), Some(takes.iter().map(argument).collect()))
    };
    TABLE.iter().map(prompt).collect()
}

pub fn get(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let argument = |name: &str| {
        let value = request.arguments.as_ref().and_then(|arguments| arguments.get(name)?.as_str());
        value.ok_or_else(|| ErrorData::invalid_params(format!("{name} is needed"), None))
    };
    let messages = match request.name.as_str() {
        "test_simple_prompt" => vec![ContentBlock::text("A question.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1")?, argument("arg2")?);
            vec![ContentBlock::text(format!("A question about {first} and {second}."))]
        }
        "test_prompt_with_embedded_resource" => vec![
            ContentBlock::embedded_text(argument("resourceUri")?, "A resource within a prompt."),
            ContentBlock::text("A question about the resource."),
        ],
        "test_prompt_with_image" => vec![content::image(), ContentBlock::text("A question about the image.")],
        "test_input_required_result_prompt" => {
            if !rounds::is_answered(&["user_context"], request.input_responses.as_ref()) {
                let asked = [("user_context".to_owned(), rounds::question("user_context"))].into();
                return Ok(InputRequiredResult::from_input_requests(asked).into());
            }
            vec![ContentBlock::text("A prompt in the context that the client gave.")]
        }
        other => return Err(ErrorData::invalid_params(format!("there is no prompt {other}"), None)),
    };
    let messages = messages.into_iter().map(|content| PromptMessage::new(Role::User, content)).collect();
    Ok(GetPromptResult::new(messages).into())
}
