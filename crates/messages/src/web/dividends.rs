//! Dividends received.

crate::texts! { Dividends = "dividends" {
    title, net_12, gross_12, growth, growth_note, all_time, months_title, months_note, month, year,
    total, years_title, years_chart, by_stock, by_portfolio, stock, portfolio, net, expected_title, expected_lead,
    expected_none, all_well, look_at, pay_date, due_amount, recorded, state, received, different, missing, due, extra,
    estimated_day, special, net_mark, record, list_title, symbol, all_stocks, all_years, date, shares, per_share, tax,
    amount, net_repeated, pages, none_match, empty_title, empty_lead, import, by_hand;
    lead(currency), all_time_note(amount), net_only(n), bar(month, year, amount), gross_of(amount), as_expected(n),
    cut_off(n), ignored(n), not_compared(names), off_by(amount), on(date), record_of(symbol, date), range(from, to, n),
} }
