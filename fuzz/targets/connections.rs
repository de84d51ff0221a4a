//! Everything a client sends on a connection: where each request ends, however the bytes are split.
#![no_main]

use libfuzzer_sys::fuzz_target;
use properties::connections::connection;

fuzz_target!(|input: &[u8]| {
    connection(input);
    let Some((first, rest)) = input.split_first() else { return };
    connection(&[&[*first], &b"POST / HTTP/1.1\r\n"[..], rest].concat());
});
