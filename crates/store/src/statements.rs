//! The list of all statements, for tests that check each of them.

use crate::statement::Statement;
use crate::{copy, deletion};

macro_rules! registered {
    ($($($module:ident)::+),*) => {
        [$($crate::$($module)::+::registered()),*]
    };
}

/// Every statement of this crate.
pub fn all() -> impl Iterator<Item = &'static Statement> {
    let tables = registered! {
        accruals, audit, column_maps, copy::unfinished, deleted_entries, devices, dividends, email_changes, encryption_keys, entries,
        entries::listing, feeds, fx_rates, rejected_values, imports, instruments, invitations, leases, look_ups, mail_links,
        oauth::blocked_clients, oauth::clients, oauth::codes, oauth::consents, oauth::device_codes, oauth::grants,
        oauth::refresh_tokens, payment_decisions, portfolios, positions, prices, provenance, providers, radar, refreshes,
        reinvest_rules, resets,
        service_settings, sessions, sign_in_failures, splits, stocks, stocks::placeholders, tokens, totp, tracking,
        uploads, users, versions
    };
    tables.into_iter().flatten().chain(deletion::OF_USER.iter()).chain(copy::statements())
}
