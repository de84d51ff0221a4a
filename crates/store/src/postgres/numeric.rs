//! Decimals in PostgreSQL's binary format. All keep their scale, even zero: `0.00` comes back as `0.00`.

use rust_decimal::Decimal;

const NEGATIVE: u16 = 0x4000;
const DIGIT: u128 = 10_000;

/// The number of base-10000 digits, the weight of the first, the sign, the scale, then the digits.
pub(super) fn encode(decimal: Decimal) -> Vec<u8> {
    let scale = decimal.scale();
    // Each digit has four decimal places: pad the last one.
    let mut rest = decimal.mantissa().unsigned_abs() * 10_u128.pow((4 - scale % 4) % 4);
    let mut digits = Vec::with_capacity(9);
    while rest > 0 {
        digits.push((rest % DIGIT) as u16);
        rest /= DIGIT;
    }
    let weight = digits.len() as i16 - scale.div_ceil(4) as i16 - 1;
    digits.reverse();
    while digits.last() == Some(&0) {
        digits.pop();
    }
    let sign = if decimal.is_sign_negative() && !decimal.is_zero() { NEGATIVE } else { 0 };
    let head = [digits.len() as u16, if digits.is_empty() { 0 } else { weight as u16 }, sign, scale as u16];
    head.into_iter().chain(digits).flat_map(u16::to_be_bytes).collect()
}

/// `None` for NaN, or more digits than a decimal holds.
pub(super) fn decode(bytes: &[u8]) -> Option<Decimal> {
    let mut words = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    let (count, weight, sign, scale) = (words.next()?, words.next()? as i16, words.next()?, words.next()?);
    if sign & !NEGATIVE != 0 {
        return None;
    }
    let mut mantissa: u128 = 0;
    for _ in 0..count {
        mantissa = mantissa.checked_mul(DIGIT)?.checked_add(u128::from(words.next()?))?;
    }
    let shift = 4 * (i32::from(weight) - i32::from(count) + 1) + i32::from(scale);
    let power = 10_u128.checked_pow(shift.unsigned_abs())?;
    let mantissa = match shift {
        _ if mantissa == 0 => 0,
        0.. => mantissa.checked_mul(power)?,
        // Beyond the scale there are only the zeros that pad the last digit.
        _ => Some(mantissa / power).filter(|_| mantissa.is_multiple_of(power))?,
    };
    let mantissa = i128::try_from(mantissa).ok()?;
    Decimal::try_from_i128_with_scale(if sign == NEGATIVE { -mantissa } else { mantissa }, scale.into()).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_numeric_is_encoded_as_in_the_protocol() {
        // 3950.123456 is 3950 · 10000^0 + 1234 / 10000 + 5600 / 10000^2, with six decimals.
        let words: Vec<u16> = vec![3, 0, 0, 6, 3950, 1234, 5600];
        let bytes: Vec<u8> = words.into_iter().flat_map(u16::to_be_bytes).collect();
        assert_eq!(encode("3950.123456".parse().unwrap()), bytes);
        // -0.0001 is 1 / 10000: the first digit is one place after the point.
        assert_eq!(encode("-0.0001".parse().unwrap()), [0, 1, 0xff, 0xff, 0x40, 0, 0, 4, 0, 1]);
        assert_eq!(decode(&[0, 0, 0, 0, 0xc0, 0, 0, 0]), None, "not a number");
    }

    #[test]
    fn a_numeric_keeps_its_scale() {
        let cases = ["0", "0.00", "18.00", "-18.00", "1", "10000", "100000000.0", "0.0000000000000000000000000001"];
        for text in cases.into_iter().chain(["79228162514264337593543950335", "-7.9228162514264337593543950335", "0.50000"]) {
            let decimal = Decimal::from_str_exact(text).unwrap();
            assert_eq!(decode(&encode(decimal)).map(|back| back.to_string()), Some(text.to_owned()));
        }
    }

    proptest! {
        #[test]
        fn any_decimal_is_decoded_as_it_was_encoded(low: u32, mid: u32, high: u32, negative: bool, scale in 0_u32..=28) {
            let mut decimal = Decimal::from_parts(low, mid, high, negative, scale);
            if decimal.is_zero() {
                decimal.set_sign_positive(true);
            }
            prop_assert_eq!(decode(&encode(decimal)).map(|back| back.to_string()), Some(decimal.to_string()));
        }
    }
}
