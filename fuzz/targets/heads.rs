//! Heads of requests: what is read where it lies is what the long way reads, and would let in.
#![no_main]

use libfuzzer_sys::fuzz_target;
use server::http::fuzzed;

fuzz_target!(|input: &[u8]| {
    fuzzed::head(input);
    // As it stands, and with a beginning and an end that make a head of it.
    fuzzed::head(&[b"GET /api/v1/", input].concat());
    fuzzed::head(&[b"GET /api/v1/me?a HTTP/1.1\r\nHost: x\r\n", input, b"\r\n\r\n"].concat());
});
