//! Everything a person reads, by language. `locales/` has one message file per language, in Fluent's syntax; adding a language
//! means adding a file. The structs here name the messages, so that the compiler finds a misspelt one, and [`check`] compares
//! a file with them: no key is missing, unused, or short of a variable.

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

/// The keys of one `texts!`, each with its variables.
pub type Keys = &'static [(&'static str, &'static [&'static str])];

/// All messages that the program uses.
pub fn keys() -> Vec<(&'static str, &'static [&'static str])> {
    [
        web::KEYS,
        countries::KEYS,
        import::KEYS,
        errors::KEYS,
        doctor::KEYS,
        mail::KEYS,
        mcp::KEYS,
        providers::KEYS,
        settings::KEYS,
        command::KEYS,
    ]
    .concat()
    .concat()
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
