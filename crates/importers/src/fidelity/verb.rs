//! The text in Fidelity's column Action: a verb in capitals, then the security's name.

use crate::reading::Words;

static VERBS: Words = Words::new(include_str!("verbs.txt"));

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    Buy,
    Sell,
    CancelBuy,
    CancelSell,
    /// With further details from the text.
    Dividend(Option<&'static str>),
    Tax,
    /// For a security it is the fee of an ADR's bank.
    Fee,
    ReturnOfCapital,
    /// Shares in addition to those held, or cash.
    Distribution,
    Spinoff,
    ReverseSplit,
    InLieu,
    /// Shares added or removed for shares of another company, or for cash.
    Reorganisation,
    /// Shares or cash moved between accounts.
    Move,
    Option,
    Short,
    Interest,
    /// The cash of the account, in a fund or at a bank.
    Core,
    Unknown,
}

pub fn parse(action: &str) -> Verb {
    let text = action.to_uppercase();
    match VERBS.meaning_in(&text).unwrap_or_default() {
        "" => Verb::Unknown,
        "distribution" if text.starts_with("DISTRIBUTION") && text.contains("SPIN") => Verb::Spinoff,
        "option" => Verb::Option,
        "short" => Verb::Short,
        "cancel buy" => Verb::CancelBuy,
        "cancel sell" => Verb::CancelSell,
        "buy" => Verb::Buy,
        "sell" => Verb::Sell,
        "core" => Verb::Core,
        "in lieu" => Verb::InLieu,
        "return of capital" => Verb::ReturnOfCapital,
        "tax" => Verb::Tax,
        "distribution" => Verb::Distribution,
        "spinoff" => Verb::Spinoff,
        "reverse split" => Verb::ReverseSplit,
        "reorganisation" => Verb::Reorganisation,
        "move" => Verb::Move,
        "interest" => Verb::Interest,
        "fee" => Verb::Fee,
        "dividend" => Verb::Dividend(None),
        note => Verb::Dividend(Some(note)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_with_the_same_beginning_have_different_meanings() {
        for (text, verb) in [
            ("YOU BOUGHT PROSPECTUS UNDER SEPARATE COVER ACME CORP", Verb::Buy),
            ("YOU BOUGHT CLOSING TRANSACTION CALL (ACME)", Verb::Option),
            ("YOU SOLD SHORT SALE ACME CORP", Verb::Short),
            ("SHORT-TERM CAP GAIN A FUND", Verb::Dividend(Some("distribution of short-term capital gains"))),
            ("IN LIEU OF FRX SHARE LEU PAYOUT", Verb::InLieu),
            ("IN LIEU OF DIVIDEND ACME CORP", Verb::Dividend(Some("payment in lieu of a dividend"))),
            ("REDEMPTION FROM CORE ACCOUNT", Verb::Core),
            ("REDEMPTION PAYOUT #REOR", Verb::Reorganisation),
            ("DISTRIBUTION SPINOFF FROM:(ACME )", Verb::Spinoff),
            ("DISTRIBUTION ACME CORP", Verb::Distribution),
            ("EXCHANGED TO CORE", Verb::Core),
            ("EXCHANGED TO ACME CORP", Verb::Reorganisation),
            ("ADJ NON-RES TAX ACME CORP", Verb::Tax),
            ("ADJ FOREIGN TAX PAID", Verb::Tax),
            ("DIVIDEND CHARGED ACME CORP", Verb::Short),
            ("INTEREST EARNED", Verb::Interest),
            ("FEE CHARGED", Verb::Fee),
            ("JOURNALED ACME CORP", Verb::Move),
            ("Electronic Funds Transfer Received", Verb::Unknown),
        ] {
            assert_eq!(parse(text), verb, "{text}");
        }
    }
}
