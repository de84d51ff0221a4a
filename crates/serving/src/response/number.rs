//! Rates as JSON numbers.

use ledger::Decimal;

/// The nearest one. Only here, after the last calculation, do rates become floats.
pub fn number(rate: Decimal) -> f64 {
    let sign = u64::from(rate.is_sign_negative()) << 63;
    f64::from_bits(sign | nearest(rate.mantissa().unsigned_abs(), 10_u128.pow(rate.scale())))
}

/// As JSON.
pub fn number_text(rate: Decimal) -> String {
    serde_json::Value::from(number(rate)).to_string()
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
