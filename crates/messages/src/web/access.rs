//! Settings → Access: tokens, connected apps, calendar feeds.

crate::texts! { Access = "access" {
    title, lead, name, created, last_used, never, expires, ended, revoke, revoke_sure, tokens_title, tokens_docs,
    tokens_lead, tokens_none, token_new, token_name, token_name_hint, expiry, expiry_none, token_create,
    token_made_title, token_label, token_try, token_keep, token_revoked, done, apps_title, apps_docs, apps_lead,
    apps_none, apps_host, apps_device, apps_reads, apps_api, apps_mcp, apps_revoke_all, app_revoked, feeds_title,
    feeds_lead, feeds_none, feed_new, feed_name, feed_name_hint, feed_create, feed_made_title, feed_label, feed_open,
    feed_keep, feed_revoked;
    revoke_one(name), tokens_ended(n), expiry_days(n), token_made_lead(name), apps_revoked(n), feed_made_lead(name),
} }
