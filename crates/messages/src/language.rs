//! One language: its message file, parsed once.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use fluent_langneg::{NegotiationStrategy, negotiate_languages};
use fluent_syntax::ast::Entry;
use unic_langid::LanguageIdentifier;

use crate::{LOCALES, Problem, check, keys};

pub use fluent_bundle::FluentValue as Value;

pub struct Language {
    /// The language tag, as in HTML and HTTP.
    pub tag: String,
    id: LanguageIdentifier,
    bundle: FluentBundle<FluentResource>,
    /// Messages without variables, formatted once.
    texts: HashMap<String, String>,
}

impl Language {
    /// `None` if the tag or the file is malformed; [`check`](crate::check) gives the reason.
    pub fn parse(tag: &str, file: &str) -> Option<Language> {
        let id: LanguageIdentifier = tag.parse().ok()?;
        let resource = FluentResource::try_new(file.to_owned()).ok()?;
        let message =
            |entry: &Entry<&str>| if let Entry::Message(message) = entry { Some(message.id.name.to_owned()) } else { None };
        let keys: Vec<String> = resource.entries().filter_map(message).collect();
        let mut bundle = FluentBundle::new_concurrent(vec![id.clone()]);
        // Isolating marks around variables are for texts that mix directions; pages set the direction themselves.
        bundle.set_use_isolating(false);
        bundle.add_resource(resource).ok()?;
        let texts = keys.into_iter().filter_map(|key| formatted(&bundle, &key, None).map(|text| (key, text))).collect();
        Some(Language { tag: tag.to_owned(), id, bundle, texts })
    }

    /// The text of a message without variables; the English one if the file has none.
    pub fn text(&'static self, key: &str) -> &'static str {
        let text = self.texts.get(key).or_else(|| built_in_english().texts.get(key));
        text.map_or_else(|| missing(key), String::as_str)
    }

    pub fn format<'v>(&self, key: &str, variables: impl IntoIterator<Item = (&'v str, Value<'v>)>) -> String {
        let args: FluentArgs<'v> = variables.into_iter().collect();
        let text = formatted(&self.bundle, key, Some(&args));
        let text = text.or_else(|| formatted(&built_in_english().bundle, key, Some(&args)));
        text.unwrap_or_else(|| missing(key).to_owned())
    }
}

/// `None` for a message that is missing, or needs other variables.
fn formatted(bundle: &FluentBundle<FluentResource>, key: &str, variables: Option<&FluentArgs<'_>>) -> Option<String> {
    let pattern = bundle.get_message(key)?.value()?;
    let mut problems = Vec::new();
    let text = bundle.format_pattern(pattern, variables, &mut problems).into_owned();
    problems.is_empty().then_some(text)
}

/// Tests check the English file for every key, so nobody ever sees this.
fn missing(key: &str) -> &'static str {
    tracing::error!(key, "a message is missing");
    "–"
}

/// Tag and text of a message file that was read at the start.
static ADDED: OnceLock<(String, String)> = OnceLock::new();

/// Why a message file cannot be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unusable {
    Tag,
    File(Vec<Problem>),
}

/// Adds a language, or replaces a built-in one. Must be called once, before any message is used. Returns what is wrong with the
/// file; the affected messages are shown in English.
pub fn add(tag: &str, file: &str) -> Result<Vec<Problem>, Unusable> {
    let (fatal, others): (Vec<Problem>, Vec<Problem>) = check(file, &keys()).into_iter().partition(Problem::is_fatal);
    if tag.parse::<LanguageIdentifier>().is_err() {
        return Err(Unusable::Tag);
    }
    if !fatal.is_empty() || Language::parse(tag, file).is_none() {
        return Err(Unusable::File(fatal));
    }
    ADDED.get_or_init(|| (tag.to_owned(), file.to_owned()));
    Ok(others)
}

/// The added language comes first, so it takes precedence over a built-in one with the same tag.
pub static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let added = ADDED.get().map(|(tag, file)| (tag.as_str(), file.as_str()));
    added.into_iter().chain(LOCALES.iter().copied()).filter_map(|(tag, file)| Language::parse(tag, file)).collect()
});

/// The preferred language for this `Accept-Language`; English if none matches.
pub fn by_preference(accept_language: &str) -> &'static Language {
    let wanted: Vec<LanguageIdentifier> = fluent_langneg::parse_accepted_languages(accept_language);
    let available: Vec<&LanguageIdentifier> = LANGUAGES.iter().map(|language| &language.id).collect();
    let chosen = negotiate_languages(&wanted, &available, None, NegotiationStrategy::Lookup);
    let chosen = chosen.first().and_then(|id| LANGUAGES.iter().find(|language| language.id == ***id));
    chosen.unwrap_or_else(|| english())
}

fn english() -> &'static Language {
    LANGUAGES.iter().find(|language| language.tag == "en").unwrap_or(&LANGUAGES[0])
}

/// Has every message.
fn built_in_english() -> &'static Language {
    LANGUAGES.iter().rfind(|language| language.tag == "en").unwrap_or(&LANGUAGES[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_is_missing_or_asks_for_other_variables_is_shown_in_english() {
        let file = "shell-sign_in = Se connecter\nshell-sign_out = { $name }\nerror_page-too_many_pages = Attends { $minutes }\n";
        let french: &'static Language = Box::leak(Box::new(Language::parse("fr", file).unwrap()));
        assert_eq!(french.text("shell-sign_in"), "Se connecter");
        assert_eq!(french.text("shell-sign_out"), "Sign out");
        assert_eq!(french.text("shell-skip"), built_in_english().text("shell-skip"));
        let wait = french.format("error_page-too_many_pages", [("seconds", Value::from(7))]);
        assert!(wait.ends_with("Try again in 7 seconds."), "{wait}");
    }

    #[test]
    fn a_file_that_cannot_be_used_is_not_added() {
        assert_eq!(add("not a language", "shell-skip = Aller au contenu\n"), Err(Unusable::Tag));
        assert!(matches!(add("fr", "shell-skip = { $n\n"), Err(Unusable::File(problems)) if problems.len() == 1));
    }
}
