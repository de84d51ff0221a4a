//! XML, JSON and OFX: any text after the first characters that make it a document.
#![no_main]

use importers::{FORMATS, Opened};
use libfuzzer_sys::fuzz_target;

const DOCUMENTS: [&str; 4] = ["ibkr-flex", "portfolio-performance", "ghostfolio", "ofx"];
const STARTS: [&str; 4] = ["<", "<client>", "{", "OFXHEADER:100\n<OFX>"];

fuzz_target!(|input: &[u8]| {
    let Some((first, bytes)) = input.split_first() else { return };
    let at = usize::from(*first) % DOCUMENTS.len();
    // As it is, and with a beginning that selects the format.
    let prefixed = [STARTS[at].as_bytes(), bytes].concat();
    for bytes in [bytes, &prefixed] {
        let Ok(file) = Opened::open(bytes) else { continue };
        let named = FORMATS.iter().find(|format| format.name == DOCUMENTS[at]);
        for format in importers::detect(&file).into_iter().chain(named) {
            let parsed = format.read(&file);
            assert!(parsed.adds_up() || parsed.refusal.is_some(), "{}: not every row is accounted for", format.name);
        }
    }
});
