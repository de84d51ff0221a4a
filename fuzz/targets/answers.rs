//! Market data: any bytes as a provider's response, or as a file of an offline folder.
#![no_main]

use libfuzzer_sys::fuzz_target;
use properties::answers;

fuzz_target!(|input: &[u8]| match input.split_first() {
    Some((0x80.., rest)) => answers::file(rest),
    _ => answers::answer(input),
});
