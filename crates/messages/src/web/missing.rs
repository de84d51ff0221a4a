//! Dividends that market data knows and nobody recorded.

crate::texts! { Missing = "missing" {
    title, lead, review, table_lead, select, amounts, after_tax, buys_lead, record_selected, ignore_selected, none_selected, no_amounts, gone,
    see_ledger, beside_title, same, both, again, empty_title, empty_lead, off_title, modes;
    headline(n, amount), differ(n), of_row(symbol, date, field), record_all(n), recorded(n), ignored(n), suggested(n),
    buys(shares, price), buys_one(price), beside(recorded, date, expected), ignored_title(n), off(names), automatic(names),
} }
