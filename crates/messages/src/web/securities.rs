//! Securities without a ticker, and what pages say about them.

crate::texts! { Securities = "securities" {
    title, lead, none_open_title, none_open_lead, holdings, security, isin, shares, currency, transactions,
    search, search_button, results, unlisted, automatic_title, automatic_lead, change, undo, unlisted_title,
    unlisted_lead, match_now, review, dismiss, cancel;
    accept(symbol), accept_label(symbol, name), search_label(name), unlisted_label(name), change_label(name), undo_label(name),
    match_label(name), count(n), nothing_found(q), use_typed(symbol), chosen(name, symbol), set_unlisted(name), undone(name),
    unmatched(n, names), without_data(n, names), linked(n, names), linked_one(name, symbol),
} }
