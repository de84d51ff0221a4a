//! Importing the same events again: nothing is duplicated, and equal rows stay separate.

use std::collections::HashMap;

use crate::account::{Account, SERVICE, adds_up};
use crate::files::{fixtures, real};

fn utf_16(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn importing_a_file_again_in_any_encoding_adds_nothing() {
    let mut taken: HashMap<String, u32> = HashMap::new();
    for (name, bytes) in fixtures().into_iter().chain(real()) {
        let account = Account::new();
        let before = account.answers();
        let Ok(first) = account.import(&bytes, None) else { continue };
        assert!(adds_up(&first), "{name}: {first:?}");
        if !first.errors.is_empty() {
            assert_eq!(account.answers(), before, "{name} was refused, but changed something");
            continue;
        }
        *taken.entry(first.format.to_owned()).or_default() += u32::from(first.new > 0);
        let after = account.answers();
        let mut dresses = vec![bytes.clone()];
        if let Ok(text) = std::str::from_utf8(&bytes) {
            let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
            dresses.extend([utf_16(&text), text.replace('\n', "\r\n").into_bytes(), format!("\u{feff}{text}").into_bytes()]);
        }
        for dress in dresses {
            let again = account.import(&dress, None).unwrap();
            assert_eq!((again.new, again.joined, again.id), (0, 0, None), "{name} came again as something new: {again:?}");
            assert_eq!(again.existing, first.new + first.joined + first.existing, "{name}");
        }
        assert_eq!(account.answers(), after, "{name} came again and changed an answer");

        let elsewhere = account.import(&bytes, Some("Elsewhere")).unwrap();
        assert!(elsewhere.errors.is_empty(), "{name}: {:?}", elsewhere.errors);
        let named = after[0].0.matches("\"name\"").count() > 1;
        assert!(named || elsewhere.new == first.new, "{name}: another portfolio is another ledger");
        for report in [elsewhere, first] {
            if let Some(id) = report.id {
                SERVICE.run(app::import::undo(&SERVICE.app, &id.to_string())).unwrap();
            }
        }
        assert_eq!(account.answers(), before, "{name} was taken back, but left something");
    }
    println!("{taken:?}");
    let without: Vec<&str> = importers_formats().filter(|name| taken.get(*name).copied().unwrap_or(0) == 0).collect();
    assert_eq!(without, Vec::<&str>::new(), "no file of these formats was taken");
}

fn importers_formats() -> impl Iterator<Item = &'static str> {
    app::import::formats()
}
