//! Consent for third-party apps, and device codes.

crate::texts! { Connect = "connect" {
    title, unnamed, who_asks, known_by_operator, not_verified, where_to, warn_loopback, warn_private, may_read, read_only,
    reads_api, reads_mcp, never, until, signed_in_as, before, allow, deny, refused_title, refused_lead, malformed,
    refused_next, removed_title, removed_lead, repeated_title, repeated_lead, expired_title, expired_lead, again,
    device_title, device_lead, device_code, device_code_hint, device_next, device_warn, device_not_proven,
    device_unknown, device_wait, device_allowed, device_denied;
    lead(app), known_by_address(host), refused_back(host),
} }

impl Connect {
    /// An app without an address need not have a name.
    pub fn app_name<'a>(&self, name: &'a str) -> &'a str {
        if name.is_empty() { self.unnamed } else { name }
    }
}
