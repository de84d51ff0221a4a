//! What a row of Trade Republic's export means, by its category, type and asset class.

use crate::Reason;
use crate::reading::Words;

static CASH: Words = Words::new(include_str!("cash.txt"));
static CORPORATE_ACTIONS: Words = Words::new(include_str!("corporate_actions.txt"));

/// All words are Trade Republic's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    Buy,
    Sell,
    /// The broker takes back the shares and pays for them.
    Redemption,
    Dividend,
    /// Shares in or out without money: the sign shows which.
    Moved,
    /// Shares that a company issues or takes in exchange for others.
    Exchanged,
    Split,
    /// From one depository of the broker to another.
    Migration,
    /// Shares for a dividend that is in the file as a payment and, negative, as its use.
    Reinvestment,
    Skip(Reason),
    Unknown,
}

pub fn meaning(category: &str, kind: &str, class: &str) -> Meaning {
    match unsupported(class) {
        Some(reason) => Meaning::Skip(reason),
        None => match category {
            "TRADING" => of_trading(kind),
            "CASH" => of_cash(kind),
            "CORPORATE_ACTION" => of_corporate_action(kind),
            "DELIVERY" if kind == "MIGRATION" => Meaning::Migration,
            "DELIVERY" => Meaning::Moved,
            _ => Meaning::Unknown,
        },
    }
}

/// Asset classes that pay no dividends.
fn unsupported(class: &str) -> Option<Reason> {
    Some(match class {
        "CRYPTO" => Reason::unsupported_asset("crypto"),
        "BOND" => Reason::unsupported_asset("bond"),
        "DERIVATIVE" | "WARRANT" | "CERTIFICATE" | "KNOCK_OUT" | "OPTION" | "FACTOR" | "FUTURE" | "CFD" => {
            Reason::unsupported_asset("derivative")
        }
        _ if class.starts_with("PRIVATE") => Reason::NotListed,
        _ => return None,
    })
}

fn of_trading(kind: &str) -> Meaning {
    match kind {
        "BUY" => Meaning::Buy,
        "SELL" => Meaning::Sell,
        _ => Meaning::Unknown,
    }
}

fn of_cash(kind: &str) -> Meaning {
    Meaning::Skip(match CASH.meaning_in(kind).unwrap_or_default() {
        "dividend" => return Meaning::Dividend,
        "redemption" => return Meaning::Redemption,
        "assumed income" => Reason::AssumedIncome,
        "tax" => Reason::TaxWithoutDividend,
        "interest" => Reason::Interest,
        "cash" => Reason::Cash,
        "not listed" => Reason::NotListed,
        asset @ ("derivative" | "crypto") => Reason::unsupported_asset(asset),
        "fee" => Reason::AccountFee,
        _ => return Meaning::Unknown,
    })
}

fn of_corporate_action(kind: &str) -> Meaning {
    match CORPORATE_ACTIONS.meaning(kind) {
        Some("split") => Meaning::Split,
        Some("counted elsewhere") => Meaning::Skip(Reason::CountedElsewhere),
        Some("reinvestment") => Meaning::Reinvestment,
        Some("exchanged") => Meaning::Exchanged,
        _ => Meaning::Unknown,
    }
}
