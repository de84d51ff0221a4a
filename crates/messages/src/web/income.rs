//! The home page: forward income.

crate::texts! { Income = "income" {
    title, lead, net, net_note, gross, a_month, a_month_note, yield_now, yield_note, growth, growth_note, received,
    received_growth, received_growth_note, next_title, next_all, months_title, months_chart, month, amount,
    too_small, sources_title, sources_all, source, share, net_income, gross_mark, projection_title, projection_chart,
    projection_lead, years, drip, update, year, now, series_gross, series_net, series_likely, empty_title, empty_lead, import,
    by_hand, from_history, no_income_title, no_income_lead;
    months_note(currency), months_average(amount), thin(names), empty(names), biggest(names, share), in_years(n),
    point(when, amount, kind), likely(low, high),
} }
