//! Settings → Security: password, two-factor authentication, sessions, activity.

crate::texts! { Security = "security" {
    lead, confirm_first, confirm_link, password_title, password, password_hint, password_ends, password_end_tokens,
    password_end_feeds, password_save, password_saved, email_title, email, email_unverified, email_verify,
    email_verify_title, email_verify_save, email_verified, email_save, email_link_title, email_link_bad,
    email_link_save, factor_title, factor_off, factor_on, factor_begin, factor_go_on, factor_disable,
    factor_disable_ask, factor_disable_note, factor_disabled, factor_new_codes, factor_new_codes_note, setup_title,
    setup_scan, setup_qr, setup_type, setup_code, setup_code_hint, setup_submit, setup_wrong, codes_title, codes_on,
    codes_lead, codes_done, sessions_title, sessions_lead, session_agent, session_place, session_since, session_seen,
    session_this, session_act, session_end, session_ended, sessions_end_others, agent_unknown, system_unknown,
    activity_title, activity_lead, activity_when, activity_what, account_made, sign_up_again, signed_in,
    sign_in_failed, signed_out, session_was_ended, token_created, token_revoked, feed_created, feed_revoked,
    app_allowed, app_revoked, app_removed, token_reused, password_changed, password_reset, totp_on, totp_off,
    recovery_codes_made, recovery_code_used, profile_changed, email_changed, email_was_verified, unlocked,
    providers_chosen, became_owner, exported, transactions_exported, deleted, something;
    password_saved_ended(list), ended_sessions(n), ended_apps(n), ended_tokens(n), ended_feeds(n), email_now(email),
    email_verify_sent(email), email_verify_ask(email), email_saved(email), email_mailed(email), email_link(email),
    factor_codes_left(n), session_end_label(agent, place), sessions_ended(n), agent(browser, system),
    activity_place(event, place), activity_named(event, name),
} }
