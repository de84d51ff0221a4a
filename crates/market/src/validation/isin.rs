//! The check digit of an ISIN.

/// An ISIN in capitals: two letters, nine letters or digits, and a correct check digit.
pub fn isin(text: &str) -> Option<String> {
    let isin = text.trim().to_ascii_uppercase();
    let shaped = isin.len() == 12
        && isin.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && isin.bytes().take(2).all(|byte| byte.is_ascii_alphabetic())
        && isin.bytes().last().is_some_and(|byte| byte.is_ascii_digit());
    (shaped && checks(&isin)).then_some(isin)
}

/// Letters count as 10 to 35, digit by digit; every second digit from the right is doubled.
fn checks(isin: &str) -> bool {
    let values = isin.chars().filter_map(|letter| letter.to_digit(36));
    let digits: Vec<u32> = values.flat_map(|value| [value / 10, value % 10].into_iter().skip(usize::from(value < 10))).collect();
    let weighed = digits.iter().rev().enumerate().map(|(place, digit)| match place % 2 {
        0 => *digit,
        _ => digit * 2 / 10 + digit * 2 % 10,
    });
    weighed.sum::<u32>().is_multiple_of(10)
}
