//! Validates what users enter about themselves.

use ledger::Currency;

use crate::authentication::passwords;
use crate::refusal::Account;
use crate::{App, Error};

const NAME_MAX: usize = 100;

pub fn email(text: &str) -> Result<String, Error> {
    let email = text.trim();
    let shaped = email.split_once('@').is_some_and(|(local, host)| !local.is_empty() && !host.is_empty() && !host.contains('@'));
    match shaped && email.len() <= 254 && !email.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
        true => Ok(email.to_owned()),
        false => Err(Account::EmailMalformed { email: email.to_owned() }.into()),
    }
}

pub fn name(text: &str) -> Result<String, Error> {
    let name = text.trim();
    match name.is_empty() || name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        true => Err(Account::NameLength { max: NAME_MAX }.into()),
        false => Ok(name.to_owned()),
    }
}

pub fn currency(code: &str) -> Result<Currency, Error> {
    Ok(Currency::parse(code).map_err(|_| Account::UnknownCurrency { code: code.to_owned() })?)
}

pub fn residence(text: &str) -> Result<String, Error> {
    let code = text.trim().to_uppercase();
    let known = code.len() == 2 && ledger::withholding::country_code(&code).is_some();
    if known { Ok(code) } else { Err(Account::UnknownCountry { code: text.to_owned() }.into()) }
}

/// A short word; the pages define which ones exist.
pub fn number_format(text: &str) -> Result<String, Error> {
    let word = text.trim();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    match !word.is_empty() && word.len() <= 20 && word.chars().all(plain) {
        true => Ok(word.to_owned()),
        false => Err(Account::UnknownNumberFormat.into()),
    }
}

/// The stored form, after checking that it is hard to guess for somebody who knows address and name.
pub async fn password_hash(app: &App, password: &str, email: &str, name: Option<&str>) -> Result<String, Error> {
    passwords::hash_new(app, password, &[email, name.unwrap_or("")]).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_address_has_exactly_one_at_sign_with_text_on_both_sides() {
        assert_eq!(email(" ana@example.com ").unwrap(), "ana@example.com");
        let of_length = |length: usize| format!("{}@example.com", "a".repeat(length - "@example.com".len()));
        assert!(email(&of_length(254)).is_ok() && email(&of_length(255)).is_err());
        for bad in ["", "ana", "@example.com", "ana@", "ana@example@com", "ana b@example.com", "ana\u{7}@example.com"] {
            assert!(email(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_name_has_one_to_a_hundred_characters_none_of_them_hidden() {
        assert_eq!(name(" Ana ").unwrap(), "Ana");
        assert!(name(&"ä".repeat(100)).is_ok() && name(&"ä".repeat(101)).is_err());
        assert!(name(" ").is_err() && name("A\u{7}na").is_err());
    }

    #[test]
    fn a_residence_is_a_two_letter_country_code() {
        assert_eq!(residence(" es ").unwrap(), "ES");
        for bad in ["", "XX", "E", "Spain", "USA"] {
            assert!(residence(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_number_format_is_a_short_word() {
        for good in ["de", "de-CH", "de_CH", "0123456789abcdefghij"] {
            assert_eq!(number_format(&format!(" {good} ")).unwrap(), good);
        }
        for bad in ["", " ", "de CH", "de.CH", "<b>", "0123456789abcdefghijk"] {
            assert!(number_format(bad).is_err(), "{bad}");
        }
    }
}
