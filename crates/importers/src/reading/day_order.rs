//! Dates with the year last: whether the month or the day comes first.

use super::day;

/// Which of two numbers is the day, if a date is written as numbers with the year last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    DayFirst,
    MonthFirst,
}

impl Order {
    /// The month first, as in the United States, unless one of the file's dates can only be read the other way.
    pub fn sniffed<'a>(mut days: impl Iterator<Item = &'a str>) -> Order {
        let day_first = days.any(|text| day("", text, Order::MonthFirst).is_err() && day("", text, Order::DayFirst).is_ok());
        if day_first { Order::DayFirst } else { Order::MonthFirst }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_day_above_twelve_shows_the_date_order() {
        assert_eq!(Order::sniffed(["3/4/2024", "25/4/2024"].into_iter()), Order::DayFirst);
        assert_eq!(Order::sniffed(["3/4/2024", "4/25/2024", "2024-01-31", "soon"].into_iter()), Order::MonthFirst);
    }
}
