//! What a booking is: DEGIRO describes it in a sentence, in the language of the account.

use super::entries::Entry;
use crate::Reason;
use crate::reading::trade_text::TradeText;
use crate::reading::{Words, folded};

static BOOKINGS: Words = Words::new(include_str!("bookings.txt"));
static ACTIONS: Words = Words::new(include_str!("actions.txt"));

/// The funds that cash was kept in, and the bank account that replaced them.
const CASH_FUNDS: &[&str] = &["NLFLATEXACNT", "NL0010661914", "NL0010661930", "NL0010661922", "LU1959429272", "LU1959430106"];

#[derive(Debug)]
pub enum Sort {
    Trade(TradeText),
    Action(Action, TradeText),
    Dividend,
    /// A fund's distribution of gains.
    Gain,
    Tax,
    Capital,
    /// A cost or tax of a trade.
    Cost,
    /// One side of a currency exchange.
    Exchange,
    Aside(Reason),
    Unknown,
}

/// Corporate actions that are booked as a sale and a purchase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    Split,
    /// A change of ISIN or product.
    Change,
    SpinOff,
    /// A merger of companies: shares for shares, or for cash.
    Merger,
    Other,
}

pub fn classify(entry: &Entry) -> Sort {
    let text = folded(&entry.description);
    if CASH_FUNDS.contains(&entry.isin.as_str()) || folded(&entry.product).contains("cash fund") {
        return Sort::Aside(Reason::MoneyMarket);
    }
    if entry.isin.is_empty() && is_pair(&entry.product) {
        return Sort::Exchange;
    }
    let has_side = |trade: &TradeText| trade.side().is_some() || trade.verb.is_empty();
    if let Some(trade) = TradeText::read(&entry.description).filter(has_side) {
        return match action(&folded(&trade.action)) {
            Err(reason) => Sort::Aside(reason),
            Ok(None) => Sort::Trade(trade),
            Ok(Some(action)) => Sort::Action(action, trade),
        };
    }
    match BOOKINGS.meaning_in(&text) {
        Some("money market") => Sort::Aside(Reason::MoneyMarket),
        Some("exchange") => Sort::Exchange,
        Some("tax") => Sort::Tax,
        Some("reinvested") => Sort::Aside(Reason::Reinvested),
        Some("capital") => Sort::Capital,
        Some("gain") => Sort::Gain,
        Some("dividend") => Sort::Dividend,
        Some("cost") => Sort::Cost,
        Some("settled") => Sort::Aside(Reason::CashForShares),
        Some("passed on") => Sort::Aside(Reason::AccountFee),
        Some("interest") => Sort::Aside(Reason::Interest),
        _ if text.starts_with("distribution") && !entry.isin.is_empty() => Sort::Dividend,
        Some("fee") => Sort::Aside(Reason::AccountFee),
        _ => Sort::Unknown,
    }
}

/// `EUR/CHF`
fn is_pair(product: &str) -> bool {
    let code = |text: &str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    product.split_once('/').is_some_and(|(one, other)| code(one) && code(other))
}

fn action(text: &str) -> Result<Option<Action>, Reason> {
    match ACTIONS.meaning_in(text) {
        _ if text.is_empty() => Ok(None),
        _ if BOOKINGS.has("money market", text) => Err(Reason::MoneyMarket),
        Some("currency") => Err(Reason::CurrencyExchange),
        Some("option") => Err(Reason::unsupported_asset("option")),
        Some("split") => Ok(Some(Action::Split)),
        Some("change") => Ok(Some(Action::Change)),
        Some("spin-off") => Ok(Some(Action::SpinOff)),
        Some("merger") => Ok(Some(Action::Merger)),
        _ => Ok(Some(Action::Other)),
    }
}
