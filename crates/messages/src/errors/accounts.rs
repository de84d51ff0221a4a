//! Accounts, and how they are accessed.

use app::refusal::{Account, Export, Feed, Invitation, Password, SecondFactor, Session, Token};

use crate::{Keys, described};

pub const KEYS: &[Keys] = &[ACCOUNT, PASSWORD, SECOND_FACTOR, INVITATION, SESSION, EXPORT, TOKEN, FEED];

described! { ACCOUNT = "error-account": pub fn account(language; Account) {
    EmailMalformed { email } => email_malformed(email),
    EmailTaken { email } => email_taken(email),
    EmailUnavailable => email_unavailable,
    NameLength { max } => name_length(max),
    UnknownCurrency { code } => unknown_currency(code),
    UnknownCountry { code } => unknown_country(code),
    UnknownNumberFormat => unknown_number_format,
    SessionIdleTime { min_minutes, max_days } => session_idle_time(minutes = min_minutes, days = max_days),
    SignUpClosed => sign_up_closed,
    FirstAccountExists => first_account_exists,
    PasswordMissing => password_missing,
    InvitationExpired => invitation_expired,
} }

described! { PASSWORD = "error-account": pub fn password(language; Password) {
    Length { chars_min, bytes_max } => password_length(min = chars_min, max_bytes = bytes_max),
    TooEasy => password_easy,
    Breached => password_breached,
} }

described! { SECOND_FACTOR = "error-account": pub fn second_factor(language; SecondFactor) {
    AlreadyOn => second_factor_on,
    NotStarted => second_factor_not_started,
    Off => second_factor_off,
    Unreadable => second_factor_unreadable,
} }

described! { INVITATION = "error-account": pub fn invitation(language; Invitation) {
    Days { min, max } => invitation_days(min, max),
    Unknown { id } => unknown_invitation(id),
} }

described! { SESSION = "error-access": pub fn session(language; Session) {
    Unknown => unknown_session,
    Over => session_over,
} }

described! { EXPORT = "error-access": pub fn export(language; Export) {
    TooMany { max } => too_many_exports(max),
} }

described! { TOKEN = "error-access": pub fn token(language; Token) {
    NameLength { max } => token_name(max),
    TooMany { max } => too_many_tokens(max),
    MalformedId { id } => token_id(id),
    Unknown { id } => unknown_token(id = id.to_string()),
} }

described! { FEED = "error-access": pub fn feed(language; Feed) {
    NameLength { max } => feed_name(max),
    TooMany { max } => too_many_feeds(max),
    Unknown => unknown_feed,
} }
