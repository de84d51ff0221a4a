//! The page of one stock.

crate::texts! { Stock = "stock" {
    live, as_of, price, yield_now, at_average, average, annual, annual_note, sign_in_for_annual, growth,
    growth_note, streak, streak_note, history_title, history_chart, history_note, year, total, payments_count,
    complete, changed, running, incomplete, no_history, safety_title, safe_lead, unknown_lead, payout, cover, cut, cut_fund,
    stopped, yield_raised, streak_ended, rhythm_title, frequency, months, every_month, ex_date, next, next_ex,
    check_cut, check_stopped, check_uncovered, check_yield_doubled, check_high_payout, check_thin_cash_cover,
    check_yield_raised, check_streak_ended, following_ex, next_pay, scores_title, momentum, rating, value, of_ten, payments_title, pay_date, amount, special,
    to_come, pay_estimated, own_title, portfolio, shares, cost, income, share, not_held, record, add, remove, missing,
    follow_note, stranger_note, reinvest_lead;
    above_average(pct), below_average(pct), bar(year, amount), bar_noted(year, amount, note), passed(checks), not_checked(checks),
    times(n), uncovered(payout, cover), uncovered_alone(payout), yield_doubled(payout), high_payout(payout),
    thin_cash_cover(cover), older(n), received(net, gross), missing_title(symbol), follow(symbol), reinvest(rule),
} }
