//! The ledger and the form for a transaction.

crate::texts! { Ledger = "ledger" {
    title, new_title, edit_title, delete_title, delete_lead, import, empty_title, empty_lead, none_title, show_all,
    pages, all_kinds, all_sources, from, to, text, apply, form_lead, preview, preview_hint, not_saved, use_kind, entry, date, kind, symbol,
    symbol_hint, security, shares, price, dividend_per_share, per_share_hint, price_hint, cost_per_share,
    transfer_price_hint, opening_price_hint, total_cost, amount, amount_hint, total_amount,
    total_dividend, total_dividend_hint, more, save_another, matches, no_match, anyway_currency, anyway_hint, choose,
    estimated_tax, fees, tax, net, net_hint, ratio,
    ratio_hint, currency, currency_hint, own_currency, fx_rate, fx_rate_hint, ex_date,
    note, source, by_hand, opening, automatic, estimated, only_estimated, estimated_lead, confirm, none_estimated, delete_automatic, delete_purchase,
    delete_automatic_purchase,
    dividend_reinvested, reinvested_dividend, reinvested, reinvested_hint, bought_shares, bought_price, bought_cost,
    money_moved, shares_after, cost_after, before, after, average_cost, annual_income, yield_on_cost, doubtful, save_anyway, delete_anyway,
    duplicate, see_it, buy, sell, dividend, split, transfer_in, transfer_out, return_of_capital, no_date, odd_date,
    odd_currency, odd_ratio,
    selection, select, selected_rows, select_page, move_to, move_button, move_title, move_anyway, delete_several, unchanged, back, undo, export, export_all;
    total(n), range(first, last, total), file(name, day), other_kind(kind), kind_changed(kind), added(symbol), changed(symbol),
    confirm_of(symbol, date), confirm_all(n), confirmed(n), tax_above_gross(tax, gross), before_first(symbol, first), never_bought(symbol),
    nothing_on_ex_date(symbol, date), nothing_before(symbol, date), orphaned(n, first), two_ways(text, large, small),
    no_figure(example), too_long(text), future(date), symbol_unknown(symbol), which_security(text), add_anyway(symbol),
    suggested_price(price, date), suggested_rate(from, rate, to), suggested_shares(shares), suggested_tax(rate),
    select_row(kind, symbol, date), on_page(n), all_matching(n), moved(n, portfolio), deleted(n), many_doubts(n), restored(n), not_restored(reason),
} }
