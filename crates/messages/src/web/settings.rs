//! Settings → Profile.

crate::texts! { Settings = "settings" {
    title, lead, navigation, profile, security, access, data, name, currency, currency_hint, residence,
    residence_hint, residence_none, number_format, number_format_browser, number_format_unknown, idle, idle_hint,
    keyboard, shortcuts, shortcuts_hint, shortcuts_save, shortcuts_saved, save, saved;
    idle_minutes(n), idle_hours(n), idle_days(n),
} }
