//! One language: its message file, parsed once.

use std::collections::HashMap;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use fluent_langneg::{NegotiationStrategy, negotiate_languages};
use fluent_syntax::ast::Entry;
use unic_langid::LanguageIdentifier;

use crate::LOCALES;

pub use fluent_bundle::FluentValue as Value;

pub struct Language {
    /// As HTML and HTTP name it.
    pub tag: String,
    id: LanguageIdentifier,
    bundle: FluentBundle<FluentResource>,
    /// Messages without variables, formatted once.
    texts: HashMap<String, String>,
}

impl Language {
    /// None where the tag or the file is malformed; [`check`](crate::check) names the reason.
    pub fn parse(tag: &str, file: &str) -> Option<Language> {
        let id: LanguageIdentifier = tag.parse().ok()?;
        let resource = FluentResource::try_new(file.to_owned()).ok()?;
        let message =
            |entry: &Entry<&str>| if let Entry::Message(message) = entry { Some(message.id.name.to_owned()) } else { None };
        let keys: Vec<String> = resource.entries().filter_map(message).collect();
        let mut bundle = FluentBundle::new_concurrent(vec![id.clone()]);
        // The marks around variables are for texts that mix directions; pages set the direction themselves.
        bundle.set_use_isolating(false);
        bundle.add_resource(resource).ok()?;
        let texts = keys.into_iter().filter_map(|key| plain(&bundle, &key).map(|text| (key, text))).collect();
        Some(Language { tag: tag.to_owned(), id, bundle, texts })
    }

    /// The text of a message without variables.
    pub fn text(&'static self, key: &str) -> &'static str {
        self.texts.get(key).map_or_else(|| missing(key), String::as_str)
    }

    pub fn format<'v>(&self, key: &str, variables: impl IntoIterator<Item = (&'v str, Value<'v>)>) -> String {
        let Some(pattern) = self.bundle.get_message(key).and_then(|message| message.value()) else {
            return missing(key).to_owned();
        };
        let args: FluentArgs<'v> = variables.into_iter().collect();
        self.bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned()
    }
}

/// None for a message that needs variables.
fn plain(bundle: &FluentBundle<FluentResource>, key: &str) -> Option<String> {
    let pattern = bundle.get_message(key)?.value()?;
    let mut problems = Vec::new();
    let text = bundle.format_pattern(pattern, None, &mut problems).into_owned();
    problems.is_empty().then_some(text)
}

/// Tests check every file for every key, so nobody gets to see this.
fn missing(key: &str) -> &'static str {
    tracing::error!(key, "a message is missing");
    "–"
}

pub static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| LOCALES.iter().filter_map(|(tag, file)| Language::parse(tag, file)).collect());

/// The language that a reader with this `Accept-Language` prefers; English where there is none.
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
