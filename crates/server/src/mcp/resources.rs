//! Documents about the service that a model can read.

use rmcp::model::{Resource, ResourceContents};

const DEFINITIONS: &str = include_str!("../../../../docs/develop/SPEC.md");

struct Line {
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    kind: &'static str,
}

const TABLE: [Line; 2] = [
    Line {
        uri: "dripline://definitions",
        name: "definitions",
        title: "What every figure means",
        description: "How each figure in the tools' answers is defined: yield, streak, safety, forward income and all others.",
        kind: "text/markdown",
    },
    Line {
        uri: "dripline://openapi",
        name: "openapi",
        title: "The API",
        description: "The OpenAPI document of the JSON API. Each tool is one of its operations.",
        kind: "application/json",
    },
];

pub fn all() -> Vec<Resource> {
    let resource = |line: &Line| {
        Resource::new(line.uri, line.name).with_title(line.title).with_description(line.description).with_mime_type(line.kind)
    };
    TABLE.iter().map(resource).collect()
}

pub fn read(uri: &str, openapi: &str) -> Option<ResourceContents> {
    let line = TABLE.iter().find(|line| line.uri == uri)?;
    let text = if line.name == "openapi" { openapi } else { DEFINITIONS };
    Some(ResourceContents::text(text, line.uri).with_mime_type(line.kind))
}
