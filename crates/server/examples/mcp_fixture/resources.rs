//! The resources that the suite reads.

use rmcp::ErrorData;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use crate::content::IMAGE;

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";

pub fn all() -> Vec<Resource> {
    let resource = |uri: &str, name: &str, kind: &str| {
        Resource::new(uri, name).with_description("For the conformance suite.").with_mime_type(kind)
    };
    vec![
        resource(TEXT, "text", "text/plain"),
        resource(BINARY, "binary", "image/png"),
        resource(WATCHED, "watched", "text/plain"),
    ]
}

pub fn templates() -> Vec<ResourceTemplate> {
    vec![ResourceTemplate::new("test://template/{id}/data", "template").with_mime_type("application/json")]
}

pub fn read(uri: &str) -> Result<ResourceContents, ErrorData> {
    match uri {
        TEXT => Ok(ResourceContents::text("A text.", uri)),
        WATCHED => Ok(ResourceContents::text("A text that is watched.", uri)),
        BINARY => Ok(ResourceContents::blob(IMAGE, uri).with_mime_type("image/png")),
        _ => {
            let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
            let id = id.ok_or_else(|| ErrorData::resource_not_found("there is no such resource", Some(json!({ "uri": uri }))))?;
            let data = json!({ "id": id });
            Ok(ResourceContents::text(data.to_string(), uri).with_mime_type("application/json"))
        }
    }
}
