//! The tags of an OFX file in order, each with the text up to the next.

pub enum Tag {
    /// The value is empty for an aggregate.
    Open {
        name: String,
        value: String,
        line: u64,
    },
    Close {
        name: String,
    },
}

pub struct Tags<'a> {
    rest: &'a str,
    /// Of the last tag.
    pub line: u64,
}

impl<'a> Tags<'a> {
    /// From the root on: what comes before it is the header.
    pub fn of(text: &'a str) -> Tags<'a> {
        let start = root(text).unwrap_or(text.len());
        let (above, rest) = text.split_at(start);
        Tags { rest, line: 1 + feeds(above) }
    }

    pub fn step(&mut self) -> Option<Tag> {
        loop {
            let start = next_tag(self.rest)?;
            self.advance(start);
            let inside = self.rest.strip_prefix('<').unwrap_or_default();
            if let Some(end) = comment_end(inside) {
                self.advance(1 + end);
                continue;
            }
            let (name, _) = inside.split_once('>')?;
            let line = self.line;
            self.advance(name.len() + 2);
            if let Some(name) = name.strip_prefix('/') {
                return Some(Tag::Close { name: plain(name) });
            }
            if name.starts_with(['?', '!']) {
                continue;
            }
            if let Some(name) = name.strip_suffix('/') {
                // Self-closing: neither a value nor an aggregate with content.
                return Some(Tag::Close { name: plain(name) });
            }
            let value = self.value();
            return Some(Tag::Open { name: plain(name), value, line });
        }
    }

    fn value(&mut self) -> String {
        let cdata = self.rest.trim_start().strip_prefix("<![CDATA[").and_then(|inside| inside.split_once("]]>"));
        if let Some((value, _)) = cdata {
            let value = value.trim().to_owned();
            self.advance(self.rest.find("]]>").map_or(0, |at| at + 3));
            return value;
        }
        let end = next_tag(self.rest).unwrap_or(self.rest.len());
        let value = unescaped(self.rest.get(..end).unwrap_or_default().trim());
        self.advance(end);
        value
    }

    fn advance(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += feeds(passed);
        self.rest = rest;
    }
}

/// Where the root element begins.
pub fn root(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find('<').map(|at| from + at) {
        let name = text.get(at + 1..at + 4);
        if name.is_some_and(|name| name.eq_ignore_ascii_case("OFX")) && text.get(at + 4..)?.starts_with(['>', ' ', '\r', '\n']) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// A tag begins with a name: a `<` alone is part of the text before it.
fn next_tag(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let begins = |at: &usize| bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphabetic() || b"/?!".contains(next));
    text.match_indices('<').map(|(at, _)| at).find(begins)
}

/// The end of a comment.
fn comment_end(inside: &str) -> Option<usize> {
    inside.strip_prefix("!--")?;
    Some(inside.find("-->").map_or(inside.len(), |at| at + 3))
}

fn plain(name: &str) -> String {
    name.split_whitespace().next().unwrap_or_default().to_ascii_uppercase()
}

fn feeds(text: &str) -> u64 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u64
}

/// Once, from the left: `&amp;lt;` is the text `&lt;`. An unknown `&` stays unchanged.
fn unescaped(text: &str) -> String {
    const KNOWN: [(&str, &str); 7] =
        [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&nbsp;", " ")];
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.find('&').map(|at| rest.split_at(at)) {
        plain.push_str(before);
        let (written, letter) = KNOWN.into_iter().find(|(written, _)| from.starts_with(written)).unwrap_or(("&", "&"));
        plain.push_str(letter);
        rest = from.strip_prefix(written).unwrap_or_default();
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags_of(text: &str) -> Vec<String> {
        let mut tags = Tags::of(text);
        let mut tags_of = Vec::new();
        while let Some(tag) = tags.step() {
            tags_of.push(match tag {
                Tag::Open { name, value, line } => format!("{line} {name}={value}"),
                Tag::Close { name } => format!("/{name}"),
            });
        }
        tags_of
    }

    #[test]
    fn values_with_and_without_closing_tags_read_the_same() {
        assert_eq!(
            tags_of("OFXHEADER:100\n\n<OFX>\n<A>\n<B>x &amp; y\n<C>1 < 2</A>"),
            ["3 OFX=", "4 A=", "5 B=x & y", "6 C=1 < 2", "/A"]
        );
        let xml = "<?xml version=\"1.0\"?><?OFX VERSION=\"202\"?><OFX><!-- <B>no --><b>x</b><C/><D><![CDATA[<y>]]></D></OFX>";
        assert_eq!(tags_of(xml), ["1 OFX=", "1 B=x", "/B", "/C", "1 D=<y>", "/D", "/OFX"]);
    }

    #[test]
    fn broken_tags_do_not_panic() {
        for text in ["", "<", "<OFX", "<OFX>é<", "<OFX><!-- ", "<OFX><A", "<OFX><![CDATA[", "<OFX>&#&;", "<é>"] {
            tags_of(text);
        }
        assert_eq!(unescaped("&amp;lt; &x &"), "&lt; &x &");
    }
}
