//! The row types of the sheet Account Activity, and which assets are supported.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    Open,
    Close,
    Dividend,
    Split,
    /// Stamp duty, commissions: part of its position's trade.
    Fee,
    Cash,
    Other,
}

pub fn act(kind: &str, details: &str) -> Act {
    let kind = kind.to_lowercase();
    let caused_by_dividend = details.to_lowercase().contains("dividend");
    match kind.as_str() {
        "open position" | "position opened" => Act::Open,
        "position closed" | "close position" => Act::Close,
        "dividend" => Act::Dividend,
        // Until 2021, dividends were listed as overnight fees.
        "rollover fee" if caused_by_dividend => Act::Dividend,
        _ if kind.starts_with("corp") && kind.ends_with("split") => Act::Split,
        "sdrt" | "stamp duty" | "ptm levy" | "ftt" | "commission" | "commissions" | "open commission" | "close commission"
        | "transaction fee" => Act::Fee,
        _ if CASH.iter().any(|start| kind.starts_with(start)) => Act::Cash,
        _ => Act::Other,
    }
}

const CASH: &[&str] = &[
    "deposit",
    "withdraw",
    "interest",
    "overnight",
    "over night",
    "weekend",
    "rollover fee",
    "start copy",
    "stop copy",
    "pause copy",
    "add funds",
    "remove funds",
    "account balance to mirror",
    "mirror balance to account",
    "edit stop loss",
    "edit take profit",
    "bonus",
    "conversion",
    "currency conversion",
    "staking",
    "inactivity",
    "islamic",
    "admin fee",
    "cashback",
    "card",
    "compensation",
];

pub enum Asset {
    Kept,
    /// With the name for the reason.
    NotKept(String),
    Unknown,
}

pub fn asset(kind: Option<&str>) -> Asset {
    let Some(kind) = kind.filter(|kind| *kind != "-") else { return Asset::Unknown };
    match kind.to_lowercase().as_str() {
        "stocks" | "stock" | "etf" | "etfs" | "fund" | "funds" => Asset::Kept,
        _ => Asset::NotKept(kind.to_owned()),
    }
}
