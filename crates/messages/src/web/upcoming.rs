//! Upcoming payments.

crate::texts! { Upcoming = "upcoming" {
    title, lead, days, feed, sums_note, list, weekdays_short, ex, pays, ex_mark, pay_mark, gross, watched,
    a_share, empty_title, add, import;
    sums(n), month(month, year), empty_lead(n),
} }
