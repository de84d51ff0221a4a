//! The row types of a statement.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    Buy,
    Sell,
    Dividend,
    /// Tax on earlier dividends that was withheld or returned later.
    DividendTax,
    /// The shares added, or removed if negative.
    Split,
    /// Shares given up (negative) or received in a merger.
    Merger,
    /// The whole position turned into money, or into nothing.
    Closure,
    SpinOff,
    ReturnOfCapital,
    /// From one of Revolut's companies to another: the position stays the same.
    Move,
    /// Cash movements and fees of the account.
    Cash,
    Other,
}

pub fn act(kind: &str) -> Act {
    let kind = kind.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    let is_trade = |word: &str| {
        kind.strip_prefix(word).is_some_and(|rest| {
            let rest = rest.trim_start_matches([' ', '-']);
            rest.is_empty() || ["MARKET", "LIMIT", "STOP", "STOP LIMIT", "STOP-LIMIT", "RECURRING", "AUTO"].contains(&rest)
        })
    };
    match kind.as_str() {
        _ if is_trade("BUY") => Act::Buy,
        _ if is_trade("SELL") => Act::Sell,
        _ if kind.starts_with("DIVIDEND TAX") => Act::DividendTax,
        "DIVIDEND" | "DIVIDEND (CORRECTION)" | "DIVIDEND (REVERSAL)" | "DIVIDEND CORRECTION" | "DIVIDEND REVERSAL" => {
            Act::Dividend
        }
        "STOCK SPLIT" | "SPLIT" | "REVERSE STOCK SPLIT" => Act::Split,
        "MERGER - STOCK" => Act::Merger,
        "MERGER - CASH" | "POSITION CLOSURE" => Act::Closure,
        "SPINOFF" | "SPIN-OFF" | "SPIN OFF" => Act::SpinOff,
        "RETURN OF CAPITAL" => Act::ReturnOfCapital,
        _ if kind.starts_with("TRANSFER FROM") => Act::Move,
        _ if kind.starts_with("CASH ") || kind.contains(" FEE") => Act::Cash,
        _ => Act::Other,
    }
}
