//! Trades described in a sentence: `Buy 3 @ 134.85 USD`, `STOCK SPLIT: Koop 10 @ 60 EUR`, `Achat 6 QT GROUP@79,96 EUR
//! (FI4000198031)`.

use ledger::{Currency, Decimal};

use crate::Reason;
use crate::reading::{Decimals, Words, figure, folded};

static SIDES: Words = Words::new(include_str!("sides.txt"));

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Buy,
    Sell,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TradeText {
    /// The text before the colon; empty for a plain trade.
    pub action: String,
    /// Folded; empty if only the sign of the amount shows the direction.
    pub verb: String,
    pub isin: Option<String>,
    /// All ways to read the number of shares: the name that follows may also begin with a number.
    shares: Vec<String>,
    price: String,
    unit: String,
}

/// The figures of a sentence, in whole currency units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figures {
    pub shares: Decimal,
    pub price: Decimal,
    pub currency: Currency,
}

impl TradeText {
    pub fn read(text: &str) -> Option<TradeText> {
        let (left, right) = text.rsplit_once('@').or_else(|| text.rsplit_once(" zu je "))?;
        let mut words = right.split_whitespace().peekable();
        let mut price = String::new();
        while let Some(word) = words.next_if(|word| word.starts_with(|first: char| first.is_ascii_digit())) {
            price.push_str(word);
        }
        let unit = words.next()?.to_owned();
        let isin = words.next().map(|word| word.trim_matches(['(', ')']).to_owned());
        let (action, verb, shares) = verb_and_shares("", left)
            .or_else(|| left.split_once(':').and_then(|(action, rest)| verb_and_shares(action.trim(), rest)))?;
        (!price.is_empty()).then_some(TradeText { action, verb, isin, shares, price, unit })
    }

    pub fn side(&self) -> Option<Side> {
        SIDES.meaning(&self.verb).map(|side| if side == "buy" { Side::Buy } else { Side::Sell })
    }

    /// The figures, read in the way that gives the total if it is known; else as `style` says.
    pub fn figures(&self, style: Decimals, total: Option<Decimal>) -> Result<Figures, Reason> {
        let unit = super::fields::unit("currency", &self.unit)?;
        let other = if style == Decimals::Point { Decimals::Comma } else { Decimals::Point };
        let mut first = None;
        for shares in &self.shares {
            for style in [style, other] {
                let read = || -> Result<Figures, Reason> {
                    let price = unit.normalise(figure("price", &self.price, style)?);
                    Ok(Figures { shares: figure("shares", shares, style)?, price, currency: unit.currency })
                };
                match read() {
                    Ok(figures) if total.is_none_or(|total| figures.times(total) == Some(Decimal::ONE)) => return Ok(figures),
                    read => first = first.or(Some(read)),
                }
            }
        }
        first.unwrap_or_else(|| Err(Reason::missing("number of shares")))
    }
}

impl Figures {
    /// How many times shares × price the total is, if that is a round number: 1 for shares, 100 for options.
    pub fn times(&self, total: Decimal) -> Option<Decimal> {
        let value = self.shares.checked_mul(self.price).filter(|value| !value.is_zero())?;
        let hundredth = Decimal::new(1, 2);
        [Decimal::ONE, Decimal::ONE_HUNDRED, hundredth].into_iter().find(|times| {
            let tolerance = total.abs().saturating_mul(hundredth).max(hundredth);
            value.saturating_mul(*times).saturating_sub(total.abs()).abs() <= tolerance
        })
    }
}

fn verb_and_shares(action: &str, text: &str) -> Option<(String, String, Vec<String>)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let numeric = |word: &&str| word.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit());
    // A split in German or Spanish has no verb: `AKTIENSPLIT: 288 Tesla Inc zu je 297,0967 USD`.
    let least = usize::from(action.is_empty());
    let at = words.iter().position(numeric).filter(|at| (least..=3).contains(at))?;
    let verb = folded(&words[..at].join(" "));
    if verb.contains(':') {
        return None;
    }
    // `1 046,3825` is one number with a thousands separator, and `1 888 HOLDINGS` is one share of a company.
    let mut joined = words[at].trim_start_matches('-').to_owned();
    let mut end = at + 1;
    while words.get(end).is_some_and(|word| continues(&joined, word)) {
        joined.push_str(words[end]);
        end += 1;
    }
    let named = end < words.len();
    let mut shares = vec![joined];
    if end > at + 1 && named {
        shares.insert(0, words[at].trim_start_matches('-').to_owned());
    } else if end > at + 1 {
        shares.push(words[at].trim_start_matches('-').to_owned());
    }
    Some((action.to_owned(), verb, shares))
}

fn continues(number: &str, word: &str) -> bool {
    let whole = word.split([',', '.']).next().unwrap_or_default();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = word.get(whole.len() + 1..).unwrap_or_default();
    digits(number) && number.len() <= 9 && whole.len() == 3 && digits(whole) && digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, style: Decimals, total: Option<&str>) -> String {
        let trade = TradeText::read(text).unwrap();
        let figures = trade.figures(style, total.map(|total| total.parse().unwrap())).unwrap();
        format!("{:?} {} {} {} {}", trade.side(), trade.action, figures.shares, figures.price, figures.currency)
    }

    #[test]
    fn a_trade_text_holds_side_shares_and_price() {
        assert_eq!(read("Koop 1 @ 33,9 USD", Decimals::Comma, Some("33.90")), "Some(Buy)  1 33.9 USD");
        assert_eq!(read("Sell 4 AVIVA@496 GBX (GB00BPQY8M80)", Decimals::Point, Some("19.84")), "Some(Sell)  4 4.96 GBP");
        assert_eq!(read("STOCK SPLIT: Verkoop 150 @ 4 EUR", Decimals::Comma, None), "Some(Sell) STOCK SPLIT 150 4 EUR");
        assert_eq!(
            read("PRODUCTWIJZIGING : Koop 500 @ 0,039 EUR", Decimals::Comma, None),
            "Some(Buy) PRODUCTWIJZIGING 500 0.039 EUR"
        );
        assert_eq!(read("Vente 1 046,3825 @ 0,9854 EUR", Decimals::Comma, None), "Some(Sell)  1046.3825 0.9854 EUR");
        assert_eq!(
            read("AKTIENSPLIT: 288 Tesla Inc zu je 297,0967 USD (X)", Decimals::Comma, None),
            "None AKTIENSPLIT 288 297.0967 USD"
        );
        assert_eq!(TradeText::read("DEGIRO courtesy"), None);
        assert_eq!(TradeText::read("mail me @ home"), None);
    }

    #[test]
    fn the_total_decides_between_two_readings_of_a_trade_text() {
        // 2 × 1,154.97 = 2,309.94; 2 × 5,416 is 10.832 or 10,832.
        assert_eq!(read("Buy 2 X@1,154.97 USD", Decimals::Comma, Some("2309.94")), "Some(Buy)  2 1154.97 USD");
        assert_eq!(read("Sell 2 X@5,416 EUR", Decimals::Point, Some("10.83")), "Some(Sell)  2 5.416 EUR");
        assert_eq!(read("Sell 2 X@5,416 EUR", Decimals::Point, Some("10832.00")), "Some(Sell)  2 5416 EUR");
        // One share of 888 Holdings, and 1,888 shares of a company named Holdings.
        assert_eq!(read("Buy 1 888 HOLDINGS@120 GBX", Decimals::Point, Some("1.20")), "Some(Buy)  1 1.20 GBP");
        assert_eq!(read("Buy 1 888 HOLDINGS@120 GBX", Decimals::Point, Some("2265.60")), "Some(Buy)  1888 1.20 GBP");
    }
}
