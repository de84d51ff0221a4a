//! The text in Fidelity's column Action: a verb in capitals, then the security's name.

use crate::reading::Words;
use crate::us_history::Action;

static VERBS: Words = Words::new(include_str!("verbs.txt"));

pub fn parse(action: &str) -> Action {
    let text = action.to_uppercase();
    match VERBS.meaning_in(&text).unwrap_or_default() {
        "" => Action::Unknown,
        "distribution" if text.starts_with("DISTRIBUTION") && text.contains("SPIN") => Action::Spinoff,
        "option" => Action::Option,
        "short" => Action::Short,
        "cancel buy" => Action::CancelBuy,
        "cancel sell" => Action::CancelSell,
        "buy" => Action::Buy,
        "sell" => Action::Sell,
        "core" => Action::Core,
        "in lieu" => Action::CashInLieu,
        "return of capital" => Action::ReturnOfCapital,
        "tax" => Action::Tax,
        "distribution" => Action::Split,
        "spinoff" => Action::Spinoff,
        "reverse split" => Action::ReverseSplit,
        "reorganisation" => Action::Reorganisation,
        "move" => Action::Move,
        "interest" => Action::Interest,
        "fee" => Action::Fee,
        "dividend" => Action::Dividend(None),
        note => Action::Dividend(Some(note)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_with_the_same_beginning_have_different_meanings() {
        for (text, verb) in [
            ("YOU BOUGHT PROSPECTUS UNDER SEPARATE COVER ACME CORP", Action::Buy),
            ("YOU BOUGHT CLOSING TRANSACTION CALL (ACME)", Action::Option),
            ("YOU SOLD SHORT SALE ACME CORP", Action::Short),
            ("SHORT-TERM CAP GAIN A FUND", Action::Dividend(Some("distribution of short-term capital gains"))),
            ("IN LIEU OF FRX SHARE LEU PAYOUT", Action::CashInLieu),
            ("IN LIEU OF DIVIDEND ACME CORP", Action::Dividend(Some("payment in lieu of a dividend"))),
            ("REDEMPTION FROM CORE ACCOUNT", Action::Core),
            ("REDEMPTION PAYOUT #REOR", Action::Reorganisation),
            ("DISTRIBUTION SPINOFF FROM:(ACME )", Action::Spinoff),
            ("DISTRIBUTION ACME CORP", Action::Split),
            ("EXCHANGED TO CORE", Action::Core),
            ("EXCHANGED TO ACME CORP", Action::Reorganisation),
            ("ADJ NON-RES TAX ACME CORP", Action::Tax),
            ("ADJ FOREIGN TAX PAID", Action::Tax),
            ("DIVIDEND CHARGED ACME CORP", Action::Short),
            ("INTEREST EARNED", Action::Interest),
            ("FEE CHARGED", Action::Fee),
            ("JOURNALED ACME CORP", Action::Move),
            ("Electronic Funds Transfer Received", Action::Unknown),
        ] {
            assert_eq!(parse(text), verb, "{text}");
        }
    }
}
