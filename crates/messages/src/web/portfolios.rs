//! Portfolios: add, order, share, delete.

crate::texts! { Portfolios = "portfolios" {
    title, lead, empty, add_title, name, add, default, default_note, rename, up, down, moved, make_default,
    automatic_title, automatic_lead, off, off_hint, suggest, suggest_hint, record, record_hint,
    reinvest_title, reinvest_lead, reinvest_without_effect, reinvest_changes, reinvest_off, reinvest_off_hint, reinvest_fractional,
    reinvest_fractional_hint, reinvest_whole, reinvest_whole_hint, exceptions_title, exception_rule, add_exception, remove_exception,
    share_title, share_lead, slug, slug_hint, show_amounts, show_amounts_hint, share,
    shared_badge, with_amounts, without_amounts, hide_amounts, unshare, delete_title, type_name, delete;
    added(name), entries(n), renamed(old, name), made_default(name), shared(name), set_off(name), set_suggest(name), set_record(name), amounts_changed(name),
    reinvest_summary(rule, n), reinvest_as_rest(rule), reinvest_set_off(name), reinvest_set_fractional(name), reinvest_set_whole(name),
    reinvest_stock_set(symbol, name, rule), reinvest_stock_default(symbol, name),
    unshared(name), delete_lead(n), deleted(name), not_the_name(name),
} }
