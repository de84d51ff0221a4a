//! Payments to come.

texts! { Upcoming {
    title: "Upcoming",
    lead: "What your holdings pay next. The ex-date is the first day on which buying is too late.",
    days: "Days ahead",
    feed: "In your calendar app",
    sums: "Paid in the next {n} day, net|Paid in the next {n} days, net",
    sums_note: "after estimated tax withheld abroad; stocks on the radar do not count",
    no_sums: "nothing",
    list: "By the next date: ex-date or pay date",
    weekdays_short: "Mon Tue Wed Thu Fri Sat Sun",
    month: "{month} {year}",
    ex: "Ex-date",
    pays: "Pay date",
    gross: "gross",
    watched: "On the radar",
    a_share: "a share",
    empty_title: "No payment in sight",
    empty_lead: "Nothing of what you hold or watch is known or expected to pay within {n} day.|Nothing of what you hold or watch is known or expected to pay within {n} days.",
    add: "Add by hand",
    import: "Import a file",
} }
