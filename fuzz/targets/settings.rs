//! `dripline.toml`: what is wrong with it is told without a key that stands in it.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code)]
#[path = "../../crates/dripline/src/config/file.rs"]
mod file;

const KEY: &str = "314159265";
const PLACES: [&str; 4] =
    ["[providers.fmp]\nkey = ", "providers = { fmp = { key = ", "smtp_url = ", "[providers]\nfmp = { key_file = "];

fuzz_target!(|text: &str| {
    let _ = file::File::parse(text);
    let (before, behind) = text.split_once('\0').unwrap_or((text, ""));
    for place in PLACES {
        let told = file::File::parse(&format!("{before}\n{place}{KEY}{behind}"));
        assert!(!told.is_err_and(|told| told.contains(KEY)) || text.contains(KEY), "the key is told");
    }
});
