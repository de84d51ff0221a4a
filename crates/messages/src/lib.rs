//! Everything a person reads, by language. `locales/` has one message file per language, in Fluent's syntax; adding a language
//! means adding a file. The structs here name the messages, so that the compiler finds a misspelt one, and [`check`] compares
//! a file with them: no key is missing, unused, or short of a variable.

pub mod api;
mod check;
pub mod command;
pub mod countries;
pub mod doctor;
pub mod errors;
pub mod import;
mod language;
pub mod mail;
pub mod mcp;
mod notation;
pub mod providers;
pub mod pseudo;
pub mod settings;
mod value;
pub mod web;

pub use check::{Problem, check};
pub use language::{Language, Unusable, Value, add, by_preference};
pub use notation::{Notation, Plain};

include!(concat!(env!("OUT_DIR"), "/locales.rs"));

/// Names the messages of one page or area. Those before the semicolon are plain texts; the others take variables:
///
/// ```ignore
/// texts! { Upcoming = "upcoming" { title, lead; payments_within(days), } }
/// ```
///
/// In the message file they are called `upcoming-title`, `upcoming-lead` and `upcoming-payments_within`.
#[macro_export]
macro_rules! texts {
    ($name:ident = $prefix:literal { $($text:ident),* $(,)? $(; $($message:ident($($variable:ident),+)),* $(,)?)? }) => {
        pub struct $name {
            #[allow(dead_code, reason = "for messages with variables; not every area has one")]
            language: &'static $crate::Language,
            $(pub $text: &'static str,)*
        }

        impl $name {
            pub const KEYS: &'static [(&'static str, &'static [&'static str])] = &[
                $((concat!($prefix, "-", stringify!($text)), &[]),)*
                $($((concat!($prefix, "-", stringify!($message)), &[$(stringify!($variable)),+]),)*)?
            ];

            pub fn load(language: &'static $crate::Language) -> $name {
                $name { language, $($text: language.text(concat!($prefix, "-", stringify!($text))),)* }
            }

            $($(pub fn $message<'v>(&self, $($variable: impl Into<$crate::Value<'v>>),+) -> String {
                let variables = [$((stringify!($variable), $variable.into())),+];
                self.language.format(concat!($prefix, "-", stringify!($message)), variables)
            })*)?
        }
    };
}

/// Names the text of each variant of an enum, with its variables, which are fields or `name = expression`. A variant that is not
/// one message of this area follows after a semicolon, with its text:
///
/// ```ignore
/// described! { FEED = "error-feed": pub fn feed(language; Feed) {
///     NameLength { max } => name_length(max),
///     Missing { seconds } => missing(days = seconds / DAY);
///     Other(error) => other(language, error),
/// } }
/// ```
macro_rules! described {
    ($(#[$doc:meta])* $keys:ident = $prefix:literal: $visible:vis fn $name:ident($language:ident $(, $more:ident: $type:ty)*; $($kind:ident)::+) {
        $($pattern:pat $(if $guard:expr)? => $message:ident $(($($variable:ident $(= $value:expr)?),+))?),* $(,)?
        $(; $($other:pat => $text:expr),+ $(,)?)?
    }) => {
        pub const $keys: $crate::Keys =
            &[$((concat!($prefix, "-", stringify!($message)), &[$($(stringify!($variable)),+)?]),)*];

        $(#[$doc])*
        $visible fn $name($language: &'static $crate::Language, $($more: $type,)* described: &$($kind)::+) -> String {
            use $($kind)::+::*;
            #[allow(unused_imports, reason = "not every area has a message with variables")]
            use $crate::value::AsValue;
            match described {
                $($pattern $(if $guard)? => $language.format(
                    concat!($prefix, "-", stringify!($message)),
                    Vec::<(&str, $crate::Value<'_>)>::from([
                        $($((stringify!($variable), $crate::described!(@ $variable $($value)?).as_value())),+)?
                    ]),
                ),)*
                $($($other => $text,)+)?
            }
        }
    };
    (@ $variable:ident) => { $variable };
    (@ $variable:ident $value:expr) => { $value };
}
use described;

/// The keys of one `texts!` or `described!`, each with its variables.
pub type Keys = &'static [(&'static str, &'static [&'static str])];

/// All messages that the program uses.
pub fn keys() -> Vec<(&'static str, &'static [&'static str])> {
    let areas = [
        web::KEYS,
        countries::KEYS,
        import::KEYS,
        doctor::KEYS,
        mail::KEYS,
        api::KEYS,
        mcp::KEYS,
        providers::KEYS,
        settings::KEYS,
        command::KEYS,
    ];
    [&areas, errors::KEYS].concat().concat().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_file_has_every_message_with_its_variables_and_no_other() {
        for (tag, file) in LOCALES {
            assert_eq!(check(file, &keys()), [], "{tag}");
            assert!(Language::parse(tag, file).is_some(), "{tag}");
        }
    }
}
