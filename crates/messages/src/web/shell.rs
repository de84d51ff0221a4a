//! Header, footer and words used on several pages.

crate::texts! { Shell = "shell" {
    product, skip, main_navigation, income, upcoming, dividends, holdings, radar, ledger, import, calendar,
    developers, portfolios, settings, sign_in, sign_up, sign_out, search, search_label, search_hint, matches,
    appearance, light, dark, as_device, copy, copied, sure, footer, as_table, all_portfolios, portfolio, show,
    previous, next, cancel, save, delete, edit, safe, watch, at_risk, unknown, declared, estimated, months_short,
    months_long, yes, no, form_expired;
    unconverted(names), outdated_rates(date),
} }
