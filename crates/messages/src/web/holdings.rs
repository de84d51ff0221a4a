//! Open positions and their income.

crate::texts! { Holdings = "holdings" {
    title, share_title, share_chart, rest, table, table_note, stock, shares, cost, gross, net, share, yield_now,
    on_cost, safety, ex, pay, portfolio, total, oldest_first, no_income, estimated, cost_unknown, cut, stopped, uncovered,
    yield_doubled, high_payout, thin_cash_cover, yield_raised, streak_ended, empty_title, empty_lead, import, by_hand,
    transactions;
    lead(n), part(name, amount, share), sort_by(column), reasons(reasons), unapplied_split(symbol, portfolio, ratio, date),
} }
