//! What only the description of a row contains: `VT(US9220427424) CASH DIVIDEND USD 0.6504 PER SHARE - US TAX`.

use ledger::{Decimal, QuoteUnit};

use crate::reading::{Decimals, figure};

/// The part before the event: `VT` and `US9220427424`, or a number in its place (`SMMCHA(80486947)`).
pub struct Head<'a> {
    pub symbol: &'a str,
    pub id: Option<&'a str>,
}

pub fn head(description: &str) -> Option<Head<'_>> {
    if let Some((symbol, rest)) = description.split_once('(')
        && let Some((id, _)) = rest.split_once(')')
        && (9..=12).contains(&id.len()) | is_number(id)
        && id.chars().all(|letter| letter.is_ascii_alphanumeric())
    {
        return Some(Head { symbol: symbol.trim(), id: Some(id) }).filter(|head| is_symbol(head.symbol));
    }
    let upper = description.to_ascii_uppercase();
    let end = [" CASH DIVIDEND", " PAYMENT IN LIEU", " STOCK DIVIDEND"].iter().find_map(|event| upper.find(event))?;
    let symbol = description.get(..end)?.trim();
    Some(Head { symbol, id: None }).filter(|head| is_symbol(head.symbol))
}

fn is_symbol(text: &str) -> bool {
    !text.is_empty() && text.len() <= 20 && text.split(' ').count() <= 2
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `USD 0.6504` or `0.6504 USD` after the word dividend, in whole units of its currency.
pub fn per_share(description: &str) -> Option<(QuoteUnit, Decimal)> {
    let upper = description.to_ascii_uppercase();
    let at = upper.find("DIVIDEND")?;
    // Positions are the same in both, because only ASCII letters changed.
    let rest = description.get(at..)?;
    let mut words = rest.split_whitespace().skip(1);
    let (first, second) = (words.next()?, words.next()?);
    let read = |unit: &str, rate: &str| -> Option<(QuoteUnit, Decimal)> {
        let unit = QuoteUnit::parse(unit).ok()?;
        let rate =
            rate.starts_with(|first: char| first.is_ascii_digit()).then(|| figure("rate", rate, Decimals::Point).ok())??;
        Some((unit, unit.normalise(rate).normalize()))
    };
    read(first, second).or_else(|| read(second, first))
}

/// The text in the last brackets: `Ordinary Dividend`.
pub fn bracket(description: &str) -> Option<&str> {
    let (_, inner) = description.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    Some(inner.trim()).filter(|inner| !inner.is_empty())
}

/// After the event of a corporate action: symbol, name and ISIN that the row is about.
pub fn subject(description: &str) -> Option<(&str, &str, &str)> {
    let inner = bracket_of_subject(description)?;
    let (symbol, rest) = inner.split_once(',')?;
    let (name, id) = rest.rsplit_once(',')?;
    Some((symbol.trim(), name.trim(), id.trim()))
}

/// The event without its subject: the same for all rows of one event.
pub fn event(description: &str) -> &str {
    match bracket_of_subject(description).and_then(|inner| description.rfind(inner)) {
        Some(at) => description.get(..at).unwrap_or(description).trim_end_matches(['(', ' ']),
        None => description.trim_end(),
    }
}

/// Names may contain brackets, so the last closing bracket belongs to the one where they balance.
fn bracket_of_subject(description: &str) -> Option<&str> {
    let text = description.trim_end().strip_suffix(')')?;
    let mut depth = 1;
    let open = text.char_indices().rev().find(|(_, letter)| {
        match letter {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    text.get(open.0 + 1..).filter(|inner| inner.matches(',').count() >= 2)
}

/// `SPLIT 4 FOR 1`: new shares and the old ones they replace.
pub fn split_terms(event: &str) -> Option<(Decimal, Decimal)> {
    let upper = event.to_ascii_uppercase();
    let (_, rest) = upper.split_once(" SPLIT ")?;
    let mut words = rest.split_whitespace();
    let (new, word, old) = (words.next()?, words.next()?, words.next()?);
    let side = |text: &str| figure("side", text, Decimals::Point).ok().filter(|side| *side > Decimal::ZERO);
    (word == "FOR").then_some((side(new)?, side(old)?))
}

/// At most 200 characters, none of them a control character.
pub fn plain(text: &str) -> Option<String> {
    let plain: String = text.trim().chars().filter(|letter| !letter.is_control()).take(200).collect();
    Some(plain).filter(|plain| !plain.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amount_per_share_is_before_or_after_its_currency() {
        let found = |text| per_share(text).map(|(unit, rate)| format!("{rate} {}", unit.currency));
        assert_eq!(found("VT(US9220427424) CASH DIVIDEND USD 0.6504 PER SHARE - US TAX").as_deref(), Some("0.6504 USD"));
        assert_eq!(found("ORCL(US68389X1054) CASH DIVIDEND 0.19000000 USD PER SHARE").as_deref(), Some("0.19 USD"));
        assert_eq!(found("GCM.TO CASH DIVIDEND USD 0.6900000000 - US TAX").as_deref(), Some("0.69 USD"));
        assert_eq!(found("X(KR7005930003) CASH DIVIDEND KRW 1,550 PER SHARE").as_deref(), Some("1550 KRW"));
        assert_eq!(found("X(GB0002374006) Cash Dividend GBX 55.2 per Share").as_deref(), Some("0.552 GBP"));
        assert_eq!(found("IBKR(US45841N1072) PAYMENT IN LIEU OF DIVIDEND (Ordinary Dividend)"), None);
        assert_eq!(found("VT(US9220427424) Cash Dividend - US Tax"), None);
    }

    #[test]
    fn a_description_begins_with_its_security() {
        let found = |text| head(text).map(|head| format!("{} {}", head.symbol, head.id.unwrap_or("-")));
        assert_eq!(found("BRK B(US0846707026) CASH DIVIDEND USD 1 PER SHARE").as_deref(), Some("BRK B US0846707026"));
        assert_eq!(found("SMMCHA(80486947) CASH DIVIDEND CHF 5.99").as_deref(), Some("SMMCHA 80486947"));
        assert_eq!(found("GCM.TO CASH DIVIDEND USD 0.69 - US TAX").as_deref(), Some("GCM.TO -"));
        assert_eq!(found("USD IBKR MANAGED SECURITIES (SYEP) INTEREST FOR NOV-2022"), None);
        assert_eq!(found("WITHHOLDING @ 20% ON CREDIT INT FOR FEB-2023"), None);
    }

    #[test]
    fn a_corporate_action_has_an_event_and_a_subject() {
        let text =
            "UUU.TEN2(CA91701P1TN3) MERGED(Offer)  FOR CAD 2.86 PER SHARE (UUU.TEN2, URANIUM ONE (TENDER), INC., CA91701P1TN3)";
        assert_eq!(subject(text), Some(("UUU.TEN2", "URANIUM ONE (TENDER), INC.", "CA91701P1TN3")));
        assert_eq!(event(text), "UUU.TEN2(CA91701P1TN3) MERGED(Offer)  FOR CAD 2.86 PER SHARE");
        let split = "GCM(CA38501D2041) SPLIT 1 FOR 25";
        assert_eq!(event(split), split);
        assert_eq!(split_terms(split), Some((Decimal::ONE, Decimal::from(25))));
        assert_eq!(split_terms("X(CA38501D2041) SPLIT 0 FOR 1"), None);
    }
}
