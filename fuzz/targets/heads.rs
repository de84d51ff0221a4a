//! Request heads: the in-place parser reads and accepts the same as the full one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use properties::heads::head;

fuzz_target!(|input: &[u8]| {
    head(input);
    // As it is, and with a beginning and an end that make it a head.
    head(&[b"GET /api/v1/", input].concat());
    head(&[b"GET /api/v1/me?a HTTP/1.1\r\nHost: x\r\n", input, b"\r\n\r\n"].concat());
});
