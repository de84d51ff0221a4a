//! How the source is laid out: inside a crate, files do not import each other in circles, and folders stay small enough to
//! survey.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Of re-exports, each through another.
const DEPTH_MAX: usize = 8;

const FILES_MAX: usize = 20;
/// Folders that may have more files, because their files are alike and a reader looks for one by its name.
const LARGE_FOLDERS: &[(&str, &str)] = &[
    ("ledger/src", "one file per figure"),
    ("messages/src/web", "one file per page"),
    ("server/src/api", "one file per resource"),
    ("store/src", "one file per table"),
];

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for folder in crate_folders() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        circles.extend(circles_of(&folder.join("src")).into_iter().map(|line| format!("{name}: {line}")));
    }
    assert!(circles.is_empty(), "files import each other in a circle:\n{}", circles.join("\n"));
}

#[test]
fn no_folder_has_more_files_than_a_reader_can_survey() {
    let mut counts = BTreeMap::new();
    for folder in crate_folders() {
        count_files(&folder.join("src"), &mut counts);
    }
    let large = counts.iter().filter(|(_, files)| **files > FILES_MAX).map(|(folder, _)| folder.as_str());
    let allowed: BTreeSet<&str> = LARGE_FOLDERS.iter().map(|(folder, _)| *folder).collect();
    assert_eq!(large.collect::<BTreeSet<_>>(), allowed, "folders with more than {FILES_MAX} files, and LARGE_FOLDERS");
}

#[test]
fn a_circle_is_found_through_braces_aliases_globs_and_re_exports() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("lib.rs", "mod a; mod b; mod c; mod d; mod folder; pub use c::Third; pub use folder::Inner;"),
        ("a.rs", "use crate::{b::{self, Second as Two}, folder}; pub struct First; fn f(_: Two) { b::g(); folder::inner::h() }"),
        ("b.rs", "pub use super::Third; pub struct Second; pub fn g() {}"),
        ("c.rs", "macro_rules! first { () => { crate::a::First } } pub struct Third; // crate::d::Fourth"),
        ("d.rs", "use crate::Inner; pub struct Fourth; #[cfg(test)] mod tests { use super::*; use crate::a::First; }"),
        ("folder/mod.rs", "mod inner; pub(in crate::d) use inner::*;"),
        ("folder/inner.rs", "use super::super::a; pub struct Inner(Vec<a::First>); pub fn h() {}"),
    ];
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let expected = [
        "a.rs -> b.rs: Second, g",
        "a.rs -> folder/inner.rs: h",
        "b.rs -> c.rs: Third",
        "c.rs -> a.rs: First",
        "folder/inner.rs -> a.rs: First",
    ];
    assert_eq!(circles_of(folder.path()), expected);
}

fn crate_folders() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut folders: Vec<PathBuf> = fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() > 5, "{folders:?}");
    folders
}

fn count_files(folder: &Path, counts: &mut BTreeMap<String, usize>) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let files = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")).count();
    counts.insert(folder.strip_prefix(crates).unwrap().display().to_string(), files);
    paths.iter().filter(|path| path.is_dir()).for_each(|path| count_files(path, counts));
}

/// Every import that is part of a circle, as `file -> file: names`.
fn circles_of(source: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    for root in ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().filter(|root| root.exists()) {
        let mut modules = Modules(Vec::new());
        modules.read(&root, source, None);
        let imports = modules.imports_between_files();
        let reached: HashMap<usize, HashSet<usize>> =
            imports.keys().map(|(from, _)| (*from, reachable(&imports, *from))).collect();
        for ((from, to), names) in &imports {
            if reached.get(to).is_some_and(|reached| reached.contains(from)) {
                let [from, to] = [from, to].map(|file| modules.0[*file].path.strip_prefix(source).unwrap().display());
                lines.push(format!("{from} -> {to}: {}", Vec::from_iter(names.iter().copied()).join(", ")));
            }
        }
    }
    lines.sort();
    lines
}

/// By the file that imports and the file that defines: the names.
type Imports<'a> = BTreeMap<(usize, usize), BTreeSet<&'a str>>;

fn reachable(imports: &Imports<'_>, start: usize) -> HashSet<usize> {
    let (mut found, mut open) = (HashSet::new(), vec![start]);
    while let Some(from) = open.pop() {
        let next = imports.range((from, 0)..(from + 1, 0)).map(|((_, to), _)| *to);
        open.extend(next.filter(|to| found.insert(*to)));
    }
    found
}

/// The modules of a crate, without those for tests. The first is the root.
struct Modules(Vec<Module>);

struct Module {
    path: PathBuf,
    /// The module that is the whole file; itself, unless it is inline.
    file: usize,
    parent: Option<usize>,
    children: HashMap<String, usize>,
    defined: HashSet<String>,
    /// What `use` calls by this name.
    used: HashMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    /// Every path in its text.
    paths: Vec<Vec<String>>,
}

#[derive(Clone, Copy)]
enum Target<'a> {
    Module(usize),
    /// The module that defines it, and its name.
    Item(usize, &'a str),
}

impl Modules {
    /// `folder` has the files of its child modules.
    fn read(&mut self, path: &Path, folder: &Path, parent: Option<usize>) -> usize {
        let text = fs::read_to_string(path).unwrap();
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let module = self.add(path, self.0.len(), parent);
        self.scan(&Vec::from_iter(tokens), module, folder, true);
        module
    }

    fn add(&mut self, path: &Path, file: usize, parent: Option<usize>) -> usize {
        self.0.push(Module {
            path: path.to_owned(),
            file,
            parent,
            children: HashMap::new(),
            defined: HashSet::new(),
            used: HashMap::new(),
            globs: Vec::new(),
            paths: Vec::new(),
        });
        self.0.len() - 1
    }

    /// `top`: outside of functions and other blocks.
    fn scan(&mut self, mut tokens: &[TokenTree], module: usize, folder: &Path, top: bool) {
        while let Some((first, rest)) = tokens.split_first() {
            let name = rest.first().and_then(ident);
            tokens = match (ident(first).as_deref(), rest) {
                (None, [TokenTree::Group(attribute), after @ ..]) if is_punct(first, '#') => {
                    let for_tests = attribute.stream().to_string().replace(' ', "") == "cfg(test)";
                    if for_tests { after_item(after) } else { after }
                }
                (None, [_, after @ ..]) if is_punct(first, '\'') => after,
                (None, _) if is_separator(tokens) => split_path(&rest[1..]).1,
                (None, _) => {
                    if let TokenTree::Group(group) = first {
                        self.scan(&Vec::from_iter(group.stream()), module, folder, false);
                    }
                    rest
                }
                (Some("pub"), [TokenTree::Group(group), after @ ..]) if group.delimiter() == Delimiter::Parenthesis => after,
                (Some("use"), [next, ..]) if !is_punct(next, '<') => {
                    let end = rest.iter().position(|token| is_punct(token, ';')).unwrap_or(rest.len());
                    self.add_use(module, &rest[..end], &[]);
                    &rest[end..]
                }
                (Some("mod"), [_, next, after @ ..]) if top && name.is_some() => {
                    let name = name.unwrap_or_default();
                    let child = match next {
                        TokenTree::Group(block) => {
                            let (path, file) = (self.0[module].path.clone(), self.0[module].file);
                            let child = self.add(&path, file, Some(module));
                            self.scan(&Vec::from_iter(block.stream()), child, &folder.join(&name), true);
                            child
                        }
                        _ => {
                            let flat = folder.join(format!("{name}.rs"));
                            let path = if flat.exists() { flat } else { folder.join(&name).join("mod.rs") };
                            self.read(&path, &folder.join(&name), Some(module))
                        }
                    };
                    self.0[module].children.insert(name, child);
                    after
                }
                (Some("fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union"), _) => {
                    self.0[module].defined.extend(name.filter(|_| top));
                    rest
                }
                (Some(_), _) => {
                    let (path, after) = split_path(tokens);
                    if path.len() > 1 {
                        self.0[module].paths.push(path);
                    }
                    after
                }
            };
        }
    }

    fn add_use(&mut self, module: usize, mut tree: &[TokenTree], prefix: &[String]) {
        let mut path = prefix.to_vec();
        if is_separator(tree) {
            return; // `::name` is another crate.
        }
        let mut alias = None;
        while let Some((first, rest)) = tree.split_first() {
            tree = rest;
            match first {
                TokenTree::Group(group) => {
                    let branches = Vec::from_iter(group.stream());
                    branches.split(|token| is_punct(token, ',')).for_each(|branch| self.add_use(module, branch, &path));
                    return;
                }
                TokenTree::Ident(word) if word == "as" => alias = rest.first().and_then(ident),
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) if alias.is_none() => path.push(word.to_string()),
                token if is_punct(token, '*') => return self.0[module].globs.push(path),
                _ => {}
            }
        }
        if let Some(name) = alias.or_else(|| path.last().cloned()) {
            self.0[module].used.insert(name, path.clone());
            self.0[module].paths.push(path);
        }
    }

    /// Without those of a module's own descendants.
    fn imports_between_files(&self) -> Imports<'_> {
        let mut imports = Imports::new();
        for (index, module) in self.0.iter().enumerate() {
            let globs = module.globs.iter().map(|path| (path, true));
            for (path, is_glob) in module.paths.iter().map(|path| (path, false)).chain(globs) {
                let (definer, name) = match self.find(index, path, 0) {
                    Some(Target::Item(definer, name)) => (definer, name),
                    Some(Target::Module(definer)) if is_glob => (definer, "*"),
                    _ => continue,
                };
                if !self.is_within(definer, module.file) {
                    imports.entry((module.file, self.0[definer].file)).or_default().insert(name);
                }
            }
        }
        imports
    }

    fn is_within(&self, module: usize, ancestor: usize) -> bool {
        module == ancestor || self.0[module].parent.is_some_and(|parent| self.is_within(parent, ancestor))
    }

    /// `None` if it leads to another crate.
    fn find<'a>(&'a self, from: usize, path: &'a [String], depth: usize) -> Option<Target<'a>> {
        let mut at = from;
        for (index, name) in path.iter().enumerate() {
            at = match name.as_str() {
                "crate" => 0,
                "self" => at,
                "super" => self.0[at].parent?,
                name => match self.look_up(at, name, index + 1 == path.len(), depth) {
                    Some(Target::Module(child)) => child,
                    Some(item) => return Some(item),
                    None if index == 0 => return None,
                    // A macro defines it.
                    None => return Some(Target::Item(at, name)),
                },
            };
        }
        Some(Target::Module(at))
    }

    fn look_up<'a>(&'a self, at: usize, name: &'a str, last: bool, depth: usize) -> Option<Target<'a>> {
        let module = &self.0[at];
        let child = module.children.get(name).map(|child| Target::Module(*child));
        if depth > DEPTH_MAX || (child.is_some() && !last) {
            return child;
        }
        if module.defined.contains(name) {
            return Some(Target::Item(at, name));
        }
        if let Some(path) = module.used.get(name) {
            return self.find(at, path, depth + 1).or(Some(Target::Item(at, name)));
        }
        let in_glob = |path: &'a Vec<String>| match self.find(at, path, depth + 1)? {
            Target::Module(other) if other != at => self.look_up(other, name, last, depth + 1),
            _ => None,
        };
        child.or_else(|| module.globs.iter().find_map(in_glob))
    }
}

fn ident(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    }
}

fn is_punct(token: &TokenTree, letter: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == letter)
}

fn is_separator(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [first, second, ..] if is_punct(first, ':') && is_punct(second, ':'))
}

/// The path at the beginning, and what follows it.
fn split_path(mut tokens: &[TokenTree]) -> (Vec<String>, &[TokenTree]) {
    let mut path = Vec::new();
    while let Some((name, rest)) = tokens.split_first().and_then(|(first, rest)| Some((ident(first)?, rest))) {
        path.push(name);
        tokens = rest;
        match is_separator(tokens) && tokens.get(2).and_then(ident).is_some() {
            true => tokens = &tokens[2..],
            false => break,
        }
    }
    (path, tokens)
}

/// What follows the item at the beginning: it ends with a block or, as `use` always does, a semicolon.
fn after_item(tokens: &[TokenTree]) -> &[TokenTree] {
    let is_block = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let is_use = |token: &TokenTree| ident(token).is_some_and(|word| word == "use");
    let first_end = tokens.iter().position(|token| is_punct(token, ';') || is_block(token)).unwrap_or(tokens.len());
    let uses = tokens[..first_end].iter().any(is_use);
    let end = tokens.iter().position(|token| is_punct(token, ';') || (is_block(token) && !uses));
    &tokens[end.map_or(tokens.len(), |end| end + 1)..]
}
