//! E-mails.

use app::accounts::mail::{Letter, LetterText, LetterWriter};

use crate::{Keys, Language};

pub const KEYS: &[Keys] = &[Mail::KEYS];

crate::texts! { Mail = "mail" {
    reset_subject, unlock_subject, verify_subject, confirm_subject, taken_subject, taken_body, changed_subject, changed_body,
    create_subject, exists_subject;
    reset_body(link), unlock_body(link), verify_body(link), confirm_body(link), create_body(link), exists_body(sign_in, reset),
} }

/// Writes letters in a language.
pub fn writer(language: &'static Language) -> LetterWriter {
    Box::new(move |letter| text(language, letter))
}

pub fn text(language: &'static Language, letter: &Letter) -> LetterText {
    let texts = Mail::load(language);
    let (subject, body) = match letter {
        Letter::ResetPassword { link } => (texts.reset_subject, texts.reset_body(link.as_str())),
        Letter::Unlock { link } => (texts.unlock_subject, texts.unlock_body(link.as_str())),
        Letter::VerifyAddress { link } => (texts.verify_subject, texts.verify_body(link.as_str())),
        Letter::ConfirmAddress { link } => (texts.confirm_subject, texts.confirm_body(link.as_str())),
        Letter::AddressTaken => (texts.taken_subject, texts.taken_body.to_owned()),
        Letter::AddressChanged => (texts.changed_subject, texts.changed_body.to_owned()),
        Letter::CreateAccount { link } => (texts.create_subject, texts.create_body(link.as_str())),
        Letter::AccountExists { sign_in, reset } => (texts.exists_subject, texts.exists_body(sign_in.as_str(), reset.as_str())),
    };
    LetterText { subject: subject.to_owned(), body: format!("{body}\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_stands_on_a_line_of_its_own() {
        let language = crate::by_preference("");
        let link = || "https://drip.example/x/secret".to_owned();
        for letter in [
            Letter::ResetPassword { link: link() },
            Letter::Unlock { link: link() },
            Letter::VerifyAddress { link: link() },
            Letter::ConfirmAddress { link: link() },
            Letter::CreateAccount { link: link() },
        ] {
            let text = text(language, &letter);
            assert!(text.body.lines().any(|line| line == link()), "{text:?}");
            assert!(text.body.ends_with(".\n") && !text.body.contains("\n\n\n"), "{text:?}");
        }
    }
}
