//! One complete HTTP answer.

use std::time::Duration;

use serde_json::Value;

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case; repeated headers are joined with a comma.
    pub headers: std::collections::BTreeMap<String, String>,
    /// Lines of Set-Cookie.
    pub cookies: Vec<String>,
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON; panics if it is anything else.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {:?}", String::from_utf8_lossy(&self.body)))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn error_code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

pub fn fetch(method: &str, url: &str, token: Option<&str>, headers: &[(&str, &str)]) -> Answer {
    let bearer = token.map(|token| format!("Bearer {token}"));
    let bearer = bearer.iter().map(|value| ("Authorization", value.as_str()));
    send(method, url, &bearer.chain(headers.iter().copied()).collect::<Vec<_>>(), &[])
}

pub fn send(method: &str, url: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .allow_non_standard_methods(true)
        .timeout_global(Some(Duration::from_secs(60)))
        .build()
        .into();
    let mut request = ureq::http::Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut response = match body.is_empty() {
        true => agent.run(request.body(()).unwrap()),
        false => agent.run(request.body(body).unwrap()),
    }
    .unwrap();
    let mut joined = std::collections::BTreeMap::new();
    for (name, value) in response.headers() {
        let value = value.to_str().unwrap();
        joined
            .entry(name.as_str().to_owned())
            .and_modify(|before: &mut String| *before = format!("{before}, {value}"))
            .or_insert(value.to_owned());
    }
    let cookies = response.headers().get_all("set-cookie").iter().map(|line| line.to_str().unwrap().to_owned()).collect();
    Answer { status: response.status().as_u16(), headers: joined, cookies, body: response.body_mut().read_to_vec().unwrap() }
}
