//! What a row of Trade Republic's export stands for, by its category, type and class of asset.

/// Each word is Trade Republic's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Buy,
    Sell,
    /// The broker takes the shares back and pays for them.
    Redemption,
    Dividend,
    /// Shares in or out with no money: the sign tells which.
    Moved,
    /// Shares that a company hands out, or takes, in place of others.
    Exchanged,
    Split,
    /// From one depository of the broker to another.
    Migration,
    /// Shares for a dividend that stands in the file as a payment and, below zero, as its use.
    Reinvestment,
    Skip(&'static str),
    Unknown,
}

const CASH: &str = "a movement of cash";
const CARD: &str = "a card payment";
const BONUS: &str = "a bonus in cash; shares bought with it are a row of their own";
const FEE: &str = "a fee of the account, not of a trade";
const TAX: &str = "a settlement of tax with no payment behind it";
const INTEREST: &str = "interest, not a dividend";
const PRIVATE: &str = "a private market fund has no price in any market, so it is not kept in this ledger";

pub fn meaning(category: &str, kind: &str, class: &str) -> Meaning {
    match not_kept(class) {
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

/// Classes of assets that pay no dividends.
fn not_kept(class: &str) -> Option<&'static str> {
    Some(match class {
        "CRYPTO" => "crypto is not kept in this ledger",
        "BOND" => "bonds pay interest, not dividends, and are not kept in this ledger",
        "DERIVATIVE" | "WARRANT" | "CERTIFICATE" | "KNOCK_OUT" | "OPTION" | "FACTOR" | "FUTURE" | "CFD" => {
            "derivatives are not kept in this ledger"
        }
        _ if class.starts_with("PRIVATE") => PRIVATE,
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
    match kind {
        "DIVIDEND" | "DISTRIBUTION" | "DIVIDEND_EQUIVALENT_PAYMENT" | "EXCHANGE" | "EARNINGS" => Meaning::Dividend,
        "TILG" | "FINAL_MATURITY" | "EARLY_REDEMPTION" => Meaning::Redemption,
        "PRE_DETERMINED_TAX_BASE" => Meaning::Skip(super::ASSUMED_INCOME),
        "SEC_ACCOUNT" | "TAX_OPTIMIZATION" | "TAX" => Meaning::Skip(TAX),
        "INTEREST_PAYMENT" | "COUPON_PAYMENT" | "BOND_ACCRUED_INTEREST" => Meaning::Skip(INTEREST),
        "BENEFITS_SAVEBACK" | "BONUS" | "REFERRAL" | "KINDERGELD_BONUS" | "PEA_MARKETING" | "STOCKPERK" => Meaning::Skip(BONUS),
        "PRIVATE_MARKET_BUY" | "PRIVATE_MARKET_SELL" => Meaning::Skip(PRIVATE),
        "CFD_ORDER" => Meaning::Skip("derivatives are not kept in this ledger"),
        "CRYPTO_TRADING" => Meaning::Skip("crypto is not kept in this ledger"),
        "GENERAL_INBOUND" | "MANUAL" | "MANUAL_CASH_TRANSFER" | "PAYMENT" | "GIFT" => Meaning::Skip(CASH),
        // The card's own fee is the account's, too.
        _ if kind == "FEE" || kind.ends_with("_FEE") => Meaning::Skip(FEE),
        _ if kind.starts_with("CARD_") => Meaning::Skip(CARD),
        _ if ["CUSTOMER_", "TRANSFER_", "VIBAN_"].iter().any(|start| kind.starts_with(start)) => Meaning::Skip(CASH),
        _ => Meaning::Unknown,
    }
}

fn of_corporate_action(kind: &str) -> Meaning {
    match kind {
        "SPLIT" | "STOCK_SPLIT" | "REVERSE_SPLIT" => Meaning::Split,
        "REDEMPTION" | "FINAL_MATURITY" | "WARRANT_EXERCISE" => Meaning::Skip("the payment for it is a row of its own"),
        "DIVIDEND_REINVESTMENT" => Meaning::Reinvestment,
        "BONUS_ISSUE"
        | "STOCK_DIVIDEND"
        | "SPIN_OFF"
        | "SHARE_EXCHANGE"
        | "ADR_DISCONTINUATION"
        | "REORGANISATION"
        | "REORGANIZATION"
        | "MERGER"
        | "ISIN_CHANGE"
        | "EXCHANGE"
        | "DEMERGER"
        | "CAPITAL_INCREASE"
        | "SUBSCRIPTION"
        | "RIGHTS_ISSUE"
        | "TENDER_OFFER"
        | "WORTHLESS" => Meaning::Exchanged,
        _ => Meaning::Unknown,
    }
}
