//! A headless browser: cookies, and forms sent from the last page opened.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Mutex;

use crate::answer::{self, Answer};

pub struct Browser {
    origin: String,
    cookies: Mutex<BTreeMap<String, String>>,
    /// The form token of the last page opened.
    token: Mutex<String>,
    /// The one-time token of a form on it; empty if there is none.
    once: Mutex<String>,
}

impl Browser {
    pub fn new(address: SocketAddr) -> Browser {
        Browser {
            origin: format!("http://{address}"),
            cookies: Mutex::default(),
            token: Mutex::default(),
            once: Mutex::default(),
        }
    }

    /// Without following redirects.
    pub fn get(&self, path: &str) -> Answer {
        let answer = self.send("GET", path, &[], None);
        let text = answer.text();
        if let Some(token) = hidden(&text, "_token") {
            *self.token.lock().unwrap() = token;
        }
        *self.once.lock().unwrap() = hidden(&text, "once").unwrap_or_default();
        answer
    }

    /// Sends a form of the last page opened.
    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let (token, once) = (self.token(), self.one_time_token());
        let own = [("_token", token.as_str()), ("once", once.as_str())].into_iter().filter(|(_, value)| !value.is_empty());
        let all: Vec<(&str, &str)> = own.chain(fields.iter().copied()).collect();
        let answer = self.post_raw(path, &all, &[("Sec-Fetch-Site", "same-origin")]);
        if let Some(next) = hidden(&answer.text(), "once") {
            *self.once.lock().unwrap() = next;
        }
        answer
    }

    /// Sends exactly these fields and headers.
    pub fn post_raw(&self, path: &str, fields: &[(&str, &str)], headers: &[(&str, &str)]) -> Answer {
        let body =
            fields.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(value))).collect::<Vec<_>>().join("&");
        let form = [("Content-Type", "application/x-www-form-urlencoded")];
        let headers: Vec<(&str, &str)> = form.into_iter().chain(headers.iter().copied()).collect();
        self.send("POST", path, &headers, Some(body.as_bytes()))
    }

    /// Opens a page and sends a form of it.
    pub fn fill(&self, page: &str, action: &str, fields: &[(&str, &str)]) -> Answer {
        self.get(page);
        self.post(action, fields)
    }

    /// Sends a file with a form of the last page opened.
    pub fn upload(&self, path: &str, fields: &[(&str, &str)], name: &str, bytes: &[u8]) -> Answer {
        self.upload_with(path, fields, &[(name, bytes)], &[])
    }

    /// Several files at once, with additional headers such as an Idempotency-Key.
    pub fn upload_with(&self, path: &str, fields: &[(&str, &str)], files: &[(&str, &[u8])], headers: &[(&str, &str)]) -> Answer {
        let token = self.token();
        let boundary = "----boundary-of-the-test";
        let mut body = Vec::new();
        for (field, value) in [("_token", token.as_str())].into_iter().chain(fields.iter().copied()) {
            body.extend(format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n").bytes());
        }
        for (name, bytes) in files {
            let head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n");
            body.extend(head.bytes().chain(*b"Content-Type: application/octet-stream\r\n\r\n"));
            body.extend(*bytes);
            body.extend(*b"\r\n");
        }
        body.extend(format!("--{boundary}--\r\n").bytes());
        let kind = format!("multipart/form-data; boundary={boundary}");
        let own = [("Content-Type", kind.as_str()), ("Sec-Fetch-Site", "same-origin")];
        let headers: Vec<(&str, &str)> = own.into_iter().chain(headers.iter().copied()).collect();
        self.send("POST", path, &headers, Some(&body))
    }

    pub fn sign_in(&self, email: &str, password: &str) -> Answer {
        self.fill("/sign-in", "/sign-in", &[("email", email), ("password", password)])
    }

    pub fn token(&self) -> String {
        self.token.lock().unwrap().clone()
    }

    /// The one-time token of the form on the last page.
    pub fn one_time_token(&self) -> String {
        self.once.lock().unwrap().clone()
    }

    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().unwrap().get(name).cloned()
    }

    pub fn set_cookie(&self, name: &str, value: &str) {
        self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
    }

    pub fn forget_cookie(&self, name: &str) {
        self.cookies.lock().unwrap().remove(name);
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Answer {
        let jar: Vec<String> = self.cookies.lock().unwrap().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let jar = jar.join("; ");
        let mut all = headers.to_vec();
        if !jar.is_empty() {
            all.push(("Cookie", &jar));
        }
        let answer = answer::send(method, &format!("{}{path}", self.origin), &all, body.unwrap_or_default());
        for line in &answer.cookies {
            self.store_cookie(line);
        }
        answer
    }

    fn store_cookie(&self, line: &str) {
        let (pair, attributes) = line.split_once(';').unwrap_or((line, ""));
        let Some((name, value)) = pair.split_once('=') else { return };
        let mut cookies = self.cookies.lock().unwrap();
        if attributes.contains("Max-Age=0") {
            cookies.remove(name);
        } else {
            cookies.insert(name.to_owned(), value.to_owned());
        }
    }
}

fn hidden(page: &str, name: &str) -> Option<String> {
    page.split(&format!("name=\"{name}\" value=\"")).nth(1).and_then(|rest| rest.split('"').next()).map(str::to_owned)
}

fn escaped(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}
