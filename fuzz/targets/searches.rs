//! Searches. Input: names of stocks, one per line, a zero byte, the query.
#![no_main]

use libfuzzer_sys::fuzz_target;
use properties::searches::search;

fuzz_target!(|text: &str| {
    let (listings, q) = text.split_once('\0').unwrap_or((text, text));
    search(listings, q);
});
