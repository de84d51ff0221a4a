//! How the administrator sets up market data.

crate::texts! { MarketData = "market_data" {
    title, lead, is_set, who, choose_title, choose_lead, yahoo, ecb, others, file_lead, restart_title, restart_lead,
    check_title, check_lead,
} }
