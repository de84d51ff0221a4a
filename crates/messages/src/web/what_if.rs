//! What a purchase would change.

crate::texts! { WhatIf = "what_if" {
    title, lead, symbol, shares, calculate, nothing, both, not_positive, add, added_net, added_gross, after_tax, cost,
    no_price, purchase_yield, purchase_yield_note, compared_title, figure, before, after, annual_net, annual_gross,
    current_yield, months_title, months_chart, month, too_small, link;
    card_title(symbol), amount(currency), bought(shares, symbol), at(price, as_of), at_price(price), into(portfolio),
    position_shares(symbol), position_net(symbol), position_gross(symbol), share(symbol), months_note(currency),
    bar(month, when, amount), link_label(symbol),
} }
