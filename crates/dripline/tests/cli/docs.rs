//! The documents of this repository: every link leads to a file, and to a heading if it names one.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

const NOT_OURS: [&str; 6] = ["target", "node_modules", ".git", ".cache", "fixtures", "payers"];

#[test]
fn every_link_in_the_docs_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let documents = documents(&root);
    assert!(documents.len() > 20, "only {} documents found", documents.len());
    let broken: Vec<String> = documents
        .iter()
        .flat_map(|document| {
            let text = std::fs::read_to_string(document).unwrap();
            links(&text)
                .into_iter()
                .filter(|link| !leads_somewhere(document, link))
                .map(|link| format!("{}: {link}", document.display()))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            if !NOT_OURS.contains(&entry.file_name().to_string_lossy().as_ref()) {
                found.extend(documents(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

/// The targets of all links and images, except those to other sites.
fn links(text: &str) -> Vec<String> {
    let prose = lines_of_prose(text).collect::<Vec<_>>().join(" ");
    let outside_code: String = prose.split('`').step_by(2).collect::<Vec<_>>().join("code");
    let targets = outside_code.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://")).map(str::to_owned).collect()
}

/// Leaves out code blocks.
fn lines_of_prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_block = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        !in_block && !fence
    })
}

fn leads_somewhere(document: &Path, link: &str) -> bool {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { document.to_owned() } else { document.parent().unwrap().join(file) };
    if heading.is_empty() || !target.exists() {
        return target.exists();
    }
    headings(&std::fs::read_to_string(target).unwrap()).contains(heading)
}

/// The anchors of a document, as GitHub derives them from its headings.
fn headings(text: &str) -> HashSet<String> {
    lines_of_prose(text)
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}
