//! Third-party apps: redirect addresses, client descriptions, client credentials, and a model's arguments. Input: two lines and the rest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use properties::apps;

fuzz_target!(|input: &[u8]| {
    let _ = apps::basic(input);
    apps::arguments(input);
    let mut lines = input.splitn(3, |byte| *byte == b'\n');
    let mut line = || lines.next().unwrap_or_default();
    let (first, second, rest) = (line(), line(), line());
    let (Ok(first), Ok(second)) = (std::str::from_utf8(first), std::str::from_utf8(second)) else { return };
    apps::redirect(first, second);
    apps::redirect(&format!("https://{first}"), second);
    apps::redirect(&format!("http://localhost{first}"), &format!("http://localhost{second}"));
    apps::description(first, second, rest);
    let body = format!(r#"{{"client_id":"https://a.example/c",{}"#, String::from_utf8_lossy(rest));
    apps::description("https://a.example/c", second, body.as_bytes());
});
