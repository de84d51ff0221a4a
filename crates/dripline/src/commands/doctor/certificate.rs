//! The certificate that HTTPS is served with.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use app::operations::doctor::Verdict;
use messages::doctor::Certificate;
use serving::tls::Files;

use super::Line;
use crate::output;

const CHECK: &str = "certificate";
const WARNING_DAYS: i64 = 14;
const DAY_MICROS: i64 = 86_400_000_000;

pub fn check(files: &Files, now_micros: i64) -> Vec<Line> {
    let texts = Certificate::load(output::language());
    [certificate(&texts, files, now_micros)].into_iter().chain(key_open_to_others(&texts, &files.key)).collect()
}

fn certificate(texts: &Certificate, files: &Files, now_micros: i64) -> Line {
    let (verdict, finding) = match files.read() {
        Err(error) => (Verdict::Error, error.text(output::language())),
        Ok(pair) => {
            let (path, day) = (files.certificate.display().to_string(), pair.ends.strftime("%Y-%m-%d").to_string());
            let left = pair.ends.as_microsecond() - now_micros;
            match left / DAY_MICROS {
                _ if left <= 0 => (Verdict::Error, texts.expired(path, day)),
                days @ ..WARNING_DAYS => (Verdict::Warning, texts.expires_soon(path, day, days)),
                days => (Verdict::Ok, texts.valid(path, day, days)),
            }
        }
    };
    Line { check: CHECK, verdict, finding }
}

/// Its group may read it: a service often does so.
fn key_open_to_others(texts: &Certificate, key: &Path) -> Option<Line> {
    let mode = std::fs::metadata(key).ok()?.permissions().mode();
    let finding = texts.key_open_to_others(key.display().to_string());
    (mode & 0o007 != 0).then_some(Line { check: CHECK, verdict: Verdict::Warning, finding })
}
