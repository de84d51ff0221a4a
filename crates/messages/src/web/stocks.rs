//! Search and the ex-dividend calendar.

crate::texts! { Stocks = "stocks" {
    calendar_title, calendar_lead, days, stock, ex_date, frequency, sector, held, watched, search_title,
    type_something, exchange, kind, equity, etf, fund, not_tracked, watch, weekly, monthly, quarterly, semi_annual, annual;
    calendar_empty(n), results(q), nothing_found(q),
} }
