//! The comment of a row: always in English with a decimal point, whatever the account's language.

use ledger::{Currency, Decimal};

use crate::Reason;
use crate::reading::{Decimals, figure};
use crate::reason::Cell;

#[derive(PartialEq, Debug)]
pub enum Comment {
    Buy(Fill),
    Sell(Fill),
    /// For a CFD: shares one owns are not sold to be bought later.
    Short,
    /// Currency and amount per share.
    PerShare(Currency, Decimal),
    /// Tax withheld, with its rate if given.
    Withheld(Option<Decimal>),
    Other,
}

#[derive(PartialEq, Debug)]
pub struct Fill {
    pub shares: Decimal,
    pub price: Decimal,
}

pub fn read(comment: &str) -> Result<Comment, Reason> {
    let words: Vec<String> = comment.split_whitespace().map(str::to_uppercase).collect();
    let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    match (word(0), word(1)) {
        ("OPEN", "BUY") => return Ok(Comment::Buy(fill(comment, &words)?)),
        ("CLOSE", "BUY") => return Ok(Comment::Sell(fill(comment, &words)?)),
        ("OPEN" | "CLOSE", "SELL") => return Ok(Comment::Short),
        _ => {}
    }
    if let Some(at) = words.iter().position(|word| word == "WHT") {
        let rate = word(at + 1).strip_suffix('%').and_then(|rate| figure("rate", rate, Decimals::Point).ok());
        return Ok(Comment::Withheld(rate));
    }
    // `FB.US USD 0.5000/ SHR`
    let per_share = words.windows(2).find_map(|pair| {
        let currency = Currency::parse(&pair[0]).ok()?;
        let amount = pair[1].split('/').next().and_then(|amount| figure("amount", amount, Decimals::Point).ok())?;
        pair[1].contains('/').then_some(Comment::PerShare(currency, amount))
    });
    Ok(per_share.filter(|_| comment.to_uppercase().contains("SHR")).unwrap_or(Comment::Other))
}

/// `OPEN BUY 34/42.5658 @ 11.7480`: 34 of the 42.5658 shares of an order, or of a position that is sold in parts.
fn fill(comment: &str, words: &[String]) -> Result<Fill, Reason> {
    let unread = || Reason::TradeUnclear(Cell::new("comment", comment));
    let part = words.get(2).and_then(|shares| shares.split('/').next()).ok_or_else(unread)?;
    let price = words.iter().skip_while(|word| *word != "@").nth(1).ok_or_else(unread)?;
    let shares = figure("shares", part, Decimals::Point).map_err(|_| unread())?;
    let price = figure("price", price, Decimals::Point).map_err(|_| unread())?;
    Ok(Fill { shares, price })
}

/// The trade date in the comment of a cost that is booked later: `FTT France adj MC.FR 20250416`.
pub fn day(comment: &str) -> Option<jiff::civil::Date> {
    let is_day = |word: &&str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_digit());
    let word = comment.split_whitespace().find(is_day)?;
    crate::reading::day("day", word, crate::reading::Order::DayFirst).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_fill_counts_the_traded_shares() {
        let fill = |shares: &str, price: &str| Fill { shares: shares.parse().unwrap(), price: price.parse().unwrap() };
        assert_eq!(read("OPEN BUY 34/42.5658 @ 11.7480"), Ok(Comment::Buy(fill("34", "11.7480"))));
        assert_eq!(read("CLOSE BUY 1 @ 26.280"), Ok(Comment::Sell(fill("1", "26.280"))));
        assert_eq!(read("OPEN SELL 1 @ 26.280"), Ok(Comment::Short));
        assert!(read("OPEN BUY @ 26.280").is_err());
        assert!(read("OPEN BUY 5").is_err());
    }

    #[test]
    fn dividends_and_their_tax_are_recognized_by_their_words() {
        assert_eq!(read("FB.US USD 0.5000/ SHR"), Ok(Comment::PerShare(Currency::parse("USD").unwrap(), Decimal::new(5_000, 4))));
        assert_eq!(read("FB.US USD WHT 15%"), Ok(Comment::Withheld(Some(Decimal::from(15)))));
        assert_eq!(read("US30.cash USD 6.5000/ Indices"), Ok(Comment::Other));
        assert_eq!(read("Profit of position #685669464"), Ok(Comment::Other));
        assert_eq!(day("FTT France adj MC.FR 20250416").map(|day| day.to_string()).as_deref(), Some("2025-04-16"));
    }
}
