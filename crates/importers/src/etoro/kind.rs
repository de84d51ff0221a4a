//! The row types of the sheet Account Activity, and which assets are supported.

use crate::reading::Words;

static TYPES: Words = Words::new(include_str!("types.txt"));

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
    match TYPES.meaning_in(&kind) {
        Some("open") => Act::Open,
        Some("close") => Act::Close,
        Some("dividend") => Act::Dividend,
        // Until 2021, dividends were listed as overnight fees.
        _ if kind == "rollover fee" && caused_by_dividend => Act::Dividend,
        _ if kind.starts_with("corp") && kind.ends_with("split") => Act::Split,
        Some("fee") => Act::Fee,
        Some("cash") => Act::Cash,
        _ => Act::Other,
    }
}

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
