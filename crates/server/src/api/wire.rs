//! Wire types shared by all answers.

use jiff::Timestamp;
use ledger::{Currency, Decimal, Money as Exact};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// Exact, never a floating-point number.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({"amount": "1234.50", "currency": "EUR"}))]
pub struct Money {
    /// Such as 18.00 or -0.4812.
    #[schema(pattern = r"^-?\d+(\.\d+)?$", example = "1234.50")]
    pub amount: String,
    /// ISO 4217 code.
    #[schema(value_type = String, pattern = "^[A-Z]{3}$", example = "EUR")]
    #[serde(serialize_with = "code")]
    pub currency: Currency,
}

fn code<S: Serializer>(currency: &Currency, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(currency.code())
}

impl Money {
    /// A sum or product: rounded once, to the currency's minor units.
    pub fn aggregate(money: Exact) -> Money {
        Money { amount: money.aggregate_text(), currency: money.currency }
    }

    /// As recorded.
    pub fn recorded(money: Exact) -> Money {
        Money { amount: money.recorded_text(), currency: money.currency }
    }

    /// A figure per share, in full precision.
    pub fn per_share(money: Exact) -> Money {
        Money { amount: money.per_share_text(), currency: money.currency }
    }
}

/// The last stored price, in the currency the stock trades in.
#[derive(Serialize, ToSchema)]
pub struct StoredPrice {
    amount: String,
    currency: String,
    #[schema(format = DateTime)]
    as_of: Option<String>,
}

impl StoredPrice {
    pub fn new(price: Exact, as_of: Option<Timestamp>) -> StoredPrice {
        StoredPrice {
            amount: price.per_share_text(),
            currency: price.currency.to_string(),
            as_of: as_of.map(|instant| instant.to_string()),
        }
    }
}

/// A rate as the nearest JSON number. Only here, after the last calculation, do rates become floats.
pub fn number(rate: Decimal) -> f64 {
    let sign = u64::from(rate.is_sign_negative()) << 63;
    f64::from_bits(sign | nearest(rate.mantissa().unsigned_abs(), 10_u128.pow(rate.scale())))
}

/// The bits of the double nearest to a fraction with a numerator and denominator of up to 96 bits, half to even.
fn nearest(above: u128, below: u128) -> u64 {
    if above == 0 {
        return 0;
    }
    // First as many bits of the quotient as a 128-bit division gives, then 32 more if these are too few.
    let mut shift = above.leading_zeros() as i32;
    let (mut quotient, mut rest) = ((above << shift) / below, (above << shift) % below);
    if quotient >> 66 == 0 {
        rest <<= 32;
        (quotient, rest, shift) = ((quotient << 32) | (rest / below), rest % below, shift + 32);
    }
    let cut = (128 - 53) - quotient.leading_zeros() as i32;
    let (kept, lost, half) = (quotient >> cut, quotient & ((1 << cut) - 1), 1_u128 << (cut - 1));
    let up = lost > half || (lost == half && (rest > 0 || kept % 2 == 1));
    // The first of the 53 bits is implicit, so it is added to the exponent; so is a carry from rounding.
    let exponent = (1023 + 52 + cut - shift - 1) as u64;
    (exponent << 52) + kept as u64 + u64::from(up)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_rate_is_the_number_nearest_to_its_digits(high: u32, middle: u32, low: u32, negative: bool, scale in 0_u32..=28) {
            let few = [(low, middle, 0), (low, 0, 0), (low % 100, 0, 0), (low & 1, 0, 0), (0, 0, low)];
            let few = few.map(|(low, middle, high)| Decimal::from_parts(low, middle, high, negative, scale));
            for rate in [Decimal::from_parts(low, middle, high, negative, scale)].into_iter().chain(few) {
                prop_assert_eq!(number(rate).to_bits(), rate.to_string().parse::<f64>().unwrap().to_bits());
            }
        }
    }
}
