//! What must hold for what is read from any answer.

use crate::Fault;
use crate::provider::{Dividend, Profile, Quote, Split};

pub(crate) fn dividends(read: Result<Vec<Dividend>, Fault>) {
    let dividends = understood(read).unwrap_or_default();
    assert!(dividends.windows(2).all(|pair| pair[0].ex_date <= pair[1].ex_date), "they are not in the order of their days");
    assert!(dividends.iter().all(|dividend| dividend.amount.is_sign_positive()));
}

pub(crate) fn splits(read: Result<Vec<Split>, Fault>) {
    let splits = understood(read).unwrap_or_default();
    assert!(splits.windows(2).all(|pair| pair[0].date <= pair[1].date), "they are not in the order of their days");
    assert!(splits.iter().all(|split| split.ratio.new.is_sign_positive() && split.ratio.old.is_sign_positive()));
}

pub(crate) fn quote(read: Result<Quote, Fault>) {
    assert!(understood(read).is_none_or(|quote| quote.price.is_sign_positive()));
}

pub(crate) fn profile(read: Result<Profile, Fault>) {
    let Some(profile) = understood(read) else { return };
    let prices = [profile.ma50, profile.ma200, profile.low52, profile.high52, profile.pe, profile.forward_rate];
    assert!(prices.into_iter().flatten().all(|figure| figure.is_sign_positive()));
}

/// A log line about an error is a single line and not too long, even if it escapes every letter that it quotes.
pub(crate) fn understood<T>(read: Result<T, Fault>) -> Option<T> {
    let fault = match read {
        Ok(answer) => return Some(answer),
        Err(fault) => fault.to_string(),
    };
    assert!(!fault.chars().any(char::is_control) && fault.chars().count() < 5_000, "{fault:?}");
    None
}
