//! Contents of addresses, forms and headers: queries, ETags, cookies.
#![no_main]

use serving::fields;

use libfuzzer_sys::fuzz_target;
use properties::fields::{cookie, query, tags};

fuzz_target!(|input: &[u8]| {
    tags(input);
    let Ok(text) = std::str::from_utf8(input) else { return };
    query(text);
    cookie(text);
    let Some(pairs) = fields::pairs(text) else { return };
    // What is accepted is parsed like everywhere else, and survives a round trip.
    assert_eq!(pairs, form_urlencoded::parse(input).into_owned().collect::<Vec<_>>());
    let written = form_urlencoded::Serializer::new(String::new()).extend_pairs(&pairs).finish();
    assert_eq!(fields::pairs(&written), Some(pairs));
});
