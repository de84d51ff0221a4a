//! Stored position snapshots, as bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    app::fuzzed::snapshot(input);
    // After the byte of their format version.
    app::fuzzed::snapshot(&[&[2], input].concat());
});
