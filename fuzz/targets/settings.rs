//! `dripline.toml`: its errors never reveal a key that is in it.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code)]
#[path = "../../crates/dripline/src/config/file.rs"]
mod file;

const KEY: &str = "314159265";
const PREFIXES: [&str; 4] =
    ["[providers.fmp]\nkey = ", "providers = { fmp = { key = ", "smtp_url = ", "[providers]\nfmp = { key_file = "];

fuzz_target!(|text: &str| {
    let _ = file::File::parse(text);
    let (before, after) = text.split_once('\0').unwrap_or((text, ""));
    for prefix in PREFIXES {
        let parsed = file::File::parse(&format!("{before}\n{prefix}{KEY}{after}"));
        assert!(!parsed.is_err_and(|error| error.to_string().contains(KEY)) || text.contains(KEY), "the error reveals the key");
    }
});
