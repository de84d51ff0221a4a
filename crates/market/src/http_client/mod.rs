//! The HTTP client of one provider: a budget, time-outs, few and spaced retries, pauses after failures, one request in flight per
//! question, and a limited answer size.

mod body;
mod breaker;
mod budget;
mod flight;
mod health;
mod pace;

use std::sync::Arc;
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use reqwest::header::HeaderMap;
use reqwest::{Client, redirect};
use rustls::crypto::ring;
use url::Url;

pub use budget::Budget;
pub use health::Health;

use crate::fault::Fault;
pub use body::Response;
use breaker::Breaker;
use flight::Flights;
use health::Record;
use pace::Pace;

/// Who waits for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Urgency {
    /// A person: no retries, only a short wait for the rate limit, and the whole budget.
    Live,
    /// Nobody: waits for the rate limit and leaves a part of the budget to people.
    Background,
}

/// One question as an HTTP request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub url: Url,
    pub headers: HeaderMap,
    pub urgency: Urgency,
    pub bytes_max: usize,
    /// A form to post, if any.
    pub form: Option<String>,
    /// False if a failure says nothing about the provider's other answers.
    pub tells_health: bool,
}

const BYTES_MAX: usize = 4 << 20;

impl Request {
    pub fn get(url: Url, urgency: Urgency) -> Request {
        Request { url, headers: HeaderMap::new(), urgency, bytes_max: BYTES_MAX, form: None, tells_health: true }
    }
}

/// The client of one provider. Cheap to clone.
#[derive(Clone)]
pub struct HttpClient {
    shared: Arc<Shared>,
}

struct Shared {
    base: Url,
    client: Client,
    pace: Pace,
    breaker: Breaker,
    flights: Flights<Result<Response, Fault>>,
    record: Record,
}

const RETRIES_MAX: usize = 2;
const RETRY_WAIT_MIN: Duration = Duration::from_millis(500);
/// A provider that asks for a longer wait than this is paused instead.
const RETRY_WAIT_MAX: Duration = Duration::from_secs(20);
const CONNECT_TIME_MAX: Duration = Duration::from_secs(4);
const BACKGROUND_TIME_MAX: Duration = Duration::from_secs(10);
const LIVE_TIME_MAX: Duration = Duration::from_secs(4);

impl HttpClient {
    /// `agent` is the user agent sent to the provider.
    pub fn new(name: &'static str, base: Url, budget: Budget, agent: &str) -> Result<HttpClient, reqwest::Error> {
        // The one crypto backend of this program; if it is already installed, nothing changes.
        let _ = ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(agent)
            .cookie_store(true)
            // Redirects are never followed automatically; the one provider that needs them is followed step by step.
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIME_MAX)
            .pool_idle_timeout(Duration::from_secs(30))
            .build()?;
        let shared = Shared {
            base,
            client,
            pace: Pace::new(budget),
            breaker: Breaker::default(),
            flights: Flights::default(),
            record: Record::new(name, budget),
        };
        Ok(HttpClient { shared: Arc::new(shared) })
    }

    pub fn base(&self) -> &Url {
        &self.shared.base
    }

    /// The base address with a path and a query.
    pub fn url(&self, path: &str, query: &[(&str, &str)]) -> Url {
        let mut url = self.shared.base.clone();
        url.set_path(&format!("{}{path}", self.shared.base.path().trim_end_matches('/')));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    /// Sends the request and reads the answer. What `read` does not understand counts as a failure of the provider.
    pub(crate) async fn ask<T>(&self, request: Request, read: impl Fn(&Response) -> Result<T, Fault>) -> Result<T, Fault> {
        let key = format!("{:?} {} {}", request.urgency, request.url, request.form.as_deref().unwrap_or_default());
        let (this, tells_health) = (self.clone(), request.tells_health);
        let (response, leader) = self.shared.flights.join(key, async move { this.try_repeatedly(request).await }).await;
        let response = response.unwrap_or(Err(Fault::Interrupted))?;
        let answer = read(&response);
        if leader && tells_health {
            self.judge(&answer);
        }
        answer
    }

    pub fn health(&self) -> Health {
        let shared = &self.shared;
        shared.record.health(shared.pace.today(), shared.breaker.rests_for())
    }

    /// How many requests other processes made today, or this one before a restart.
    pub fn set_used_today(&self, used: u32) {
        self.shared.pace.set_used_today(used);
    }

    fn judge<T>(&self, result: &Result<T, Fault>) {
        match result {
            Err(fault) if fault.is_failure() => {
                self.shared.breaker.failed(fault);
                self.shared.record.failed(fault);
            }
            Err(Fault::OverBudget | Fault::Resting(..)) => {}
            _ => {
                self.shared.breaker.succeeded();
                self.shared.record.succeeded();
            }
        }
    }

    async fn try_repeatedly(&self, request: Request) -> Result<Response, Fault> {
        let retries = if request.urgency == Urgency::Live { 0 } else { RETRIES_MAX };
        let backoff = ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(RETRY_WAIT_MIN)
            .with_max_delay(RETRY_WAIT_MAX)
            .with_max_times(retries);
        (|| self.try_once(&request))
            .retry(backoff)
            .when(Fault::is_transient)
            .adjust(|fault, wait| match fault {
                Fault::Throttled(Some(asked)) if *asked > RETRY_WAIT_MAX => None,
                Fault::Throttled(Some(asked)) => wait.map(|wait| wait.max(*asked)),
                _ => wait,
            })
            .await
    }

    async fn try_once(&self, request: &Request) -> Result<Response, Fault> {
        self.shared.pace.turn(request.urgency, &self.shared.breaker).await?;
        self.shared.record.used();
        let limit = if request.urgency == Urgency::Live { LIVE_TIME_MAX } else { BACKGROUND_TIME_MAX };
        let fetched = tokio::time::timeout(limit, body::fetch(&self.shared.client, request)).await;
        let response = fetched.unwrap_or(Err(Fault::TimedOut));
        if response.is_err() && request.tells_health {
            self.judge(&response);
        }
        response
    }
}
