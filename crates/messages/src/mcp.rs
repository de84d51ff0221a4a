//! The connector for AI assistants: what a model must correct in a call.

use crate::Keys;

pub const KEYS: &[Keys] = &[Mcp::KEYS];

crate::texts! { Mcp = "mcp" {
    unknown_tool, unknown_page, unknown_symbol, too_long, unknown_prompt;
    too_many_calls(seconds), malformed_parameters(method), not_text(name), not_integer(name), not_boolean(name), missing(name),
    empty(name), given_twice(name, other), unknown_argument(name, known), takes_nothing(name), unknown_prompt_argument(takes),
    prompt_argument_not_text(name),
} }
