//! The text in Fidelity's column Action: a verb in capitals, then the security's name.

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
    let begins = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    let has = |part: &str| text.contains(part);
    match () {
        _ if has("OPENING TRANSACTION") || has("CLOSING TRANSACTION") => Verb::Option,
        _ if begins(&["EXPIRED", "ASSIGNED", "EXERCISED"]) => Verb::Option,
        _ if has("SHORT SALE") || has("SHORT COVER") || begins(&["SHORT VS MARGIN", "DIVIDEND CHARGED"]) => Verb::Short,
        _ if begins(&["BUY CANCEL", "CANCEL BUY", "CANCELLED BUY", "YOU BOUGHT CANCEL"]) => Verb::CancelBuy,
        _ if begins(&["SELL CANCEL", "CANCEL SELL", "CANCELLED SELL", "YOU SOLD CANCEL"]) => Verb::CancelSell,
        // Notices of the exchange may come before it.
        _ if has("YOU BOUGHT") || begins(&["BOUGHT", "REINVESTMENT", "REINVEST"]) => Verb::Buy,
        _ if has("YOU SOLD") || begins(&["SOLD"]) => Verb::Sell,
        _ if begins(&["REDEMPTION FROM CORE", "PURCHASE INTO CORE", "EXCHANGED TO CORE"]) => Verb::Core,
        _ if has("PAYMENT IN LIEU") || has("IN LIEU OF DIV") || begins(&["SUBSTITUTE PAYMENT"]) => {
            Verb::Dividend(Some("payment in lieu of a dividend"))
        }
        _ if begins(&["IN LIEU", "CASH IN LIEU"]) => Verb::InLieu,
        _ if begins(&["DIVIDEND", "ADJ DIVIDEND", "PARTNERSHIP", "ROYALTY"]) => Verb::Dividend(None),
        _ if begins(&["SPECIAL DIV"]) => Verb::Dividend(Some("special dividend")),
        _ if begins(&["LONG-TERM CAP GAIN"]) => Verb::Dividend(Some("distribution of long-term capital gains")),
        _ if begins(&["SHORT-TERM CAP GAIN"]) => Verb::Dividend(Some("distribution of short-term capital gains")),
        _ if begins(&["RETURN OF CAP"]) => Verb::ReturnOfCapital,
        _ if begins(&["FOREIGN TAX", "ADJ FOREIGN TAX", "NON-RES", "ADJ NON-RES", "NRA", "TAX", "FED TAX", "BACKUP"]) => {
            Verb::Tax
        }
        _ if begins(&["DISTRIBUTION"]) && has("SPIN") => Verb::Spinoff,
        _ if begins(&["DISTRIBUTION", "STOCK SPLIT", "STOCK DIV"]) => Verb::Distribution,
        _ if begins(&["SPINOFF", "SPIN-OFF", "SPIN OFF"]) => Verb::Spinoff,
        _ if begins(&["REVERSE SPLIT"]) => Verb::ReverseSplit,
        _ if begins(&["MERGER", "NAME CHANGE", "REDEMPTION", "TENDER", "EXCHANGE", "CONVERSION", "REORG", "LIQUIDAT"]) => {
            Verb::Reorganisation
        }
        _ if begins(&["TRANSFER", "JOURNAL", "SHARES DEPOSITED", "DEPOSIT", "ROTH", "CONTRIB", "IN KIND"]) => Verb::Move,
        _ if begins(&["INTEREST", "MUNI", "MARGIN INT", "ACCRUED INT", "BOND INT"]) => Verb::Interest,
        _ if begins(&["FEE", "ADR", "FOREIGN CUSTODY", "AGENCY", "ASSET/ACCT FEE", "ADVISORY"]) => Verb::Fee,
        _ => Verb::Unknown,
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
