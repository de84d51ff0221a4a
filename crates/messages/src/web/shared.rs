//! The public page of a shared portfolio.

crate::texts! { Shared = "shared" {
    lead, lead_hidden, annual, annual_note, yield_now, yield_note, growth, growth_note, positions_title,
    positions_chart, others, stock, share, pays, safety, shares, income, months_title, months_note, months_chart,
    month, amount, upcoming_title, ex_date, pay_date, expected, nothing_upcoming, empty_title, empty_lead;
    part(name, share), months_bar(month, share),
} }
