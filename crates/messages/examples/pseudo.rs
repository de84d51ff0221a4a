//! Writes the made-up translation of the English messages, for `e2e/web`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    let english = messages::LOCALES.iter().find(|(tag, _)| *tag == "en");
    let pseudo = english.and_then(|(_, file)| messages::pseudo::localize(file)).unwrap_or_default();
    std::io::stdout().write_all(pseudo.as_bytes())
}
