//! One language: its message file, parsed once.

use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use fluent_langneg::{NegotiationStrategy, negotiate_languages};
use unic_langid::LanguageIdentifier;

use crate::LOCALES;

pub use fluent_bundle::FluentValue as Value;

pub struct Language {
    /// As HTML and HTTP name it.
    pub tag: String,
    id: LanguageIdentifier,
    bundle: FluentBundle<FluentResource>,
}

impl Language {
    /// The reason, where the tag or the file is malformed.
    pub fn parse(tag: &str, file: &str) -> Result<Language, String> {
        let id: LanguageIdentifier = tag.parse().map_err(|error| format!("{tag}: {error}"))?;
        let resource = FluentResource::try_new(file.to_owned()).map_err(|(_, errors)| format!("{tag}: {errors:?}"))?;
        let mut bundle = FluentBundle::new_concurrent(vec![id.clone()]);
        // The marks around variables are for texts that mix directions; pages set the direction themselves.
        bundle.set_use_isolating(false);
        bundle.add_resource(resource).map_err(|errors| format!("{tag}: {errors:?}"))?;
        Ok(Language { tag: tag.to_owned(), id, bundle })
    }

    /// The text of a message without variables. Lives as long as the program, like the language.
    pub fn text(&'static self, key: &str) -> &'static str {
        let Some(pattern) = self.bundle.get_message(key).and_then(|message| message.value()) else { return missing(key) };
        match self.bundle.format_pattern(pattern, None, &mut Vec::new()) {
            std::borrow::Cow::Borrowed(text) => text,
            std::borrow::Cow::Owned(text) => Box::leak(text.into_boxed_str()),
        }
    }

    pub fn format<'v>(&self, key: &str, variables: impl IntoIterator<Item = (&'v str, Value<'v>)>) -> String {
        let Some(pattern) = self.bundle.get_message(key).and_then(|message| message.value()) else {
            return missing(key).to_owned();
        };
        let args: FluentArgs<'v> = variables.into_iter().collect();
        self.bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned()
    }
}

/// Tests check every file for every key, so nobody gets to see this.
fn missing(key: &str) -> &'static str {
    tracing::error!(key, "a message is missing");
    "–"
}

static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| LOCALES.iter().filter_map(|(tag, file)| Language::parse(tag, file).ok()).collect());

/// The number in `LOCALES` of the language that a reader with this `Accept-Language` prefers; English where there is none.
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
