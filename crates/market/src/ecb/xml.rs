//! The XML form: a `Cube` with the day, and in it a `Cube` per currency.

use jiff::civil::Date;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::fields;
use crate::fault::{Detail, Fault};
use crate::provider::Rate;

pub fn read(text: &str) -> Result<Vec<Rate>, Fault> {
    let mut reader = Reader::from_str(text);
    let mut rates = Vec::new();
    // The date that applies inside each open element.
    let mut days: Vec<Option<Date>> = Vec::new();
    loop {
        let outer = days.last().copied().flatten();
        match reader.read_event().map_err(unreadable)? {
            Event::Start(tag) => days.push(cube(&tag, outer, &mut rates)?),
            Event::Empty(tag) => drop(cube(&tag, outer, &mut rates)?),
            Event::End(_) => drop(days.pop()),
            Event::Eof if days.is_empty() => return Ok(rates),
            Event::Eof => return Err(Fault::Malformed(Detail::CutOff)),
            _ => {}
        }
    }
}

/// Adds the rate of this element, if it has one, and returns the date that applies inside it.
fn cube(tag: &BytesStart<'_>, outer: Option<Date>, rates: &mut Vec<Rate>) -> Result<Option<Date>, Fault> {
    if tag.local_name().as_ref() != "Cube" {
        return Ok(outer);
    }
    let day = match attribute(tag, "time")? {
        Some(time) => Some(fields::day(&time)?),
        None => outer,
    };
    match (attribute(tag, "currency")?, attribute(tag, "rate")?) {
        (None, None) => {}
        (Some(code), Some(rate)) => {
            let date = day.ok_or_else(|| Fault::missing("time", &code))?;
            if let Some(currency) = fields::currency(&code) {
                rates.extend(fields::rate(&rate)?.map(|rate| Rate { currency, date, rate }));
            }
        }
        (Some(code), None) => return Err(Fault::missing("rate", code)),
        (None, Some(rate)) => return Err(Fault::missing("currency", rate)),
    }
    Ok(day)
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, Fault> {
    let Some(attribute) = tag.try_get_attribute(name).map_err(unreadable)? else { return Ok(None) };
    Ok(Some(attribute.normalized_value(XmlVersion::Implicit1_0).map_err(unreadable)?.trim().to_owned()))
}

fn unreadable(error: impl std::fmt::Display) -> Fault {
    Fault::unparsable(error, "")
}
