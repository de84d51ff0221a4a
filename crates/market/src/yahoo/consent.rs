//! The detour through Yahoo's consent pages, one step at a time.

use url::Url;
use url::form_urlencoded::Serializer;

use crate::fault::Fault;
use crate::http_client::Response;

#[derive(Debug, PartialEq)]
pub enum Step {
    Get(Url),
    Post(Url, String),
    Done,
}

/// Where the answer to visiting `url` leads.
pub fn next(url: &Url, response: &Response) -> Result<Step, Fault> {
    if response.status.is_redirection() {
        let place = response.header("location").and_then(|location| url.join(location).ok());
        return place.map(Step::Get).ok_or_else(|| Fault::missing("location", ""));
    }
    let page = String::from_utf8_lossy(&response.bytes);
    Ok(form(url, &page).unwrap_or(Step::Done))
}

/// The consent form, filled in: its hidden fields, and "agree" twice, as the recorded browser sent it. Refusing is not known to
/// lead to a cookie.
fn form(url: &Url, page: &str) -> Option<Step> {
    let form = page.split("<form").skip(1).map(|form| form.split("</form>").next().unwrap_or(form));
    let form = form.into_iter().find(|form| form.contains("csrfToken"))?;
    let (head, rest) = form.split_once('>')?;
    let action = attribute(head, "action").unwrap_or_default();
    let mut answer = Serializer::new(String::new());
    for input in rest.split("<input").skip(1).filter_map(|input| input.split('>').next()) {
        if attribute(input, "type").as_deref() == Some("hidden")
            && let Some(name) = attribute(input, "name")
        {
            answer.append_pair(&name, &attribute(input, "value").unwrap_or_default());
        }
    }
    answer.append_pair("agree", "agree").append_pair("agree", "agree");
    Some(Step::Post(url.join(&action).ok()?, answer.finish()))
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let after = tag.split(&format!(" {name}=\"")).nth(1)?;
    Some(plain(after.split('"').next()?))
}

/// Text with the entities that Yahoo uses in its attributes decoded.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let end = rest[at..].find(';').map(|length| at + length);
        let letter = end.and_then(|end| Some((entity(&rest[at + 1..end])?, end + 1)));
        let (letter, next) = letter.unwrap_or(('&', at + 1));
        plain.push_str(&rest[..at]);
        plain.push(letter);
        rest = &rest[next..];
    }
    plain + rest
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "lt" => Some('<'),
        "gt" => Some('>'),
        _ => {
            let number = name.strip_prefix('#')?;
            let hex = number.strip_prefix(['x', 'X']).map(|hex| u32::from_str_radix(hex, 16));
            char::from_u32(hex.unwrap_or_else(|| number.parse()).ok()?)
        }
    }
}
