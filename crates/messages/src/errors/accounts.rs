//! Accounts, and how they are accessed.

use app::refusal;

use crate::Language;

crate::texts! { Account = "error-account" {
    email_unavailable, unknown_number_format, sign_up_closed, first_account_exists, password_missing, invitation_expired,
    password_easy, password_breached,
    second_factor_on, second_factor_not_started, second_factor_off, second_factor_unreadable;
    email_malformed(email), email_taken(email), name_length(max), unknown_currency(code), unknown_country(code),
    session_idle_time(minutes, days), password_length(min, max_bytes), invitation_days(min, max), unknown_invitation(id),
} }

crate::texts! { Access = "error-access" {
    unknown_session, session_over, unknown_feed;
    too_many_exports(max), token_name(max), too_many_tokens(max), token_id(id), unknown_token(id), feed_name(max), too_many_feeds(max),
} }

pub fn account(language: &'static Language, refusal: &refusal::Account) -> String {
    use refusal::Account as Refusal;
    let texts = Account::load(language);
    match refusal {
        Refusal::EmailMalformed { email } => texts.email_malformed(email.as_str()),
        Refusal::EmailTaken { email } => texts.email_taken(email.as_str()),
        Refusal::EmailUnavailable => texts.email_unavailable.to_owned(),
        Refusal::NameLength { max } => texts.name_length(*max),
        Refusal::UnknownCurrency { code } => texts.unknown_currency(code.as_str()),
        Refusal::UnknownCountry { code } => texts.unknown_country(code.as_str()),
        Refusal::UnknownNumberFormat => texts.unknown_number_format.to_owned(),
        Refusal::SessionIdleTime { min_minutes, max_days } => texts.session_idle_time(*min_minutes, *max_days),
        Refusal::SignUpClosed => texts.sign_up_closed.to_owned(),
        Refusal::FirstAccountExists => texts.first_account_exists.to_owned(),
        Refusal::PasswordMissing => texts.password_missing.to_owned(),
        Refusal::InvitationExpired => texts.invitation_expired.to_owned(),
    }
}

pub fn password(language: &'static Language, refusal: &refusal::Password) -> String {
    use refusal::Password as Refusal;
    let texts = Account::load(language);
    match refusal {
        Refusal::Length { chars_min, bytes_max } => texts.password_length(*chars_min, *bytes_max),
        Refusal::TooEasy => texts.password_easy.to_owned(),
        Refusal::Breached => texts.password_breached.to_owned(),
    }
}

pub fn second_factor(language: &'static Language, refusal: &refusal::SecondFactor) -> String {
    use refusal::SecondFactor as Refusal;
    let texts = Account::load(language);
    let text = match refusal {
        Refusal::AlreadyOn => texts.second_factor_on,
        Refusal::NotStarted => texts.second_factor_not_started,
        Refusal::Off => texts.second_factor_off,
        Refusal::Unreadable => texts.second_factor_unreadable,
    };
    text.to_owned()
}

pub fn invitation(language: &'static Language, refusal: &refusal::Invitation) -> String {
    use refusal::Invitation as Refusal;
    let texts = Account::load(language);
    match refusal {
        Refusal::Days { min, max } => texts.invitation_days(*min, *max),
        Refusal::Unknown { id } => texts.unknown_invitation(id.as_str()),
    }
}

pub fn session(language: &'static Language, refusal: &refusal::Session) -> String {
    use refusal::Session as Refusal;
    let texts = Access::load(language);
    let text = match refusal {
        Refusal::Unknown => texts.unknown_session,
        Refusal::Over => texts.session_over,
    };
    text.to_owned()
}

pub fn export(language: &'static Language, refusal: &refusal::Export) -> String {
    match refusal {
        refusal::Export::TooMany { max } => Access::load(language).too_many_exports(*max),
    }
}

pub fn token(language: &'static Language, refusal: &refusal::Token) -> String {
    use refusal::Token as Refusal;
    let texts = Access::load(language);
    match refusal {
        Refusal::NameLength { max } => texts.token_name(*max),
        Refusal::TooMany { max } => texts.too_many_tokens(*max),
        Refusal::MalformedId { id } => texts.token_id(id.as_str()),
        Refusal::Unknown { id } => texts.unknown_token(id.to_string()),
    }
}

pub fn feed(language: &'static Language, refusal: &refusal::Feed) -> String {
    use refusal::Feed as Refusal;
    let texts = Access::load(language);
    match refusal {
        Refusal::NameLength { max } => texts.feed_name(*max),
        Refusal::TooMany { max } => texts.too_many_feeds(*max),
        Refusal::Unknown => texts.unknown_feed.to_owned(),
    }
}
