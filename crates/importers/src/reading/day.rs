//! Dates as brokers write them.

use std::borrow::Cow;

use jiff::civil::{Date, Time};

use crate::Reason;
use crate::reason::Cell;

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

/// The date; a time after it is ignored.
pub fn day(name: &str, text: &str, order: Order) -> Result<Date, Reason> {
    moment(name, text, order).map(|(day, _)| day)
}

/// The date, and the time if there is one: both as written, in any time zone.
pub fn moment(name: &str, text: &str, order: Order) -> Result<(Date, Option<Time>), Reason> {
    let text = text.trim();
    let read = || -> Option<(Date, Option<Time>)> {
        if let Some(day) = iso(text) {
            return Some((day, time(&text[10..])));
        }
        let (day, rest) = parts(text)?;
        let date = numbers(&day, order).or_else(|| words(&day))?;
        Some((date, time(rest)))
    };
    read().filter(|(date, _)| (1900..=2200).contains(&date.year())).ok_or_else(|| Reason::NotADate(Cell::new(name, text)))
}

/// `2024-01-02` at the start, the most common format, on a fast path.
fn iso(text: &str) -> Option<Date> {
    let Some((&[c, cc, y, yy, b'-', m, mm, b'-', d, dd], rest)) = text.as_bytes().split_first_chunk() else { return None };
    let alone = matches!(rest.first(), None | Some(b' ' | b',' | b';' | b'T'));
    let year = i16::from(two(c, cc)?) * 100 + i16::from(two(y, yy)?);
    Date::new(year, two(m, mm)?, two(d, dd)?).ok().filter(|_| alone)
}

fn two(tens: u8, ones: u8) -> Option<i8> {
    let digit = |byte: u8| char::from(byte).to_digit(10);
    i8::try_from(digit(tens)? * 10 + digit(ones)?).ok()
}

/// The part with the date, and what follows it.
fn parts(text: &str) -> Option<(Cow<'_, str>, &str)> {
    // Eight digits, or twelve or fourteen with hours and minutes.
    if matches!(text.bytes().take_while(u8::is_ascii_digit).count(), 8 | 12 | 14) {
        return Some((format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..8]).into(), &text[8..]));
    }
    let has_words = text.chars().take(8).any(|letter| letter.is_alphabetic() && letter != 'T');
    let end = match has_words {
        true => end_of_words(text)?,
        false => text.find([' ', ',', ';', 'T']).unwrap_or(text.len()),
    };
    Some((text[..end].into(), &text[end..]))
}

/// The end of a date with a month name: after its year, or after its day if the year comes first.
fn end_of_words(text: &str) -> Option<usize> {
    let mut numbers = 0;
    let mut inside = false;
    for (at, letter) in text.char_indices() {
        match (inside, letter.is_ascii_digit()) {
            (false, true) => {
                inside = true;
                numbers += 1;
            }
            (true, false) => {
                inside = false;
                if numbers == 2 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    (numbers == 2).then_some(text.len())
}

fn numbers(text: &str, order: Order) -> Option<Date> {
    let separator = text.chars().find(|letter| !letter.is_ascii_digit())?;
    if !matches!(separator, '-' | '/' | '.') {
        return None;
    }
    let mut parts = text.split(separator);
    let (Some(first), Some(second), Some(third), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return None;
    };
    if [first, second, third]
        .iter()
        .any(|part| part.is_empty() || part.len() > 4 || !part.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return None;
    }
    if first.len() == 4 {
        return date(first, second.parse().ok()?, third.parse().ok()?);
    }
    let (day, month) = match (separator, order) {
        ('/' | '-', Order::MonthFirst) => (second, first),
        _ => (first, second),
    };
    date(third, month.parse().ok()?, day.parse().ok()?)
}

/// `02-Jan-2024`, `2 January 2024`, `Jan 2, 2024`, in the languages of brokers.
fn words(text: &str) -> Option<Date> {
    let parts: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let month = parts.iter().find_map(|part| month(part))?;
    let numbers: Vec<&&str> = parts.iter().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit())).collect();
    let [first, second] = numbers.as_slice() else { return None };
    match first.len() {
        4 => date(first, month, second.parse().ok()?),
        _ => date(second, month, first.parse().ok()?),
    }
}

fn date(year: &str, month: i8, day: i8) -> Option<Date> {
    let year: i16 = match year.len() {
        4 => year.parse().ok()?,
        2 => year.parse::<i16>().ok().map(|year| if year < 70 { 2000 + year } else { 1900 + year })?,
        _ => return None,
    };
    Date::new(year, month, day).ok()
}

fn month(name: &str) -> Option<i8> {
    let name = name.to_lowercase();
    let at = MONTHS.iter().position(|starts| starts.split(' ').any(|start| name.starts_with(start)))?;
    i8::try_from(at + 1).ok()
}

/// The beginnings of month names in English, German, Dutch, French, Spanish, Italian and Portuguese.
const MONTHS: [&str; 12] = [
    "jan ene gen jän",
    "feb fév fev",
    "mar mär mrt maa",
    "apr avr abr",
    "may mai mei mag",
    "jun juin giu",
    "jul juil lug",
    "aug aoû aou ago",
    "sep set",
    "oct okt ott out",
    "nov",
    "dec dez déc dic",
];

fn time(rest: &str) -> Option<Time> {
    let rest = rest.trim_start_matches([' ', ',', ';', 'T', ':']).trim();
    if rest.bytes().take_while(u8::is_ascii_digit).count() == 6 {
        return Time::new(rest[..2].parse().ok()?, rest[2..4].parse().ok()?, rest[4..6].parse().ok()?, 0).ok();
    }
    if let Some(time) = to_the_second(rest) {
        return Some(time);
    }
    let clock = rest.split(|letter: char| !letter.is_ascii_digit() && letter != ':').next()?;
    let mut numbers = clock.split(':').map(|part| part.parse::<i8>().ok());
    let (hour, minute) = (numbers.next()??, numbers.next()??);
    let second = numbers.next().flatten().unwrap_or(0);
    let ends_with = |half: &[u8]| rest.as_bytes().last_chunk::<2>().is_some_and(|last| last.eq_ignore_ascii_case(half));
    let hour = match (ends_with(b"PM"), ends_with(b"AM"), hour) {
        (true, _, 1..=11) => hour + 12,
        (_, true, 12) => 0,
        _ => hour,
    };
    Time::new(hour, minute, second, 0).ok()
}

/// `10:20:30` and nothing else.
fn to_the_second(clock: &str) -> Option<Time> {
    let [h, hh, b':', m, mm, b':', s, ss] = *clock.as_bytes() else { return None };
    Time::new(two(h, hh)?, two(m, mm)?, two(s, ss)?, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_in_every_known_form() {
        for text in [
            "2023-05-15",
            "2023/05/15",
            "2023.05.15",
            "20230515",
            "20230515;102030",
            "2023-05-15;10:20:30",
            "2023-05-15, 10:20:30",
            "2023-05-15T10:20:30Z",
            "2023-05-15T10:20:30.123+02:00",
            "2023-05-15 10:20:30.123",
            "20230515102030",
            "20230515102030.000[-5:EST]",
            "15-05-2023",
            "15.05.2023 10:20:30",
            "15/05/2023 10:20",
            "15/05/23",
            "15-May-2023",
            "15 Mai 2023",
            "15. Mai 2023",
            "15 mei 2023 10:20",
            "May 15, 2023",
            "May 15 2023 10:20 AM",
            "Mon May 15 2023",
            "2023 May 15",
        ] {
            let read = day("date", text, Order::DayFirst).map(|day| day.to_string());
            assert_eq!(read.as_deref(), Ok("2023-05-15"), "{text}");
        }
        assert_eq!(day("date", "05/15/2023 as of 05/12/2023", Order::MonthFirst).unwrap().to_string(), "2023-05-15");
        assert_eq!(day("date", "5/6/2023", Order::MonthFirst).unwrap().to_string(), "2023-05-06");
        assert_eq!(day("date", "5/6/2023", Order::DayFirst).unwrap().to_string(), "2023-06-05");
    }

    #[test]
    fn the_time_after_a_date_is_read_if_present() {
        let time = |text| moment("date", text, Order::DayFirst).unwrap().1.map(|time| time.to_string());
        assert_eq!(time("20230515;102030").as_deref(), Some("10:20:30"));
        assert_eq!(time("2023-05-15T10:20:30.123Z").as_deref(), Some("10:20:30"));
        assert_eq!(time("2023-05-15 01:20:30 PM").as_deref(), Some("13:20:30"));
        assert_eq!(time("2023-05-15 12:00:00 AM").as_deref(), Some("00:00:00"));
        assert_eq!(time("15/05/2023 09:05").as_deref(), Some("09:05:00"));
        assert_eq!(time("2023-05-15 10:20:PM").as_deref(), Some("22:20:00"));
        assert_eq!(time("2023-05-15 10:20:3").as_deref(), Some("10:20:03"));
        assert_eq!(time("2023-05-15 24:00:00"), None);
        assert_eq!(time("2023-05-15"), None);
    }

    #[test]
    fn an_invalid_date_is_refused() {
        for text in [
            "",
            "2023-02-29",
            "31/04/2023",
            "13/13/2023",
            "yesterday",
            "1.5",
            "2023",
            "123456789",
            "99999999",
            "1/2/3",
            "0023-01-01",
            "2023-05-1x",
            "2023-05-15x",
            "2023-05-é",
        ] {
            assert!(day("date", text, Order::DayFirst).is_err(), "{text}");
        }
    }

    #[test]
    fn one_day_above_twelve_shows_the_date_order() {
        assert_eq!(Order::sniffed(["3/4/2024", "25/4/2024"].into_iter()), Order::DayFirst);
        assert_eq!(Order::sniffed(["3/4/2024", "4/25/2024", "2024-01-31", "soon"].into_iter()), Order::MonthFirst);
    }
}
