//! Descriptions of rows: `Bought 1,550 Foo ETF (FOO)`, `DIV: FOO.XLON.GB @ GBP 0.12`.

use ledger::{Decimal, Kind, QuoteUnit};

use crate::reading::{Decimals, fields, figure, suffix_of_mic};
use crate::{Reason, Record};

pub enum Details<'a> {
    Trade { kind: Kind, shares: Decimal, instrument: Instrument },
    Dividend { instrument: Instrument, per_share: Option<(Decimal, QuoteUnit)> },
    DealingFee { kind: Kind, name: &'a str },
    Reversal(&'a str),
    Other,
}

#[derive(Default, Clone, PartialEq, Debug)]
pub struct Instrument {
    pub ticker: Option<String>,
    pub suffix: Option<&'static str>,
    pub isin: Option<String>,
    pub name: Option<String>,
}

impl Instrument {
    /// `Foo ETF Distributing (FOO)`; funds have no ticker.
    pub fn named(text: &str) -> Instrument {
        let (name, ticker) = match text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
            Some((name, ticker)) if is_ticker(ticker) => (name, Some(ticker)),
            _ => (text, None),
        };
        // Vanguard only trades in London.
        let suffix = ticker.map(|_| ".L");
        Instrument { ticker: ticker.map(str::to_owned), suffix, isin: None, name: fields::short(&name.replace('–', "-")) }
    }

    /// `FOO.XLON.GB`
    fn listed(text: &str) -> Instrument {
        let mut parts = text.split('.');
        let first = parts.next().unwrap_or(text).trim();
        let suffix = parts.next().and_then(suffix_of_mic);
        match fields::isin("isin", first) {
            Ok(isin) => Instrument { isin: Some(isin), ..Instrument::default() },
            Err(_) => Instrument { ticker: fields::short(first), suffix, ..Instrument::default() },
        }
    }

    pub fn identify(self, record: Record) -> Record {
        Record { ticker: self.ticker, suffix: self.suffix, isin: self.isin, name: self.name, ..record }
    }
}

fn is_ticker(text: &str) -> bool {
    (2..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

impl<'a> Details<'a> {
    pub fn read(text: &'a str) -> Result<Details<'a>, Reason> {
        let after = |start: &str| {
            let same = text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start));
            if same { text.get(start.len()..).map(str::trim) } else { None }
        };
        if let Some(rest) = after("Reversal of ") {
            return Ok(Details::Reversal(rest));
        }
        for (word, kind) in [("Bought ", Kind::Buy), ("Sold ", Kind::Sell)] {
            if let Some(rest) = after(word) {
                return trade(rest, kind);
            }
        }
        for (words, kind) in [("ETF dealing fee (buy)", Kind::Buy), ("ETF dealing fee (sell)", Kind::Sell)] {
            if let Some(name) = after(words) {
                return Ok(Details::DealingFee { kind, name });
            }
        }
        after("DIV:").map_or(Ok(Details::Other), dividend)
    }
}

fn trade(rest: &str, kind: Kind) -> Result<Details<'static>, Reason> {
    let (shares, name) = rest.split_once(' ').ok_or_else(|| unsupported(rest))?;
    let shares = figure("shares", shares, Decimals::Point)?;
    Ok(Details::Trade { kind, shares, instrument: Instrument::named(name.trim()) })
}

fn dividend(rest: &str) -> Result<Details<'static>, Reason> {
    let (listed, rate) = rest.split_once('@').unwrap_or((rest, ""));
    let instrument = Instrument::listed(listed.trim());
    let per_share = match rate.trim().split_once(' ') {
        Some((code, rate)) => {
            let unit = fields::unit("currency", code)?;
            Some((figure("dividend per share", rate, Decimals::Point)?, unit))
        }
        None => None,
    };
    Ok(Details::Dividend { instrument, per_share })
}

pub fn unsupported(text: &str) -> Reason {
    Reason::unsupported(fields::short(text).unwrap_or_default())
}

/// Whether this is Vanguard's wording.
pub fn is_ours(text: &str) -> bool {
    let text = text.to_lowercase();
    let trades = ["bought ", "sold "].iter().any(|word| text.strip_prefix(word).is_some_and(starts_with_number));
    let begins = ["div: ", "reversal of div: ", "cash account interest", "account fee for the period", "etf dealing fee"];
    trades || begins.iter().any(|start| text.starts_with(start)) || text == "deposit for investment purchases"
}

fn starts_with_number(text: &str) -> bool {
    text.trim_start_matches('.').starts_with(|letter: char| letter.is_ascii_digit())
}
