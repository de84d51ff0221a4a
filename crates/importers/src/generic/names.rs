//! What column titles mean, in many languages.

use ledger::{Currency, QuoteUnit};

use super::field::Field;
use crate::reading::{Words, without_accent};

static COLUMNS: Words = Words::new(include_str!("columns.txt"));

/// Lowercase, without accents, punctuation and double spaces: `Ex-Date` and `EX DATE` are the same.
pub fn plain(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for letter in name.chars().flat_map(char::to_lowercase) {
        // Fingerprints of stored mappings have these as they are.
        let known = without_accent(letter).filter(|_| !"ďőœťűÿ".contains(letter) && letter.is_alphabetic());
        match known.filter(|letters| !letters.is_empty()) {
            Some(letters) => folded.push_str(letters),
            None => folded.push(if letter.is_alphanumeric() { letter } else { ' ' }),
        }
    }
    match folded.split_whitespace().collect::<Vec<_>>().join(" ") {
        // Nothing but punctuation: that is the name, such as `#`.
        empty if empty.is_empty() => name.trim().to_lowercase(),
        folded => folded,
    }
}

/// A title without the currency at its end, and that currency: `Price (EUR)`, `Betrag in EUR`.
pub fn without_currency(name: &str) -> (String, Option<Currency>) {
    let bare = name.trim_end_matches([')', ']']);
    let start = bare.rfind(|letter: char| !letter.is_alphabetic() && letter != '€' && letter != '£').map_or(0, |at| at + 1);
    let unit = match bare.get(start..) {
        Some("€") => Currency::parse("EUR").ok(),
        Some("£") => Currency::parse("GBP").ok(),
        // With pence, every figure would be ambiguous; the user has to map such a column.
        Some(code) => QuoteUnit::parse(code).ok().filter(|unit| unit.name() == code).map(|unit| unit.currency),
        None => None,
    };
    match (unit.filter(|_| start > 0), bare.get(..start)) {
        (Some(currency), Some(rest)) if bare.get(start..) == Some(currency.code()) || bare.ends_with(['€', '£']) => {
            let rest = plain(rest);
            (rest.strip_suffix(" in").unwrap_or(&rest).to_owned(), Some(currency))
        }
        _ => (plain(name), None),
    }
}

/// How well a title fits a field, 0 being the best; `None` if it does not. The direction of a rate is never stated; the user may
/// map the column.
pub fn fits(field: Field, name: &str) -> Option<usize> {
    if field == Field::FxRate { None } else { position(field.word(), name) }
}

fn position(meaning: &str, name: &str) -> Option<usize> {
    COLUMNS.words_for(meaning).iter().position(|known| *known == name)
}

/// `TransactionDate` as two words.
pub fn parted(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for letter in name.chars() {
        if before.is_lowercase() && letter.is_uppercase() {
            text.push(' ');
        }
        text.push(letter);
        before = letter;
    }
    text
}

/// Whether a currency column is that of a cost or of the account, by its title: `Brokerage Currency`.
pub fn is_about_costs(name: &str) -> bool {
    name.split(' ').any(|word| COLUMNS.words_for("cost currency").contains(&word))
}

/// Money, but the title does not say whether before or after fees and tax.
pub fn is_money(name: &str) -> Option<usize> {
    position("money", name)
}

/// Whether the title is about dividends, so that its table needs no type, or about purchases: `Kaufkurs`, `Purchase Date`.
pub fn is_about(what: &str, name: &str) -> bool {
    COLUMNS.words_for(what).iter().any(|word| name.split(' ').any(|part| part.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_name_is_compared_by_its_plain_letters() {
        assert_eq!(plain(" Ex-Date "), "ex date");
        assert_eq!(plain("Stück"), "stuck");
        assert_eq!(plain("Prix\n unitaire"), "prix unitaire");
        assert_eq!(plain("#"), "#");
    }

    #[test]
    fn a_currency_at_the_end_of_a_column_name_is_split_off() {
        let split = |name| {
            let (name, currency) = without_currency(name);
            format!("{name} {}", currency.map_or("-".to_owned(), |currency| currency.to_string()))
        };
        assert_eq!(split("Price (EUR)"), "price EUR");
        assert_eq!(split("Betrag in EUR"), "betrag EUR");
        assert_eq!(split("Amount USD"), "amount USD");
        assert_eq!(split("Total [€]"), "total EUR");
        assert_eq!(split("Price (GBX)"), "price gbx -");
        assert_eq!(split("ALL"), "all -");
        assert_eq!(split("Trade Date"), "trade date -");
    }
}
