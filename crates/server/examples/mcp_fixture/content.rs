//! Tools that answer at once, each with another kind of content.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

/// Four pixels, PNG.
pub const IMAGE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADElEQVR4nGNg+A+EAAYAAf+T0eSJAAAAAElFTkSuQmCC";
/// A millisecond of silence, WAV.
const AUDIO: &str = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

pub fn image() -> ContentBlock {
    ContentBlock::image(IMAGE, "image/png")
}

pub fn answer(tool: &str) -> Option<CallToolResult> {
    let content = match tool {
        "test_simple_text" => vec![ContentBlock::text("A sentence.")],
        "test_image_content" => vec![image()],
        "test_audio_content" => vec![ContentBlock::audio(AUDIO, "audio/wav")],
        "test_embedded_resource" => {
            vec![ContentBlock::embedded_text("test://within", "A resource within an answer.")]
        }
        "test_multiple_content_types" => vec![ContentBlock::text("A sentence, an image and a resource."), image(), data()],
        "json_schema_2020_12_tool" | "test_header_parameter" => vec![ContentBlock::text("Taken.")],
        "test_error_handling" => {
            let sentence = "This tool always fails.";
            return Some(CallToolResult::error(vec![ContentBlock::text(sentence)]));
        }
        _ => return None,
    };
    Some(CallToolResult::success(content))
}

fn data() -> ContentBlock {
    let text = r#"{"shares":12}"#;
    ContentBlock::resource(ResourceContents::text(text, "test://beside").with_mime_type("application/json"))
}
