//! The words in Schwab's column Action.

use crate::reading::Words;
use crate::us_history::Action;

static CASH: Words = Words::new(include_str!("cash.txt"));

pub fn action_of(action: &str) -> Action {
    let words = action.to_lowercase();
    let plain = words.strip_prefix("pr yr ").unwrap_or(&words);
    let has = |part: &str| plain.contains(part);
    let word = |start: &str| plain.split([' ', '-', '/']).any(|word| word.starts_with(start));
    match plain {
        "buy" | "reinvest shares" => Action::Buy,
        "sell" => Action::Sell,
        "cancel buy" => Action::CancelBuy,
        "cancel sell" => Action::CancelSell,
        "sell short" | "short sale" | "buy to cover" | "cover short" | "short cover" => Action::Short,
        "expired" | "assigned" | "exercised" | "exchange or exercise" => Action::Option,
        _ if has("to open") || has("to close") || has("options") => Action::Option,
        "adr mgmt fee" | "adr fee" | "adr mgmt fee adj" => Action::Fee,
        "stock split" | "stock split adj" | "stock dividend" | "stock div dist" | "forward split" => Action::Split,
        "reverse split" | "rev split" => Action::ReverseSplit,
        "cash in lieu" => Action::CashInLieu,
        "litigation" => Action::Cash,
        // Rights that came with the shares and were never booked: nothing is given up for this cash.
        "unissued rights redemption" => Action::Dividend(Some("redemption of rights that came with the shares")),
        _ if has("redemption") || has("cash merger") || has("stock merger") && has("cash") || has("tender") => Action::Payout,
        _ if has("merger") || has("spin-off") || has("spinoff") || has("reorg") || has("name change") => Action::Move,
        "journal" | "journaled shares" | "security transfer" | "internal transfer" | "stock plan activity" => Action::Move,
        "mandatory exchange" | "voluntary exchange" | "stock exchange" | "symbol change" | "cusip change" => Action::Move,
        _ if has("interest") => Action::Cash,
        _ if word("tax") || word("withh") => Action::Tax,
        _ if has("return of cap") || has("ret cap") => Action::ReturnOfCapital,
        _ if has("long term cap gain") => Action::Dividend(Some("distribution of long-term capital gains")),
        _ if has("short term cap gain") => Action::Dividend(Some("distribution of short-term capital gains")),
        _ if has("cap gain") => Action::Dividend(Some("distribution of capital gains")),
        _ if word("div") && has("special") => Action::Dividend(Some("special dividend")),
        _ if word("div") || word("distribution") => Action::Dividend(None),
        _ if CASH.has("cash", plain) => Action::Cash,
        _ => Action::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_actions_have_different_meanings() {
        for (words, action) in [
            ("Pr Yr Cash Div", Action::Dividend(None)),
            ("Pr Yr Special Div", Action::Dividend(Some("special dividend"))),
            ("Stock Dividend", Action::Split),
            ("Non-Qualified Div", Action::Dividend(None)),
            ("Short Term Cap Gain Reinvest", Action::Dividend(Some("distribution of short-term capital gains"))),
            ("Short Sale", Action::Short),
            ("Pr Yr NRA Tax", Action::Tax),
            ("IRS Withhold Adj", Action::Tax),
            ("Cash/Stock Merger", Action::Payout),
            ("Stock Merger", Action::Move),
            ("Mandatory Reorg Exc", Action::Move),
            ("Margin Interest", Action::Cash),
            ("ADR Mgmt Fee", Action::Fee),
            ("Service Fee", Action::Cash),
            ("Unissued Rights Redemption", Action::Dividend(Some("redemption of rights that came with the shares"))),
            ("Full Redemption", Action::Payout),
            ("Ret Cap Reinvest", Action::ReturnOfCapital),
            ("Stock Split Adj", Action::Split),
            ("Litigation", Action::Cash),
            ("Options Frwd Split", Action::Option),
            ("Sell to Close", Action::Option),
            ("Sell", Action::Sell),
            ("Selling", Action::Unknown),
        ] {
            assert_eq!(action_of(words), action, "{words}");
        }
    }
}
