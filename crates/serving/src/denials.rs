//! Denied requests: counted by reason, and logged with a limit of lines per minute and reason. Only the public id of a token is
//! logged, and only the network of a client.

mod token;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ipnet::IpNet;
use uuid::Uuid;

pub use token::unauthorized;

const LOG: &str = "dripline::denied";
/// Lines per reason and minute. Further denials are only counted.
const LINES_MAX: u32 = 10;
/// How many refused tokens per minute are looked up to find the reason.
const LOOKS_MAX: u32 = 600;
const MINUTE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Not a Dripline token: wrong format or checksum.
    TokenNoise,
    TokenUnknown,
    TokenRevoked,
    TokenExpired,
    /// A token for the other audience.
    TokenElsewhere,
    /// A refused token beyond the look-up limit.
    TokenMany,
    AccountDisabled,
    /// A request from a page of another site.
    Origin,
    /// A form without a valid form token.
    FormToken,
    /// What only the owner of the service may do.
    NotOwner,
    /// A wrong password or code, or an unknown account.
    SignIn,
    /// Too many requests or attempts.
    Limit,
    /// An app that did not prove its identity.
    App,
    /// An invalid or expired code or refresh token.
    Grant,
    /// An ambiguous or too large request.
    Broken,
}

impl Reason {
    pub const ALL: [Reason; 15] = [
        Reason::TokenNoise,
        Reason::TokenUnknown,
        Reason::TokenRevoked,
        Reason::TokenExpired,
        Reason::TokenElsewhere,
        Reason::TokenMany,
        Reason::AccountDisabled,
        Reason::Origin,
        Reason::FormToken,
        Reason::NotOwner,
        Reason::SignIn,
        Reason::Limit,
        Reason::App,
        Reason::Grant,
        Reason::Broken,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Reason::TokenNoise => "token_noise",
            Reason::TokenUnknown => "token_unknown",
            Reason::TokenRevoked => "token_revoked",
            Reason::TokenExpired => "token_expired",
            Reason::TokenElsewhere => "token_elsewhere",
            Reason::TokenMany => "token_many",
            Reason::AccountDisabled => "account_disabled",
            Reason::Origin => "origin",
            Reason::FormToken => "form_token",
            Reason::NotOwner => "not_owner",
            Reason::SignIn => "sign_in",
            Reason::Limit => "limit",
            Reason::App => "app",
            Reason::Grant => "grant",
            Reason::Broken => "broken",
        }
    }
}

/// In the extensions of a response that denies a request.
#[derive(Debug, Clone, Copy)]
pub struct Denied {
    pub reason: Reason,
    /// Public id of the token, if it was found.
    pub token: Option<Uuid>,
}

impl From<Reason> for Denied {
    fn from(reason: Reason) -> Denied {
        Denied { reason, token: None }
    }
}

pub struct Denials {
    since: Instant,
    looks: Minute,
    of: [Counted; Reason::ALL.len()],
}

#[derive(Default)]
struct Counted {
    count: AtomicU64,
    lines: Minute,
    /// Denials without a line since the last line.
    untold: AtomicU64,
}

impl Default for Denials {
    fn default() -> Self {
        Self { since: Instant::now(), looks: Minute::default(), of: std::array::from_fn(|_| Counted::default()) }
    }
}

impl Denials {
    /// Counts it without a line.
    pub fn count(&self, reason: Reason) {
        let counted = &self.of[reason as usize];
        counted.count.fetch_add(1, Ordering::Relaxed);
        counted.untold.fetch_add(1, Ordering::Relaxed);
    }

    pub fn counted(&self, reason: Reason) -> u64 {
        self.of[reason as usize].count.load(Ordering::Relaxed)
    }

    /// Whether the next denial with this reason gets a line.
    pub fn is_due(&self, reason: Reason) -> bool {
        is_logged() && self.of[reason as usize].lines.has_left(self.minute(), LINES_MAX)
    }

    /// Counts it, and writes a line if the limit allows.
    pub fn note(&self, denied: Denied, route: &str, client: IpNet) {
        let counted = &self.of[denied.reason as usize];
        if !is_logged() || !counted.lines.take(self.minute(), LINES_MAX) {
            return self.count(denied.reason);
        }
        counted.count.fetch_add(1, Ordering::Relaxed);
        tracing::info!(
            target: LOG,
            reason = denied.reason.word(),
            route,
            client = %client,
            token = denied.token.map(tracing::field::display),
            untold = counted.untold.swap(0, Ordering::Relaxed),
            "refused"
        );
    }

    /// Whether one more token may be looked up.
    fn may_look(&self) -> bool {
        self.looks.take(self.minute(), LOOKS_MAX)
    }

    /// Never 0.
    fn minute(&self) -> u32 {
        let minutes = self.since.elapsed().as_secs() / MINUTE.as_secs();
        u32::try_from(minutes + 1).unwrap_or(u32::MAX)
    }
}

fn is_logged() -> bool {
    tracing::enabled!(target: LOG, tracing::Level::INFO)
}

/// Usage of the current minute: the minute in the upper bits, the count in the lower.
#[derive(Default)]
struct Minute(AtomicU64);

impl Minute {
    fn used(packed: u64, minute: u32) -> u32 {
        if packed >> 32 == u64::from(minute) { packed as u32 } else { 0 }
    }

    fn has_left(&self, minute: u32, max: u32) -> bool {
        Minute::used(self.0.load(Ordering::Relaxed), minute) < max
    }

    fn take(&self, minute: u32, max: u32) -> bool {
        let taken = |packed: u64| {
            let used = Minute::used(packed, minute);
            (used < max).then(|| (u64::from(minute) << 32) | u64::from(used + 1))
        };
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_denial_reason_has_its_own_index_and_word() {
        let words: std::collections::BTreeSet<_> = Reason::ALL.map(Reason::word).into_iter().collect();
        assert_eq!(words.len(), Reason::ALL.len());
        for (place, reason) in Reason::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, place);
        }
    }

    #[test]
    fn the_budget_of_a_minute_is_renewed_in_the_next() {
        let minute = Minute::default();
        let taken = |number: u32| (0..20).filter(|_| minute.take(number, 10)).count();
        assert_eq!((taken(1), minute.has_left(1, 10), minute.has_left(2, 10)), (10, false, true));
        assert_eq!((taken(2), taken(7), taken(7)), (10, 10, 0));
    }

    #[test]
    fn denials_that_are_not_logged_are_still_counted() {
        let denials = Denials::default();
        for _ in 0..25 {
            denials.note(Reason::Origin.into(), "/ledger/new", "192.0.2.0/24".parse().unwrap());
        }
        denials.count(Reason::Limit);
        assert_eq!((denials.counted(Reason::Origin), denials.counted(Reason::Limit), denials.counted(Reason::App)), (25, 1, 0));
    }
}
