//! Every figure marked with its API path equals the API's value.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use testkit::{Browser, Service};

/// A figure on a page: its API path and its value.
#[derive(Debug, PartialEq, Eq)]
pub struct Figure {
    pub api: String,
    pub path: String,
    pub value: String,
    pub currency: Option<String>,
}

/// Compares the figures of a page with the API and returns their number; panics if one differs or is missing.
pub fn compare(service: &Service, browser: &Browser, token: &str, page: &str) -> usize {
    let answer = browser.get(page);
    assert_eq!(answer.status, 200, "{page}");
    let found = figures(&answer.text());
    let mut answers: HashMap<String, Value> = HashMap::new();
    for figure in &found {
        let api = answers.entry(figure.api.clone()).or_insert_with(|| {
            let answer = service.get(&figure.api, Some(token));
            assert_eq!(answer.status, 200, "{} of {page}", figure.api);
            answer.json()
        });
        let there = at(api, &figure.path).unwrap_or_else(|| panic!("{page}: {} has no {}", figure.api, figure.path));
        assert!(is_same(figure, there), "{page}: {figure:?} is {there} in the API");
    }
    found.len()
}

fn is_same(figure: &Figure, there: &Value) -> bool {
    match there {
        Value::Object(money) => {
            money["amount"] == figure.value.as_str() && money["currency"].as_str() == figure.currency.as_deref()
        }
        Value::String(text) => *text == figure.value,
        Value::Number(number) => number.to_string() == figure.value,
        _ => false,
    }
}

fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, step| match value {
        Value::Array(list) => list.get(step.parse::<usize>().ok()?),
        other => other.get(step),
    })
}

struct Open {
    name: String,
    api: Option<String>,
    /// Path and what was found in it so far.
    figure: Option<(String, Vec<Shown>)>,
}

/// A value, and the currency of an amount.
type Shown = (String, Option<String>);

/// Panics if a figure has no API request, or is not exactly one `data` or `time` element.
pub fn figures(html: &str) -> Vec<Figure> {
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    for tag in tags(html) {
        if let Some(name) = tag.name.strip_prefix('/') {
            let place = open.iter().rposition(|one| one.name == name).unwrap_or_else(|| panic!("</{name}> closes nothing"));
            let closed = open.drain(place..).next().unwrap();
            if let Some((path, mut values)) = closed.figure {
                let api = closed.api.or_else(|| open.iter().rev().find_map(|one| one.api.clone()));
                let api = api.unwrap_or_else(|| panic!("{path} belongs to no request"));
                assert_eq!(values.len(), 1, "{path} shows {values:?}");
                let (value, currency) = values.remove(0);
                found.push(Figure { api, path, value, currency });
            }
            continue;
        }
        let value = match tag.name.as_str() {
            "data" => tag.attributes.get("value"),
            "time" => tag.attributes.get("datetime"),
            _ => None,
        };
        if let (Some(value), Some((_, values))) = (value, open.iter_mut().rev().find_map(|one| one.figure.as_mut())) {
            values.push((value.clone(), tag.attributes.get("data-currency").cloned()));
        }
        if !tag.closed {
            let figure = tag.attributes.get("data-figure").map(|path| (path.clone(), Vec::new()));
            open.push(Open { name: tag.name, api: tag.attributes.get("data-api").cloned(), figure });
        }
    }
    found
}

struct Tag {
    name: String,
    attributes: BTreeMap<String, String>,
    /// Without content.
    closed: bool,
}

const VOID: [&str; 8] = ["meta", "link", "img", "input", "br", "hr", "wbr", "col"];

fn tags(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let mut quoted = false;
        let end = rest.find(|letter| {
            quoted ^= letter == '"';
            letter == '>' && !quoted
        });
        let end = end.expect("a tag without an end");
        let (inside, after) = rest.split_at(end);
        rest = &after[1..];
        if !inside.starts_with('!') {
            tags.push(tag(inside));
        }
    }
    tags
}

fn tag(inside: &str) -> Tag {
    let (name, mut rest) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    let mut attributes = BTreeMap::new();
    while let Some((before, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').expect("an attribute without an end");
        let attribute = before.split_whitespace().last().unwrap_or_default();
        attributes.insert(attribute.to_owned(), unescaped(value));
        rest = after;
    }
    let name = name.trim_end_matches('/').to_owned();
    Tag { closed: inside.ends_with('/') || VOID.contains(&name.as_str()), name, attributes }
}

pub fn unescaped(text: &str) -> String {
    text.replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&#38;", "&")
        .replace("&amp;", "&")
}

/// What a reader sees, without the tags.
pub fn words(html: &str) -> String {
    let after_tag = |part: &'_ str| part.split_once('>').map_or(String::new(), |(_, text)| text.to_owned());
    let mut parts = html.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(after_tag).collect::<String>()
}

#[test]
fn figures_are_found_with_their_api_request() {
    let html = "<main data-api=\"/a?x=1&#38;y=2\"><td data-figure=\"n.0\"><data value=\"1.50\" data-currency=\"EUR\">€1.50</data></td>\
                <br><td data-api=\"/b\" data-figure=\"day\"><time datetime=\"2026-01-02\">x</time></td><data value=\"9\">9</data></main>";
    let figure = |api: &str, path: &str, value: &str, currency: Option<&str>| Figure {
        api: api.to_owned(),
        path: path.to_owned(),
        value: value.to_owned(),
        currency: currency.map(str::to_owned),
    };
    assert_eq!(figures(html), [figure("/a?x=1&y=2", "n.0", "1.50", Some("EUR")), figure("/b", "day", "2026-01-02", None)]);
}

#[test]
#[should_panic(expected = "n.0 shows []")]
fn a_marked_figure_without_a_value_panics() {
    figures("<main data-api=\"/a\"><td data-figure=\"n.0\">–</td></main>");
}

#[test]
fn figures_are_compared_by_value_and_currency() {
    let figure = |value: &str, currency| Figure { api: String::new(), path: String::new(), value: value.to_owned(), currency };
    let money = serde_json::json!({"amount": "1.50", "currency": "EUR"});
    let euro = || Some("EUR".to_owned());
    assert!(is_same(&figure("1.50", euro()), &money));
    for other in [figure("1.5", euro()), figure("1.50", None), figure("1.50", Some("USD".to_owned()))] {
        assert!(!is_same(&other, &money), "{other:?}");
    }
    assert!(is_same(&figure("0.051", None), &serde_json::json!(0.051)));
    assert!(!is_same(&figure("0.0510", None), &serde_json::json!(0.051)));
    assert!(!is_same(&figure("1", None), &Value::Null));
    assert_eq!(at(&serde_json::json!({"a": [1]}), "a.1"), None);
}
