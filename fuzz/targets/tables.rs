//! Tables: any bytes as a CSV file, read by the format that recognises them and by one that does not.
#![no_main]

use importers::{FORMATS, Opened};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((first, bytes)) = input.split_first() else { return };
    let Ok(file) = Opened::open(bytes) else { return };
    let recognised = importers::detect(&file).into_iter();
    for format in recognised.chain(FORMATS.get(usize::from(*first) % FORMATS.len())) {
        let parsed = format.read(&file);
        assert!(parsed.adds_up() || parsed.refusal.is_some(), "{}: not every row is accounted for", format.name);
        assert!(
            parsed.refusal.is_none_or(|problem| !matches!(problem.reason, importers::Reason::RowsUnaccounted { .. })),
            "{}: not every row is accounted for",
            format.name
        );
    }
});
