//! One HTTP answer, whole.

use std::time::Duration;

use serde_json::Value;

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case; a header that stands twice is joined with a comma.
    pub headers: std::collections::BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON; anything else is the end of the test.
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
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .allow_non_standard_methods(true)
        .timeout_global(Some(Duration::from_secs(60)))
        .build()
        .into();
    let mut request = ureq::http::Request::builder().method(method).uri(url);
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut response = agent.run(request.body(()).unwrap()).unwrap();
    let mut joined = std::collections::BTreeMap::new();
    for (name, value) in response.headers() {
        let value = value.to_str().unwrap();
        joined
            .entry(name.as_str().to_owned())
            .and_modify(|before: &mut String| *before = format!("{before}, {value}"))
            .or_insert(value.to_owned());
    }
    Answer { status: response.status().as_u16(), headers: joined, body: response.body_mut().read_to_vec().unwrap() }
}
