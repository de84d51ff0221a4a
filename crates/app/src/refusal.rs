//! Invalid requests, by use case. They only have data; `messages` has the texts.

use std::path::PathBuf;

use ledger::{Currency, ReplayError};
use market::{ConfigError, Failure};
use uuid::Uuid;

/// Enums of refusals; each variant has a code that stays the same in all versions.
macro_rules! refusals {
    ($($(#[$about:meta])* $name:ident {
        $($(#[$note:meta])* $code:literal $variant:ident $({ $($field:ident: $type:ty),+ $(,)? })?,)+
    })+) => {
        $($(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[$note])* $variant $({ $($field: $type),+ })?,)+
        }

        impl $name {
            pub fn code(&self) -> &'static str {
                match self {
                    $($name::$variant { .. } => $code,)+
                }
            }
        }

        impl From<$name> for Refusal {
            fn from(refusal: $name) -> Refusal {
                Refusal::$name(refusal)
            }
        })+

        /// Nothing was changed.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Refusal {
            $($name($name),)+
        }

        impl Refusal {
            pub fn code(&self) -> &'static str {
                match self {
                    $(Refusal::$name(refusal) => refusal.code(),)+
                }
            }

            #[cfg(test)]
            const CODES: &[&str] = &[$($($code),+),+];
        }
    };
}

refusals! {
    Account {
        "email_malformed" EmailMalformed { email: String },
        /// Only shown to the operator.
        "email_taken" EmailTaken { email: String },
        /// Does not reveal why.
        "email_unavailable" EmailUnavailable,
        "name_length" NameLength { max: usize },
        "unknown_currency" UnknownCurrency { code: String },
        "unknown_country" UnknownCountry { code: String },
        "unknown_number_format" UnknownNumberFormat,
        "session_idle_time" SessionIdleTime { min_minutes: i64, max_days: i64 },
        "sign_up_closed" SignUpClosed,
        "first_account_exists" FirstAccountExists,
        "password_missing" PasswordMissing,
        "invitation_expired" InvitationExpired,
    }

    Password {
        "password_length" Length { chars_min: usize, bytes_max: usize },
        "password_easy" TooEasy,
        "password_breached" Breached,
    }

    SecondFactor {
        "second_factor_on" AlreadyOn,
        "second_factor_not_started" NotStarted,
        "second_factor_off" Off,
        /// Its key is missing; recovery codes do not need it.
        "second_factor_unreadable" Unreadable,
    }

    Session {
        "unknown_session" Unknown,
        "session_over" Over,
    }

    Portfolio {
        "too_many_portfolios" TooMany { max: usize },
        "portfolio_named_twice" NamedTwice { name: String },
        "portfolio_name_taken" NameTaken { name: String },
        "portfolio_name_length" NameLength { max: usize },
        "slug_taken" SlugTaken { slug: String },
        "portfolio_without_stock" WithoutStock { symbol: String },
        "slug_malformed" SlugMalformed { slug: String, min: usize, max: usize },
    }

    Entry {
        "unknown_entry" Unknown { sequence: i64 },
        /// Doubts that were not confirmed.
        "entry_doubtful" Doubtful,
        "no_entry_selected" NoneSelected,
        "too_many_entries_selected" TooManySelected { max: usize },
        /// Since the user selected all of it.
        "entry_list_changed" ListChanged,
        /// The deletion is too old, or not the last one.
        "entry_not_restorable" NotRestorable,
    }

    Purchase {
        "purchase_no_data" NoData { symbol: String },
        "purchase_no_price" NoPrice { symbol: String },
        "purchase_no_rate" NoRate { from: Currency, to: Currency },
        "purchase_out_of_range" OutOfRange,
    }

    Watchlist {
        "not_watched" NotWatched { symbol: String },
        "target_yield" TargetYield,
        "target_price" TargetPrice,
    }

    Token {
        "token_name_length" NameLength { max: usize },
        "too_many_tokens" TooMany { max: i64 },
        "token_id_malformed" MalformedId { id: String },
        "unknown_token" Unknown { id: Uuid },
    }

    Feed {
        "feed_name_length" NameLength { max: usize },
        "too_many_feeds" TooMany { max: usize },
        "unknown_feed" Unknown,
    }

    Invitation {
        "invitation_days" Days { min: i64, max: i64 },
        "unknown_invitation" Unknown { id: String },
    }

    Export {
        "too_many_exports" TooMany { max: usize },
    }

    /// Apps that request access, as managed by the operator and by users.
    Client {
        "client_name_missing" NameMissing,
        "redirect_malformed" RedirectMalformed { uri: String },
        "redirect_count" RedirectCount { max: usize },
        "unknown_client" Unknown { id: String },
        "client_removed" AlreadyRemoved { id: String },
        "client_not_removed" NotRemoved { id: String },
        /// The operator removed the app that a user was about to allow.
        "app_removed" Removed,
        "app_without_access" NoAccess,
    }

    /// Symbols that are looked up immediately.
    Lookup {
        "no_market_data" NoProvider { symbol: String },
        "unknown_symbol" Unknown { symbol: String },
        "lookup_failed" Failed { symbol: String, failure: Failure },
        "implausible_price" ImplausiblePrice { symbol: String, price: String, reason: market::validation::Reason },
    }

    Market {
        "untracked_symbol" NotTracked { symbol: String },
        "no_provider" NoProvider,
        "not_owner" NotOwner,
        /// Flags, variables or the file name the providers.
        "providers_configured" ConfiguredByOperator,
        "provider_not_offered" NotOffered { provider: String },
        "provider_chosen_twice" ChosenTwice { provider: String },
        "provider_without_key" ChosenWithoutKey { provider: &'static str },
        "provider_key_malformed" MalformedKey { provider: String, max: usize },
        "provider_settings" Settings { error: ConfigError },
        "no_dividends" NoDividends { symbol: String },
        /// With the ex-dates near the given one.
        "no_dividend_on" NoDividendOn { symbol: String, date: String, near: Vec<String> },
        "several_dividends" SeveralDividends { symbol: String, date: String, rows: Vec<String> },
    }

    Mail {
        "mail_sender" Sender { address: String },
        "mail_without_tls" NoTls,
        "mail_server" Server,
    }

    Backup {
        "backup_path" Path { path: PathBuf, cause: String },
    }

    Import {
        "too_many_uploads" TooManyUploads { max: usize },
        "file_too_large" TooLarge { max_mib: usize },
        "upload_key_used" KeyUsed,
        "upload_unreadable" Unreadable,
        "unknown_import" Unknown { id: String },
        "import_file_lost" FileLost { id: Uuid },
        /// Later entries depend on it.
        "import_needed" Needed { symbol: String, cause: ReplayError },
        "unknown_security" UnknownSecurity { key: String },
        /// The transactions would be inconsistent.
        "match_inconsistent" MatchInconsistent { symbol: String, cause: ReplayError },
        "unknown_format" UnknownFormat { name: String },
        "columns_of_broker" ColumnsOfBroker { format: &'static str },
        "columns_malformed" ColumnsMalformed { reason: importers::Reason },
        "unknown_column" UnknownColumn { name: String },
        "instrument_name_length" InstrumentNameLength { max: usize },
        "symbol_malformed" SymbolMalformed { symbol: String },
        "unknown_unit" UnknownUnit { unit: String },
        /// It has no error, or shares its line with other rows.
        "row_not_skippable" RowNotSkippable { line: u64 },
        "no_shares_missing" NoSharesMissing { line: u64 },
        "too_many_skipped" TooManySkipped { max: usize },
        "too_many_openings" TooManyOpenings { max: usize },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_refusals_share_a_code() {
        let mut codes = Refusal::CODES.to_vec();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Refusal::CODES.len());
        assert!(codes.iter().all(|code| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')));
    }
}
