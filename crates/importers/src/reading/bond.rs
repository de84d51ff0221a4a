//! Bonds among the rows of a broker in the United States.

use ledger::Decimal;

use crate::reading::us_security;

/// A number instead of a ticker, and a text typical of bonds or a price in percent of the face value.
pub fn is_bond(symbol: &str, text: &str, [shares, price, amount]: [Option<Decimal>; 3]) -> bool {
    if !us_security::is_number(symbol) {
        return false;
    }
    let text = text.to_uppercase();
    let named = [" DUE ", "%", "TREAS", " BOND", " BDS", " NOTE", " BILL", " MUNI"].iter().any(|word| text.contains(word));
    named || in_per_cent(shares, price, amount).unwrap_or(false)
}

fn in_per_cent(shares: Option<Decimal>, price: Option<Decimal>, amount: Option<Decimal>) -> Option<bool> {
    let product = shares?.abs().checked_mul(price?)?;
    let paid = amount?.abs().checked_mul(Decimal::ONE_HUNDRED)?;
    // Accrued interest and fees are part of what was paid.
    let apart = product.checked_sub(paid)?.abs();
    Some(!product.is_zero() && apart <= product.checked_mul(Decimal::new(1, 1))?)
}
