//! What people type about themselves, checked.

use ledger::Currency;

use crate::{Error, passwords};

pub fn email(text: &str) -> Result<String, Error> {
    let email = text.trim();
    let shaped = email.split_once('@').is_some_and(|(local, host)| !local.is_empty() && !host.is_empty() && !host.contains('@'));
    match shaped && email.len() <= 254 && !email.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
        true => Ok(email.to_owned()),
        false => Err(Error::refused(format!("\"{email}\" is not an e-mail address such as ana@example.com"))),
    }
}

pub fn name(text: &str) -> Result<String, Error> {
    let name = text.trim();
    match name.is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control) {
        true => Err(Error::refused("a name has 1 to 100 characters")),
        false => Ok(name.to_owned()),
    }
}

pub fn currency(code: &str) -> Result<Currency, Error> {
    Currency::parse(code).map_err(|unknown| Error::refused(unknown.to_string()))
}

pub fn residence(text: &str) -> Result<String, Error> {
    let code = text.trim().to_uppercase();
    let known = code.len() == 2 && ledger::withholding::country_code(&code).is_some();
    if known {
        Ok(code)
    } else {
        Err(Error::refused(format!("\"{text}\" is not a country code of two letters, such as ES or US")))
    }
}

/// A short word that the pages know; which there are is theirs to say.
pub fn number_format(text: &str) -> Result<String, Error> {
    let word = text.trim();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    match !word.is_empty() && word.len() <= 20 && word.chars().all(plain) {
        true => Ok(word.to_owned()),
        false => Err(Error::refused("a number format is one of those on the list")),
    }
}

pub fn password(password: &str, email: &str, name: Option<&str>) -> Result<(), Error> {
    passwords::check(password, &[email, name.unwrap_or("")])
}
