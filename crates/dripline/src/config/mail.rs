//! The server that takes mail. Its address holds a password: read from a variable or a file, never from a flag.

use std::path::PathBuf;

use anyhow::{Context, bail};
use app::mail::Settings;

use super::file::File;

pub fn read(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Option<Settings>> {
    let set = |name: &str| variable(name).filter(|text| !text.trim().is_empty());
    let url = match (set("DRIPLINE_SMTP_URL"), set("DRIPLINE_SMTP_URL_FILE")) {
        (Some(_), Some(_)) => bail!("DRIPLINE_SMTP_URL and DRIPLINE_SMTP_URL_FILE are both set; keep one"),
        (Some(url), None) => Some(url),
        (None, Some(path)) => Some(url_in(&PathBuf::from(path))?),
        (None, None) => file.smtp_url_file.as_ref().map(url_in).transpose()?.or(file.smtp_url.clone()),
    };
    let Some(url) = url else { return Ok(None) };
    let from = from(file, variable).context("mail needs a sender; set DRIPLINE_MAIL_FROM to an address of yours")?;
    Ok(Some(Settings::new(url.trim(), &from)?))
}

pub fn from(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    variable("DRIPLINE_MAIL_FROM").filter(|text| !text.trim().is_empty()).or(file.mail_from.clone())
}

fn url_in(path: &PathBuf) -> anyhow::Result<String> {
    let url = std::fs::read_to_string(path).with_context(|| format!("the file {} cannot be read", path.display()))?;
    match url.trim() {
        "" => bail!("the file {} is empty; it holds the address of the mail server", path.display()),
        url => Ok(url.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_with(variables: &[(&str, &str)]) -> anyhow::Result<Option<Settings>> {
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        read(&File::default(), &variable)
    }

    #[test]
    fn mail_takes_a_server_and_a_sender() {
        assert!(read_with(&[]).unwrap().is_none());
        assert!(read_with(&[("DRIPLINE_SMTP_URL", " ")]).unwrap().is_none());
        let from = ("DRIPLINE_MAIL_FROM", "Dripline <drip@example.com>");
        assert!(read_with(&[("DRIPLINE_SMTP_URL", "smtps://u:PASSWORD@mail.example.com"), from]).unwrap().is_some());
    }

    #[test]
    fn a_mistake_is_told_without_the_password() {
        let from = ("DRIPLINE_MAIL_FROM", "drip@example.com");
        for (variables, part) in [
            (vec![("DRIPLINE_SMTP_URL", "smtps://u:PASSWORD@mail.example.com")], "DRIPLINE_MAIL_FROM"),
            (vec![("DRIPLINE_SMTP_URL", "smtps://u:PASSWORD@h"), ("DRIPLINE_MAIL_FROM", "nobody")], "\"nobody\""),
            (vec![("DRIPLINE_SMTP_URL", "smtp://u:PASSWORD@mail.example.com"), from], "without TLS"),
            (vec![("DRIPLINE_SMTP_URL", "smtp://u:PASSWORD@mail.example.com?tls=opportunistic"), from], "without TLS"),
            (vec![("DRIPLINE_SMTP_URL", "http://u:PASSWORD@mail.example.com"), from], "such as smtps://"),
            (vec![("DRIPLINE_SMTP_URL", "u:PASSWORD"), ("DRIPLINE_SMTP_URL_FILE", "x")], "keep one"),
            (vec![("DRIPLINE_SMTP_URL_FILE", "/nonexistent/url"), from], "/nonexistent/url"),
        ] {
            let error = format!("{:#}", read_with(&variables).unwrap_err());
            assert!(error.contains(part) && !error.contains("PASSWORD"), "{error}");
        }
    }
}
