//! The mail server. Its address holds a password, so it is read from a variable or a file, never from a flag.

use anyhow::Context;
use app::accounts::mail::Settings;

use super::file::File;
use super::secret::Secret;
use crate::output::setting;

pub fn read(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Option<Settings>> {
    let name = "DRIPLINE_SMTP_URL";
    let url =
        Secret { name, given: variable(name), in_file: file.smtp_url.as_deref(), in_file_path: file.smtp_url_file.as_deref() };
    let Some(url) = url.read(variable)? else { return Ok(None) };
    let from = from(file, variable).with_context(|| setting().sender_missing)?;
    Ok(Some(Settings::new(&url, &from)?))
}

pub fn from(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    variable("DRIPLINE_MAIL_FROM").filter(|text| !text.trim().is_empty()).or(file.mail_from.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_with(variables: &[(&str, &str)]) -> anyhow::Result<Option<Settings>> {
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        read(&File::default(), &variable)
    }

    #[test]
    fn mail_needs_a_server_and_a_sender() {
        assert!(read_with(&[]).unwrap().is_none());
        assert!(read_with(&[("DRIPLINE_SMTP_URL", " ")]).unwrap().is_none());
        let from = ("DRIPLINE_MAIL_FROM", "Dripline <drip@example.com>");
        assert!(read_with(&[("DRIPLINE_SMTP_URL", "smtps://u:PASSWORD@mail.example.com"), from]).unwrap().is_some());
    }

    #[test]
    fn an_error_never_shows_the_password() {
        let from = ("DRIPLINE_MAIL_FROM", "drip@example.com");
        for (variables, part) in [
            (vec![("DRIPLINE_SMTP_URL", "smtps://u:PASSWORD@mail.example.com")], "DRIPLINE_MAIL_FROM"),
            (vec![("DRIPLINE_SMTP_URL", "smtps://u:PASSWORD@h"), ("DRIPLINE_MAIL_FROM", "nobody")], "\"nobody\""),
            (vec![("DRIPLINE_SMTP_URL", "smtp://u:PASSWORD@mail.example.com"), from], "without TLS"),
            (vec![("DRIPLINE_SMTP_URL", "smtp://u:PASSWORD@mail.example.com?tls=opportunistic"), from], "without TLS"),
            (vec![("DRIPLINE_SMTP_URL", "http://u:PASSWORD@mail.example.com"), from], "Set it to one such as smtps://"),
            (vec![("DRIPLINE_SMTP_URL", "u:PASSWORD"), ("DRIPLINE_SMTP_URL_FILE", "x")], "Keep one"),
            (vec![("DRIPLINE_SMTP_URL_FILE", "/nonexistent/url"), from], "/nonexistent/url"),
        ] {
            let error = crate::failure::explain(&read_with(&variables).unwrap_err());
            assert!(error.contains(part) && !error.contains("PASSWORD"), "{error}");
        }
    }
}
