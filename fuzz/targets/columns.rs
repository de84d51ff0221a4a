//! A table of an unknown format with a column mapping. Input: the mapping's text, a zero byte, the table.
#![no_main]

use importers::generic::{self, Mapping};
use importers::Opened;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut parts = input.splitn(2, |byte| *byte == 0);
    let (Some(text), Some(table)) = (parts.next().and_then(|text| std::str::from_utf8(text).ok()), parts.next()) else { return };
    let Ok(file) = Opened::open(table) else { return };
    let _ = generic::fingerprint(&file);
    let suggested = generic::suggest(&file).map(|suggestion| suggestion.mapping).filter(|mapping| !mapping.columns.is_empty());
    for mapping in Mapping::parse(text).ok().into_iter().chain(suggested) {
        assert_eq!(Mapping::parse(&mapping.to_string()).map(|again| again.to_string()), Ok(mapping.to_string()));
        let parsed = generic::read_with(&file, &mapping);
        assert!(parsed.adds_up() || parsed.refusal.is_some());
    }
});
