//! The cookie and the crumb that quotes and profiles require.

use std::time::{Duration, Instant};

use reqwest::header::{ACCEPT_LANGUAGE, HeaderMap, HeaderValue, USER_AGENT};
use tokio::sync::Mutex;
use url::Url;

use super::consent::{self, Step};
use crate::fault::{Denial, Fault};
use crate::http_client::{HttpClient, Request, Response, Urgency};

pub struct Session {
    http_client: HttpClient,
    /// Locked while a crumb is fetched, so that one fetch serves everyone who waits.
    state: Mutex<State>,
    rest: Duration,
}

#[derive(Default)]
struct State {
    crumb: Option<String>,
    refused: Option<(Instant, Fault)>,
}

/// The recorded path through the consent pages takes seven steps.
const STEPS_MAX: usize = 8;
const PAGE_BYTES_MAX: usize = 8 << 20;
/// How long no crumb is requested after one was refused.
pub const REST: Duration = Duration::from_secs(60);

impl Session {
    pub fn new(http_client: HttpClient, rest: Duration) -> Session {
        Session { http_client, state: Mutex::default(), rest }
    }

    /// Sends a request with the crumb. A crumb that is no longer valid is replaced once.
    pub async fn ask<T>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        urgency: Urgency,
        read: impl Fn(&Response) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let with = |crumb: &str| request(self.http_client.url(path, &[query, &[("crumb", crumb)]].concat()), urgency);
        let crumb = self.crumb(None, urgency).await?;
        let first = |response: &Response| match read(response) {
            Err(Fault::Denied(_)) => Ok(None),
            answer => answer.map(Some),
        };
        if let Some(answer) = self.http_client.ask(with(&crumb), first).await? {
            return Ok(answer);
        }
        let fresh = self.crumb(Some(&crumb), urgency).await?;
        let answer = self.http_client.ask(with(&fresh), read).await;
        if let Err(fault @ Fault::Denied(_)) = &answer {
            // It refuses even a fresh crumb: requesting another at once would not help.
            *self.state.lock().await = State { crumb: None, refused: Some((Instant::now(), fault.clone())) };
        }
        answer
    }

    /// The current crumb, or a new one if that is known to be stale.
    pub async fn crumb(&self, stale: Option<&str>, urgency: Urgency) -> Result<String, Fault> {
        let mut state = self.state.lock().await;
        if let Some(crumb) = state.crumb.as_ref().filter(|crumb| Some(crumb.as_str()) != stale) {
            return Ok(crumb.clone());
        }
        if let Some((at, fault)) = &state.refused
            && at.elapsed() < self.rest
        {
            return Err(fault.clone());
        }
        *state = State::default();
        match self.fetch(urgency).await {
            Ok(crumb) => state.crumb = Some(crumb.clone()),
            Err(fault @ (Fault::Throttled(_) | Fault::Denied(_))) => {
                tracing::warn!("yahoo gives no crumb, so neither quotes of many symbols nor profiles: it {fault}");
                state.refused = Some((Instant::now(), fault));
            }
            Err(fault) => return Err(fault),
        }
        match &*state {
            State { crumb: Some(crumb), .. } => Ok(crumb.clone()),
            State { refused, .. } => Err(refused.as_ref().map_or(Fault::Throttled(None), |(_, fault)| fault.clone())),
        }
    }

    async fn fetch(&self, urgency: Urgency) -> Result<String, Fault> {
        let mut outcome = Err(Fault::Denied(Denial::NoCrumb));
        for page in self.pages() {
            outcome = match self.visit(page, urgency).await {
                Ok(()) => self.ask_for_crumb(urgency).await,
                Err(fault) => Err(fault),
            };
            match outcome {
                Err(Fault::Denied(_) | Fault::Status(_) | Fault::Unreachable(_) | Fault::Interrupted | Fault::TimedOut) => {}
                _ => break,
            }
        }
        outcome
    }

    /// Pages that set the cookie: first a short answer that does so outside the EU, then a page that asks for consent.
    fn pages(&self) -> Vec<Url> {
        let own = ["https://fc.yahoo.com/", "https://finance.yahoo.com/quote/AAPL"];
        match is_yahoos(self.http_client.base()) {
            true => own.iter().filter_map(|page| Url::parse(page).ok()).collect(),
            false => vec![self.http_client.url("/", &[])],
        }
    }

    /// Follows the redirects of a page as far as allowed, and gives consent on the way.
    async fn visit(&self, page: Url, urgency: Urgency) -> Result<(), Fault> {
        let mut step = Step::Get(page);
        for _ in 0..STEPS_MAX {
            let (url, form) = match step {
                Step::Get(url) => (url, None),
                Step::Post(url, form) => (url, Some(form)),
                Step::Done => return Ok(()),
            };
            if !self.may_visit(&url) {
                return Err(Fault::Denied(Denial::LeadsAway { host: url.host_str().unwrap_or_default().to_owned() }));
            }
            let request = Request { form, bytes_max: PAGE_BYTES_MAX, ..request(url.clone(), urgency) };
            step = self.http_client.ask(request, |response| consent::next(&url, response)).await?;
        }
        match step {
            Step::Done => Ok(()),
            _ => Err(Fault::Denied(Denial::EndlessConsent)),
        }
    }

    pub fn may_visit(&self, url: &Url) -> bool {
        match is_yahoos(self.http_client.base()) {
            true => url.scheme() == "https" && is_yahoos(url),
            false => url.origin() == self.http_client.base().origin(),
        }
    }

    async fn ask_for_crumb(&self, urgency: Urgency) -> Result<String, Fault> {
        // A missing crumb does not mean that Yahoo has failed: charts and search work without one.
        let request = Request { tells_health: false, ..request(self.http_client.url("/v1/test/getcrumb", &[]), urgency) };
        self.http_client.ask(request, crumb).await
    }
}

/// Requests that look like an old browser, or none, are throttled at once.
pub(super) fn request(url: Url, urgency: Urgency) -> Request {
    const BROWSER: &str =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/152.0.0.0 Safari/537.36";
    let headers =
        [(USER_AGENT, HeaderValue::from_static(BROWSER)), (ACCEPT_LANGUAGE, HeaderValue::from_static("en-US,en;q=0.9"))];
    Request { headers: HeaderMap::from_iter(headers), ..Request::get(url, urgency) }
}

fn is_yahoos(url: &Url) -> bool {
    url.host_str().is_some_and(|host| host.ends_with(".yahoo.com"))
}

/// When throttling, Yahoo says so in place of a crumb, even with status 200.
pub fn crumb(response: &Response) -> Result<String, Fault> {
    if matches!(response.status.as_u16(), 401 | 403) {
        return Err(Fault::Denied(Denial::NoCrumb));
    }
    let text = response.success().and_then(Response::text).unwrap_or_default().trim();
    let plain = text.chars().all(|letter| letter.is_ascii_graphic() && !matches!(letter, '<' | '>' | '{' | '}' | '"'));
    match (1..=32).contains(&text.len()) && plain {
        true => Ok(text.to_owned()),
        false => Err(Fault::Throttled(None)),
    }
}
