//! The API: what a user should know about the figures.

use crate::Keys;

pub const KEYS: &[Keys] = &[Notices::KEYS];

crate::texts! { Notices = "notice" {
    ;
    market_data_old(n, names, date), exchange_rates_old(date), positions_without_data(n, names), no_exchange_rate(names),
    payments_missing(n, names), split_not_applied(symbol, portfolio, ratio, date),
} }
