//! Stored position snapshots, as bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use properties::snapshots::snapshot;

fuzz_target!(|input: &[u8]| {
    snapshot(input);
    // After the byte of their format version.
    snapshot(&[&[3], input].concat());
});
