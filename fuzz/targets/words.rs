//! Short inputs from people and programs: tokens, names, e-mail addresses, figures, return paths.
#![no_main]

use ledger::{QuoteUnit, Ratio};
use libfuzzer_sys::fuzz_target;
use properties::words;

fuzz_target!(|text: &str| {
    if let Some(ratio) = Ratio::parse(text) {
        assert_eq!(Ratio::parse(&ratio.to_string()), Some(ratio));
    }
    if let Ok(unit) = QuoteUnit::parse(text) {
        assert_eq!(QuoteUnit::parse(unit.name()).ok(), Some(unit));
    }
    words::token(text);
    words::name(text);
    words::figure(text);
    words::own_path(text);
    words::own_path(&format!("/{text}"));
});
