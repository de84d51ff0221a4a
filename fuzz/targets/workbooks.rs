//! Workbooks: any bytes after the signature of a ZIP archive.
#![no_main]

use importers::Opened;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let bytes = [b"PK\x03\x04", input].concat();
    for bytes in [input, &bytes] {
        if let Ok(file) = Opened::open(bytes)
            && let Some(format) = importers::detect(&file)
        {
            assert!(format.read(&file).refusal.is_some() || format.read(&file).adds_up());
        }
    }
});
