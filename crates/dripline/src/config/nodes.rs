//! Settings for several nodes: the shared Redis and the drain.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serving::Redis;

use anyhow::Context;

use super::file::File;
use super::secret::Secret;
use crate::output::setting;

const DRAIN_SECONDS_MAX: u64 = 300;

/// Configured, but not connected yet.
pub fn redis(
    given: Option<String>,
    ca: Option<&Path>,
    file: &File,
    variable: &dyn Fn(&str) -> Option<String>,
) -> anyhow::Result<Option<Arc<Redis>>> {
    let name = "DRIPLINE_REDIS_URL";
    let secret = Secret { name, given, in_file: file.redis_url.as_deref(), in_file_path: file.redis_url_file.as_deref() }
        .read(variable)?;
    let Some(url) = secret else { return Ok(None) };
    let redis = match ca {
        Some(path) => Redis::trusting(&url, path),
        None => Redis::at(&url),
    };
    Ok(Some(redis?))
}

/// Certificate authority for Redis that replaces the system's.
pub fn redis_ca(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    variable("DRIPLINE_REDIS_CA").filter(|text| !text.trim().is_empty()).map(PathBuf::from).or(file.redis_ca.clone())
}

/// How long a stopping node still accepts requests.
pub fn drain(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Duration> {
    let set = variable("DRIPLINE_DRAIN_SECONDS").filter(|text| !text.trim().is_empty());
    let Some(text) = set.or(file.drain_seconds.map(|seconds| seconds.to_string())) else { return Ok(Duration::ZERO) };
    let seconds = text.trim().parse().ok().filter(|seconds| *seconds <= DRAIN_SECONDS_MAX);
    let seconds = seconds.with_context(|| setting().number("DRIPLINE_DRAIN_SECONDS", text, 0, DRAIN_SECONDS_MAX))?;
    Ok(Duration::from_secs(seconds))
}

/// As lines of `dripline.toml`.
pub fn print(redis: bool, ca: Option<&Path>, drain: Duration) -> String {
    let quoted = |path: &Path| toml::Value::String(path.display().to_string());
    let redis = if redis { "# redis_url is set\n" } else { "" };
    let ca = ca.map_or(String::new(), |path| format!("redis_ca = {}\n", quoted(path)));
    let drain = if drain.is_zero() { String::new() } else { format!("drain_seconds = {}\n", drain.as_secs()) };
    format!("{redis}{ca}{drain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draining_takes_at_most_five_minutes() {
        let with = |text: &str| drain(&File::default(), &|_| Some(text.to_owned()));
        assert_eq!(with("").unwrap(), Duration::ZERO);
        assert_eq!(with("300").unwrap(), Duration::from_secs(300));
        for wrong in ["301", "-1", "1.5", "soon"] {
            assert!(with(wrong).unwrap_err().to_string().contains("from 0 to 300"), "{wrong}");
        }
        let file = File { drain_seconds: Some(20), ..File::default() };
        assert_eq!(drain(&file, &|_| None).unwrap(), Duration::from_secs(20));
    }

    #[test]
    fn a_malformed_url_is_refused_without_repeating_its_password() {
        for url in ["http://u:PASSWORD@h", "redis://u:PASSWORD@h/many", "unix:///PASSWORD"] {
            let error = redis(Some(url.to_owned()), None, &File::default(), &|_| None).unwrap_err();
            let error = crate::failure::explain(&error);
            assert!(
                error.starts_with("DRIPLINE_REDIS_URL is not a valid Redis address") && !error.contains("PASSWORD"),
                "{error}"
            );
        }
        assert!(redis(Some("rediss://u:PASSWORD@h:6380/1".to_owned()), None, &File::default(), &|_| None).unwrap().is_some());
        assert!(redis(Some(String::new()), None, &File::default(), &|_| None).unwrap().is_none());
    }

    #[test]
    fn a_redis_authority_is_a_certificate_file_and_needs_tls() {
        let folder = tempfile::tempdir().unwrap();
        let (empty, none) = (folder.path().join("empty.pem"), folder.path().join("none.pem"));
        std::fs::write(&empty, "PASSWORD").unwrap();
        for (url, ca, part) in [
            ("rediss://u:PASSWORD@h", &none, "none.pem, set in DRIPLINE_REDIS_CA, can’t be read"),
            ("rediss://u:PASSWORD@h", &empty, "empty.pem, set in DRIPLINE_REDIS_CA, has no usable PEM certificate"),
            ("redis://u:PASSWORD@h", &empty, "Use rediss://"),
        ] {
            let error = redis(Some(url.to_owned()), Some(ca), &File::default(), &|_| None).unwrap_err();
            let error = crate::failure::explain(&error);
            assert!(error.contains(part) && !error.contains("PASSWORD"), "{error}");
        }
    }
}
