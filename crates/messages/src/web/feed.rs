//! The calendar that other programs subscribe to.

crate::texts! { Feed = "feed" {
    calendar_name, declared, estimated;
    ex_dividend(symbol, certainty), payment(symbol, amount, currency, certainty), per_share(amount, currency, certainty),
    shares(shares, per_share), gross(amount, currency), portfolio(name),
} }
