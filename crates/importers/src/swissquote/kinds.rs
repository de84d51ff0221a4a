//! Swissquote's transaction types in English, German, French and Italian.

use crate::Reason;
use crate::reading::trade_text::Side;
use crate::reading::{Words, folded};

static KINDS: Words = Words::new(include_str!("kinds.txt"));

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    Trade(Side),
    /// A cancelled trade.
    Cancelled(Side),
    Dividend(Option<&'static str>),
    Tax,
    Capital,
    Split,
    /// Shares added or removed without money.
    Moved(Option<Side>),
    Skip(Reason),
    Unknown,
}

pub fn sort_of(transaction: &str) -> Sort {
    let text = folded(transaction);
    let reversed = KINDS.has("reversal", &text);
    match KINDS.meaning_in(&text).unwrap_or_default() {
        "sell" if reversed => Sort::Cancelled(Side::Sell),
        "buy" if reversed => Sort::Cancelled(Side::Buy),
        "sell" | "redemption" => Sort::Trade(Side::Sell),
        "buy" => Sort::Trade(Side::Buy),
        "currency exchange" => Sort::Skip(Reason::CurrencyExchange),
        "crypto" => Sort::Skip(Reason::unsupported_asset("crypto")),
        "tax" => Sort::Tax,
        "capital" => Sort::Capital,
        "gain" => Sort::Dividend(Some("capital gain distribution")),
        "in lieu" => Sort::Dividend(Some("payment in lieu of a dividend")),
        "dividend" => Sort::Dividend(None),
        "split" => Sort::Split,
        "shares in" => Sort::Moved(Some(Side::Buy)),
        "shares out" => Sort::Moved(Some(Side::Sell)),
        "shares moved" => Sort::Moved(None),
        "lending" => Sort::Skip(Reason::SecuritiesLending),
        "interest" => Sort::Skip(Reason::Interest),
        "fee" => Sort::Skip(Reason::AccountFee),
        _ => Sort::Unknown,
    }
}

pub fn is_coin(symbol: &str) -> bool {
    KINDS.words_for("coin").contains(&symbol)
}
