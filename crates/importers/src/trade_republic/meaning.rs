//! What a row of Trade Republic's export means, by its category, type and asset class.

use crate::Reason;

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
    match kind {
        "DIVIDEND" | "DISTRIBUTION" | "DIVIDEND_EQUIVALENT_PAYMENT" | "EXCHANGE" | "EARNINGS" => Meaning::Dividend,
        "TILG" | "FINAL_MATURITY" | "EARLY_REDEMPTION" => Meaning::Redemption,
        "PRE_DETERMINED_TAX_BASE" => Meaning::Skip(Reason::AssumedIncome),
        "SEC_ACCOUNT" | "TAX_OPTIMIZATION" | "TAX" => Meaning::Skip(Reason::TaxWithoutDividend),
        "INTEREST_PAYMENT" | "COUPON_PAYMENT" | "BOND_ACCRUED_INTEREST" => Meaning::Skip(Reason::Interest),
        "BENEFITS_SAVEBACK" | "BONUS" | "REFERRAL" | "KINDERGELD_BONUS" | "PEA_MARKETING" | "STOCKPERK" => {
            Meaning::Skip(Reason::Cash)
        }
        "PRIVATE_MARKET_BUY" | "PRIVATE_MARKET_SELL" => Meaning::Skip(Reason::NotListed),
        "CFD_ORDER" => Meaning::Skip(Reason::unsupported_asset("derivative")),
        "CRYPTO_TRADING" => Meaning::Skip(Reason::unsupported_asset("crypto")),
        "GENERAL_INBOUND" | "MANUAL" | "MANUAL_CASH_TRANSFER" | "PAYMENT" | "GIFT" => Meaning::Skip(Reason::Cash),
        // The card's fee also belongs to the account.
        _ if kind == "FEE" || kind.ends_with("_FEE") => Meaning::Skip(Reason::AccountFee),
        _ if kind.starts_with("CARD_") => Meaning::Skip(Reason::Cash),
        _ if ["CUSTOMER_", "TRANSFER_", "VIBAN_"].iter().any(|start| kind.starts_with(start)) => Meaning::Skip(Reason::Cash),
        _ => Meaning::Unknown,
    }
}

fn of_corporate_action(kind: &str) -> Meaning {
    match kind {
        "SPLIT" | "STOCK_SPLIT" | "REVERSE_SPLIT" => Meaning::Split,
        "REDEMPTION" | "FINAL_MATURITY" | "WARRANT_EXERCISE" => Meaning::Skip(Reason::CountedElsewhere),
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
