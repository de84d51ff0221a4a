//! The list of all tables.

use crate::table::Table;

macro_rules! all {
    ($($($path:ident)::+),*) => {
        pub(crate) static ALL: &[&Table] = &[$(&crate::$($path)::+),*];
    };
}

// Parents before children.
all! {
    users::TABLE, portfolios::TABLE, imports::TABLE, accruals::STATEMENTS, tokens::TABLE, entries::TABLE, deleted_entries::TABLE, payment_decisions::TABLE,
    reinvest_rules::TABLE, positions::TABLE, imports::FILES, accruals::TABLE, instruments::TABLE, column_maps::TABLE, uploads::TABLE,
    radar::TABLE, tracking::TABLE, tracking::FOLLOWERS, sessions::TABLE, devices::TABLE, resets::TABLE,
    mail_links::TABLE, email_changes::TABLE, totp::TABLE, encryption_keys::TABLE, service_settings::TABLE, totp::CODES, audit::TABLE,
    feeds::TABLE, oauth::clients::TABLE, oauth::blocked_clients::TABLE, oauth::consents::TABLE, oauth::grants::TABLE,
    oauth::codes::TABLE, oauth::refresh_tokens::TABLE, oauth::device_codes::TABLE, sign_in_failures::TABLE,
    invitations::TABLE, stocks::TABLE, dividends::TABLE, splits::TABLE, prices::TABLE, fx_rates::TABLE,
    refreshes::TABLE, rejected_values::TABLE, provenance::TABLE, providers::TABLE, leases::TABLE, versions::TABLE
}
