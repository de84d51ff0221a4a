//! Lists a user chooses from: currencies and countries.

use messages::countries;

use crate::visit::Visitor;

pub struct Choices {
    pub currencies: &'static [&'static str],
    /// Code and name, sorted by name.
    pub countries: Vec<(&'static str, &'static str)>,
}

/// Currencies with a rate from the European Central Bank, the most common first.
pub const CURRENCIES: [&str; 31] = [
    "EUR", "USD", "GBP", "CHF", "CAD", "AUD", "JPY", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "ISK", "TRY", "BGN", "NZD",
    "SGD", "HKD", "CNY", "INR", "KRW", "ZAR", "BRL", "MXN", "ILS", "THB", "MYR", "IDR", "PHP",
];

pub fn choices(visitor: &Visitor) -> Choices {
    let codes = ledger::withholding::countries().map(|(code, _)| code);
    let mut countries: Vec<(&str, &str)> = codes.map(|code| (code, countries::name(visitor.language(), code))).collect();
    countries.sort_by_key(|(_, name)| *name);
    Choices { currencies: &CURRENCIES, countries }
}
