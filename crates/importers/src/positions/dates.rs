//! The date of a list, in a text above or below it: `Positions as of 2024/06/28`.

use jiff::civil::Date;

use crate::reading::{Order, day};

/// The only date in the texts; none if they have several, or one that can be read in two ways.
pub fn of_texts<'a>(texts: impl Iterator<Item = &'a str>, order: Option<Order>) -> Option<Date> {
    let words = texts.flat_map(|text| text.split([' ', ',', ';', '(', ')']));
    let mut found: Vec<Option<Date>> = words.filter_map(|word| of_word(word, order)).collect();
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [only] => *only,
        _ => None,
    }
}

/// The inner `None` is a date that can be read in two ways.
fn of_word(word: &str, order: Option<Order>) -> Option<Option<Date>> {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let has_parts = word.split(['-', '/', '.']).count() == 3;
    let read = |order| day("date", word, order).ok().filter(|_| has_parts);
    let orders = order.map_or([Order::DayFirst, Order::MonthFirst], |order| [order, order]);
    match orders.map(read) {
        [Some(one), Some(other)] => Some((one == other).then_some(one)),
        [one, other] => one.or(other).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_of_a_list_is_found_unless_it_is_unclear() {
        let found = |text: &str, order| of_texts(std::iter::once(text), order).map(|date| date.to_string());
        assert_eq!(found("Positions for account XXXX-0001 as of 09:26 PM ET, 2024/06/28", None).as_deref(), Some("2024-06-28"));
        assert_eq!(found("Date downloaded Jun-28-2024 4:05 p.m ET", None).as_deref(), Some("2024-06-28"));
        assert_eq!(found("Depot, Stand 28.06.2024", None).as_deref(), Some("2024-06-28"));
        assert_eq!(found("As of 05/06/2024", None), None);
        assert_eq!(found("As of 05/06/2024", Some(Order::MonthFirst)).as_deref(), Some("2024-05-06"));
        assert_eq!(found("From 2024-01-01 to 2024-06-28", None), None);
        assert_eq!(found("12.50 of 3 in 2024", None), None);
    }
}
