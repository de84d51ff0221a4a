//! XML, element by element, with the line of each. Nothing is fetched, and entities defined in the file are not expanded.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::{Problem, Reason};

const DEPTH_MAX: usize = 200;
/// Per element.
const ATTRIBUTES_MAX: usize = 1_000;

pub struct Elements<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    depth: usize,
    depth_max: usize,
    /// What follows the last returned text.
    waiting: Option<Step>,
    /// The position up to which lines are counted, and the line there.
    counted: (usize, u64),
}

pub enum Step {
    Open(Element),
    /// Text between elements, trimmed and never empty.
    Text(String),
    Close,
}

pub struct Element {
    pub name: String,
    pub line: u64,
    attributes: Vec<(String, String)>,
    /// Self-closing: no [`Step::Close`] follows.
    pub empty: bool,
}

impl Element {
    /// Trimmed; `None` if it is empty or missing.
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.trim());
        value.filter(|value| !value.is_empty())
    }

    /// All attributes as written.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<'a> Elements<'a> {
    pub fn of(text: &'a str) -> Elements<'a> {
        Elements { text, reader: Reader::from_str(text), depth: 0, depth_max: DEPTH_MAX, waiting: None, counted: (0, 1) }
    }

    /// For files whose elements are legitimately nested deeply.
    pub fn nested(self, depth_max: usize) -> Elements<'a> {
        Elements { depth_max, ..self }
    }

    /// `None` at the end of the file.
    pub fn step(&mut self) -> Result<Option<Step>, Problem> {
        if let Some(step) = self.waiting.take() {
            return Ok(Some(step));
        }
        // Text comes in pieces, separated by its entities.
        let mut text = String::new();
        loop {
            let event = self.reader.read_event();
            let line = self.line();
            let broken = |reason: Reason| Problem::new(line, reason);
            let step = match event.map_err(|error| broken(malformed(error)))? {
                Event::Start(tag) => {
                    self.depth += 1;
                    if self.depth > self.depth_max {
                        return Err(broken(Reason::XmlTooDeep { max: self.depth_max }));
                    }
                    Step::Open(element(&tag, line, false).map_err(broken)?)
                }
                Event::Empty(tag) => Step::Open(element(&tag, line, true).map_err(broken)?),
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    Step::Close
                }
                Event::Text(piece) => {
                    text.push_str(piece.as_ref());
                    continue;
                }
                Event::CData(piece) => {
                    text.push_str(piece.as_ref());
                    continue;
                }
                Event::GeneralRef(name) => {
                    let known = match name.as_ref() {
                        "amp" => Some('&'),
                        "lt" => Some('<'),
                        "gt" => Some('>'),
                        "quot" => Some('"'),
                        "apos" => Some('\''),
                        _ => name.resolve_char_ref().ok().flatten(),
                    };
                    text.push(known.ok_or_else(|| broken(Reason::XmlEntity))?);
                    continue;
                }
                Event::Eof if self.depth > 0 => return Err(broken(Reason::CutOff)),
                Event::Eof => return Ok(None),
                _ => continue,
            };
            let text = text.trim();
            if text.is_empty() {
                return Ok(Some(step));
            }
            self.waiting = Some(step);
            return Ok(Some(Step::Text(text.to_owned())));
        }
    }

    fn line(&mut self) -> u64 {
        let place = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX).min(self.text.len());
        let (from, line) = self.counted;
        if place > from {
            // The end of the element; its own line breaks come before.
            let feeds = self.text.as_bytes()[from..place].iter().filter(|byte| **byte == b'\n').count();
            self.counted = (place, line + feeds as u64);
        }
        self.counted.1
    }
}

fn element(tag: &BytesStart<'_>, line: u64, empty: bool) -> Result<Element, Reason> {
    let own_lines = tag.as_ref().matches('\n').count() as u64;
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(malformed)?;
        if attributes.len() == ATTRIBUTES_MAX {
            return Err(Reason::XmlAttributes { max: ATTRIBUTES_MAX });
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(malformed)?;
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Ok(Element { name: tag.name().as_ref().to_owned(), line: line - own_lines.min(line - 1), attributes, empty })
}

fn malformed(error: impl ToString) -> Reason {
    Reason::XmlMalformed { cause: error.to_string().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_with_their_lines_and_attributes() {
        let mut elements = Elements::of("<?xml version=\"1.0\"?>\n<a x=\"1 &amp; 2\">\n  <b\n   y='3'/>text &lt;</a>");
        let mut rendered = Vec::new();
        while let Some(step) = elements.step().unwrap() {
            rendered.push(match step {
                Step::Open(element) => format!("{} {} {:?}", element.line, element.name, element.attributes),
                Step::Text(text) => text,
                Step::Close => "end".to_owned(),
            });
        }
        assert_eq!(rendered, ["2 a [(\"x\", \"1 & 2\")]", "3 b [(\"y\", \"3\")]", "text <", "end"]);
    }

    #[test]
    fn entity_bombs_and_broken_files_are_refused() {
        let reason = |text: &str| {
            let mut elements = Elements::of(text);
            loop {
                match elements.step() {
                    Ok(Some(_)) => {}
                    Ok(None) => panic!("read to its end"),
                    Err(problem) => return problem.reason,
                }
            }
        };
        assert!(reason(&"<a>".repeat(300)) == Reason::XmlTooDeep { max: 200 });
        assert!(reason("<!DOCTYPE a [<!ENTITY b \"cc\">]><a>&b;</a>") == Reason::XmlEntity);
        assert!(reason("<a><b></b>") == Reason::CutOff);
        assert!(matches!(reason("<a></b>"), Reason::XmlMalformed { .. }));
    }
}
