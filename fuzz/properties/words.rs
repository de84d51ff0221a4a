//! Short inputs from people and programs.

use app::accounts::fields::email as typed_email;
use app::authentication::secret;
use app::oauth::shown_name;
use axum::http::header::LOCATION;
use pages::format::{CHOICES, Format, figures};
use pages::links;
use reqwest::Url;

/// A text is a token if and only if its shape and checksum are right.
pub fn token(text: &str) {
    assert_eq!(secret::is_well_formed(text), secret::hash_of(text).is_some());
    if secret::is_well_formed(text) {
        assert_eq!(text.len(), secret::PERSONAL.len() + 36);
        let (rest, last) = text.split_at(text.len() - 1);
        let other = if last == "0" { "1" } else { "0" };
        assert!(!secret::is_well_formed(&format!("{rest}{other}")) && !secret::is_well_formed(rest));
    }
    let made = secret::with_checksum(secret::PERSONAL, text);
    let random = made.len() == secret::PERSONAL.len() + 36 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    assert_eq!(secret::is_well_formed(&made), random);
}

/// Names and addresses are shown as they are stored.
pub fn name(text: &str) {
    let shown = shown_name(text);
    assert_eq!(shown_name(&shown), shown);
    assert!(!shown.chars().any(char::is_control) && shown.chars().count() <= 81);
    if let Ok(address) = typed_email(text) {
        assert_eq!(typed_email(&address).ok().as_ref(), Some(&address));
        assert!(
            address.matches('@').count() == 1 && !address.chars().any(|letter| letter.is_whitespace() || letter.is_control())
        );
    }
}

/// A number reads back as it is written, in every number format.
pub fn figure(typed: &str) {
    let t = messages::web::texts("");
    for (choice, _) in CHOICES {
        let format = Format::of(Some(choice), typed, t.shell.months_short);
        let Ok(figure) = figures::parse(typed, &format) else { continue };
        let written = figures::written(figure, &format);
        assert_eq!(figures::parse(&written, &format), Ok(figure), "{written}");
    }
}

/// A return address is always one of our pages, however it is parsed.
pub fn own_path(wanted: &str) {
    let path = links::own_path(wanted);
    let base = "https://dripline.example/sign-in";
    let there = Url::parse(base).and_then(|base| base.join(path));
    assert!(there.is_ok_and(|there| there.origin().ascii_serialization() == "https://dripline.example"), "{path}");
    assert!(links::to(path).headers().get(LOCATION).is_some_and(|location| location == path));
}
