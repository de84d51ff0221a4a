//! Portfolios: add, order, share, delete.

crate::texts! { Portfolios = "portfolios" {
    title, lead, empty, add_title, name, add, default, default_note, rename, up, down, moved, make_default,
    automatic_title, automatic_lead, off, off_hint, suggest, suggest_hint, record, record_hint,
    share_title, share_lead, slug, slug_hint, show_amounts, show_amounts_hint, share,
    shared_badge, with_amounts, without_amounts, hide_amounts, unshare, delete_title, type_name, delete;
    added(name), entries(n), renamed(old, name), made_default(name), shared(name), set_off(name), set_suggest(name), set_record(name), amounts_changed(name),
    unshared(name), delete_lead(n), deleted(name), not_the_name(name),
} }
