//! Request heads: the in-place parser reads and accepts the same as the full one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use server::http::fuzzed;

fuzz_target!(|input: &[u8]| {
    fuzzed::head(input);
    // As it is, and with a beginning and an end that make it a head.
    fuzzed::head(&[b"GET /api/v1/", input].concat());
    fuzzed::head(&[b"GET /api/v1/me?a HTTP/1.1\r\nHost: x\r\n", input, b"\r\n\r\n"].concat());
});
