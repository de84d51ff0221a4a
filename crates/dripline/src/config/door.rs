//! The certificate for HTTPS, limits on connections and requests, and which stocks strangers see.

use std::path::PathBuf;

use anyhow::{Context, bail};
use app::PublicHolders;
use serving::tls::Files;
use serving::{Limits, concurrency};

use super::Settings;
use super::file::File;
use crate::output::setting;

const COUNT_MAX: usize = 1_000_000;

/// None: plain HTTP.
pub fn tls(certificate: Option<PathBuf>, key: Option<PathBuf>) -> anyhow::Result<Option<Files>> {
    match (certificate, key) {
        (Some(certificate), Some(key)) => Ok(Some(Files { certificate, key })),
        (None, None) => Ok(None),
        (Some(_), None) => bail!(setting().tls_key_missing),
        (None, Some(_)) => bail!(setting().tls_certificate_missing),
    }
}

/// Connections from one address.
pub fn connections_per_client(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<usize> {
    let count = count("DRIPLINE_CONNECTIONS_PER_CLIENT", file.connections_per_client, variable)?;
    Ok(count.unwrap_or(Limits::default().connections_per_client_max))
}

/// Requests of all clients together.
pub fn requests_at_once(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<usize> {
    Ok(count("DRIPLINE_REQUESTS_AT_ONCE", file.requests_at_once, variable)?.unwrap_or_else(concurrency))
}

/// How many users must hold or watch a stock before strangers see it.
pub fn public_holders(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<PublicHolders> {
    let count = number("DRIPLINE_PUBLIC_HOLDERS", file.public_holders, variable, 0)?;
    Ok(count.and_then(|count| u32::try_from(count).ok()).map_or_else(PublicHolders::default, PublicHolders))
}

fn count(name: &str, in_file: Option<u64>, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Option<usize>> {
    number(name, in_file, variable, 1)
}

fn number(
    name: &str,
    in_file: Option<u64>,
    variable: &dyn Fn(&str) -> Option<String>,
    min: usize,
) -> anyhow::Result<Option<usize>> {
    let set = variable(name).filter(|text| !text.trim().is_empty());
    let Some(text) = set.or(in_file.map(|count| count.to_string())) else { return Ok(None) };
    let count = text.trim().parse().ok().filter(|count| (min..=COUNT_MAX).contains(count));
    Ok(Some(count.with_context(|| setting().number(name, text, min, COUNT_MAX))?))
}

/// As lines of `dripline.toml`, without defaults.
pub fn print(settings: &Settings) -> String {
    let quoted = |path: &PathBuf| toml::Value::String(path.display().to_string()).to_string();
    let tls = (settings.tls.as_ref())
        .map_or(String::new(), |files| format!("tls_cert = {}\ntls_key = {}\n", quoted(&files.certificate), quoted(&files.key)));
    let line =
        |name: &str, count: usize, usual: usize| if count == usual { String::new() } else { format!("{name} = {count}\n") };
    let connections =
        line("connections_per_client", settings.connections_per_client, Limits::default().connections_per_client_max);
    let requests = line("requests_at_once", settings.requests_at_once, concurrency());
    let holders = line("public_holders", settings.public_holders.0 as usize, PublicHolders::default().0 as usize);
    format!("{tls}{connections}{requests}{holders}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stock_is_public_from_three_holders_on_by_default() {
        let with = |text: &str| public_holders(&File::default(), &|_| Some(text.to_owned()));
        assert_eq!(
            (with("").unwrap(), with("0").unwrap(), with(" 1 ").unwrap()),
            (PublicHolders(3), PublicHolders(0), PublicHolders(1))
        );
        for wrong in ["-1", "few", "1000001"] {
            assert!(with(wrong).unwrap_err().to_string().contains("from 0 to 1000000"), "{wrong}");
        }
        let file = File { public_holders: Some(5), ..File::default() };
        assert_eq!(public_holders(&file, &|_| None).unwrap(), PublicHolders(5));
    }

    #[test]
    fn the_connection_and_request_limits_are_at_least_one() {
        assert!(requests_at_once(&File::default(), &|_| Some("0".to_owned())).is_err());
        assert_eq!(requests_at_once(&File::default(), &|_| Some("7".to_owned())).unwrap(), 7);
        let with = |text: &str| connections_per_client(&File::default(), &|_| Some(text.to_owned()));
        assert_eq!((with("").unwrap(), with(" 1 ").unwrap()), (512, 1));
        for wrong in ["0", "-1", "1000001", "many"] {
            assert!(with(wrong).unwrap_err().to_string().contains("from 1 to 1000000"), "{wrong}");
        }
        let file = File { connections_per_client: Some(20), ..File::default() };
        assert_eq!(connections_per_client(&file, &|_| None).unwrap(), 20);
    }
}
