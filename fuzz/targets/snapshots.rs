//! What is kept of a ledger's entries, as bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    app::fuzzed::kept(input);
    // Behind the byte of their form.
    app::fuzzed::kept(&[&[2], input].concat());
});
