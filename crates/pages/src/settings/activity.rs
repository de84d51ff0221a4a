//! The account's activity log, in words.

use app::accounts::audit::{self, Event};
use messages::web::Security;

use crate::Web;
use crate::format::Html;
use crate::visit::SignedIn;

const SHOWN: i64 = 50;

pub struct Row {
    pub at: Html,
    pub what: String,
}

pub async fn rows(web: &Web, who: &SignedIn) -> Result<Vec<Row>, app::Error> {
    let (t, format) = (&who.visitor.texts.security, who.visitor.format);
    let all = audit::list(&web.app, who.user_id(), SHOWN).await?;
    Ok(all.iter().map(|row| Row { at: format.instant(row.at), what: in_words(t, &row.event, &row.detail) }).collect())
}

fn in_words(t: &Security, event: &str, detail: &str) -> String {
    let text = event_text(t, event);
    let named = [
        Event::TokenCreated,
        Event::TokenRevoked,
        Event::FeedCreated,
        Event::AppAllowed,
        Event::AppRevoked,
        Event::AppRemoved,
        Event::TokenReused,
        Event::ProvidersChosen,
    ];
    let placed = [Event::SignedIn, Event::SignInFailed];
    let is = |events: &[Event]| events.iter().any(|known| known.word() == event);
    match detail {
        "" => text.to_owned(),
        _ if is(&named) => t.activity_named(text, detail),
        _ if is(&placed) && detail.contains('/') => t.activity_place(text, detail),
        _ => text.to_owned(),
    }
}

fn event_text(t: &Security, event: &str) -> &'static str {
    let texts = [
        (Event::AccountMade, t.account_made),
        (Event::SignUpAgain, t.sign_up_again),
        (Event::SignedIn, t.signed_in),
        (Event::SignInFailed, t.sign_in_failed),
        (Event::SignedOut, t.signed_out),
        (Event::SessionEnded, t.session_was_ended),
        (Event::TokenCreated, t.token_created),
        (Event::TokenRevoked, t.token_revoked),
        (Event::FeedCreated, t.feed_created),
        (Event::FeedRevoked, t.feed_revoked),
        (Event::AppAllowed, t.app_allowed),
        (Event::AppRevoked, t.app_revoked),
        (Event::AppRemoved, t.app_removed),
        (Event::TokenReused, t.token_reused),
        (Event::PasswordChanged, t.password_changed),
        (Event::PasswordReset, t.password_reset),
        (Event::TotpOn, t.totp_on),
        (Event::TotpOff, t.totp_off),
        (Event::RecoveryCodesMade, t.recovery_codes_made),
        (Event::RecoveryCodeUsed, t.recovery_code_used),
        (Event::ProfileChanged, t.profile_changed),
        (Event::EmailChanged, t.email_changed),
        (Event::EmailVerified, t.email_was_verified),
        (Event::Unlocked, t.unlocked),
        (Event::ProvidersChosen, t.providers_chosen),
        (Event::BecameOwner, t.became_owner),
        (Event::Exported, t.exported),
        (Event::TransactionsExported, t.transactions_exported),
        (Event::Deleted, t.deleted),
    ];
    texts.iter().find(|(known, _)| known.word() == event).map_or(t.something, |(_, text)| text)
}
