//! The certificate that HTTPS is served with.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use app::doctor::{Check, Verdict};
use server::http::tls::Files;

const WARNING_DAYS: i64 = 14;
const DAY_MICROS: i64 = 86_400_000_000;

pub fn checks(files: &Files, now_micros: i64) -> Vec<Check> {
    [certificate(files, now_micros)].into_iter().chain(key_open_to_others(&files.key)).collect()
}

fn certificate(files: &Files, now_micros: i64) -> Check {
    let (verdict, finding) = match files.read() {
        Err(reason) => (Verdict::Ill, reason),
        Ok(pair) => {
            let (path, day) = (files.certificate.display(), pair.ends.strftime("%Y-%m-%d"));
            let left = pair.ends.as_microsecond() - now_micros;
            match left / DAY_MICROS {
                _ if left <= 0 => (Verdict::Ill, format!("{path} ended on {day}, and nobody is let in with it; have it renewed")),
                days @ ..WARNING_DAYS => {
                    (Verdict::Warning, format!("{path} ends on {day}, in {days} day(s); see why it was not renewed yet"))
                }
                days => (Verdict::Well, format!("{path} ends on {day}, in {days} days; its key fits")),
            }
        }
    };
    Check { name: "certificate", verdict, finding }
}

/// Of the group it may be: a service often reads its key that way.
fn key_open_to_others(key: &Path) -> Option<Check> {
    let mode = std::fs::metadata(key).ok()?.permissions().mode();
    let finding = format!("others may read the key {}; run chmod o= on it, and have a new one made if they did", key.display());
    (mode & 0o007 != 0).then_some(Check { name: "certificate", verdict: Verdict::Warning, finding })
}
