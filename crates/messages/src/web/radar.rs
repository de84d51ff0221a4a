//! The watchlist and its targets.

crate::texts! { Radar = "radar" {
    title, lead, symbol, add, add_nothing, add_long, stock, price, yield_now, average, safety, next_ex, target,
    reached, no_data, change, set_target, yield_label, price_label_unknown, target_hint, remove, empty_title,
    empty_lead, browse;
    added(symbol), removed(symbol), target_yield(target), target_price(target), to_go(pct), change_label(symbol),
    set_label(symbol), price_label(currency), saved(symbol), remove_label(symbol),
} }
