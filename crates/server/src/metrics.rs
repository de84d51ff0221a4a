//! `GET /metrics`: requests, database, providers and refreshes, in the text format of Prometheus,
//! collected for every scrape.

mod collected;
mod files;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use app::App;
use app::market::{self, sources};
use app::operations::jobs;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use serving::tls::Tls;
use serving::{ApiError, Reason, Redis, Site};

use collected::{Counts, Timed};

type Counted = Family<Vec<(&'static str, String)>, Counter>;
type Labelled = Family<Vec<(&'static str, String)>, Gauge>;

#[derive(Clone)]
pub struct Watched {
    pub app: Arc<App>,
    pub site: Site,
    /// The metrics of the public site.
    pub redis: Option<Arc<Redis>>,
    /// The certificate, if HTTPS is used.
    pub tls: Option<Tls>,
}

pub fn routes(watched: Watched) -> Router {
    Router::new().route("/metrics", get(scrape)).with_state(watched)
}

async fn scrape(State(watched): State<Watched>) -> Result<Response, ApiError> {
    let text = text(&watched).await.map_err(|error| {
        tracing::error!(%error, "metrics could not be written");
        ApiError::internal()
    })?;
    Ok(([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response())
}

pub async fn text(Watched { app, site, redis, tls }: &Watched) -> Result<String, std::fmt::Error> {
    let vitals = market::vitals(app).await;
    let mut registry = Registry::with_prefix("dripline");
    requests(&mut registry, site);
    connections(&mut registry, site);
    if let Some(tls) = tls {
        gauge(&mut registry, "certificate_end_timestamp_seconds", "When the certificate expires", tls.ends().as_second());
    }
    database(&mut registry, app);
    files::read(app).await.tell(&mut registry);
    files::uploads(app, &mut registry).await;
    // Also served without the database.
    gauge(&mut registry, "database_answers", "Whether the database answers", vitals.is_ok().into());
    providers(&mut registry, &app.sources().health());
    if let Ok(vitals) = vitals {
        work(&mut registry, &vitals, app.clock.now_micros());
        gauge(&mut registry, "market_held_back", "Implausible values from providers", vitals.held_back_count);
        gauge(&mut registry, "market_tracked_stocks", "Tracked stocks", signed(vitals.tracked as u64));
    }
    if let Some(redis) = redis {
        limiter(&mut registry, redis).await;
    }
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
}

fn requests(registry: &mut Registry, site: &Site) {
    let (mut counts, mut times) = (Vec::new(), Vec::new());
    for route in site.request_metrics().routes() {
        let labels = [("method", route.method.to_owned()), ("route", route.name.to_string())];
        let statuses = route.statuses().into_iter();
        counts.extend(
            statuses.map(|(status, count)| ([labels.as_slice(), &[("status", status.as_str().to_owned())]].concat(), count)),
        );
        times.push((labels.to_vec(), route.took.snapshot()));
    }
    Counts::register(registry, "http_requests", "Requests answered", counts);
    Timed::register(registry, "http_request", "Time until the response headers were ready", times);
    let answers = &site.request_metrics().answers;
    let of = [("finished", &answers.finished), ("kept", &answers.kept), ("computed", &answers.computed)];
    let answers = of.map(|(from, count)| (vec![("from", from.to_owned())], count.load(Ordering::Relaxed)));
    Counts::register(registry, "api_answers", "API responses by source", answers.to_vec());
    let denials = &site.request_metrics().denials;
    let denials = Reason::ALL.map(|reason| (vec![("reason", reason.word().to_owned())], denials.counted(reason)));
    Counts::register(registry, "denials", "Denied requests", denials.to_vec());
    let (busy, most) = site.busy();
    gauge(registry, "http_requests_running", "Running requests", signed(busy as u64));
    gauge(registry, "http_requests_running_max", "Requests that may run at once; more get 503", signed(most as u64));
    let build = Labelled::default();
    build.get_or_create(&vec![("version", env!("CARGO_PKG_VERSION").to_owned())]).set(1);
    registry.register("build_info", "The running version", build);
}

fn database(registry: &mut Registry, app: &App) {
    let times = app.store.times();
    let of = [("wait", &times.wait), ("read", &times.read), ("write", &times.write)];
    let times = of.map(|(part, times)| (vec![("part", part.to_owned())], times.snapshot()));
    Timed::register(registry, "database", "Time transactions waited for a lock, and took afterwards", times.to_vec());
    if let Some(damaged) = app.store.is_damaged() {
        let last_check = jobs::last_check(app);
        let damaged = damaged || last_check.is_some_and(|last_check| last_check.faults > 0);
        gauge(registry, "database_damaged", "Whether damage was found in the database file", damaged.into());
        let at = last_check.map_or(0, |last_check| last_check.at.as_second());
        gauge(
            registry,
            "database_checked_timestamp_seconds",
            "When the database was last checked completely; 0 before the first check",
            at,
        );
    }
}

fn connections(registry: &mut Registry, site: &Site) {
    let connections = &site.request_metrics().connections;
    let number = |count: &AtomicUsize| signed(count.load(Ordering::Relaxed) as u64);
    gauge(registry, "http_connections", "Open connections", number(&connections.open));
    gauge(registry, "http_connections_max", "Connections that may be open; more wait", number(&connections.max));
    counter(
        registry,
        "http_connections_refused",
        "Connections closed because their client had too many",
        connections.refused.load(Ordering::Relaxed),
    );
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn gauge(registry: &mut Registry, name: &str, help: &str, value: i64) {
    let gauge: Gauge = Gauge::default();
    gauge.set(value);
    registry.register(name, help, gauge);
}

fn counter(registry: &mut Registry, name: &str, help: &str, value: u64) {
    let counter: Counter = Counter::default();
    counter.inc_by(value);
    registry.register(name, help, counter);
}

fn providers(registry: &mut Registry, health: &[sources::Health]) {
    let [requests, failures] = std::array::from_fn(|_| Counted::default());
    let [today, resting, answered] = std::array::from_fn(|_| Labelled::default());
    for one in health {
        let label = vec![("provider", one.name.to_owned())];
        requests.get_or_create(&label).inc_by(one.used);
        failures.get_or_create(&label).inc_by(one.failures);
        today.get_or_create(&label).set(one.used_today.into());
        resting.get_or_create(&label).set(one.rests_for.map_or(0, |rest| rest.as_secs() as i64));
        answered.get_or_create(&label).set(one.ok_at.map_or(0, |at| at.as_second()));
    }
    registry.register("provider_requests", "Requests to a provider since this process started", requests);
    registry.register("provider_failures", "Failed requests to a provider since this process started", failures);
    registry.register("provider_requests_today", "Requests to a provider today (UTC)", today);
    registry.register("provider_resting_seconds", "How long a failing provider is still paused", resting);
    registry.register("provider_answered_timestamp_seconds", "When a provider last answered", answered);
}

fn work(registry: &mut Registry, vitals: &market::Vitals, now: i64) {
    let [total, due, failing, age] = std::array::from_fn(|_| Labelled::default());
    for one in &vitals.work {
        let label = vec![("topic", one.topic.as_str().to_owned())];
        total.get_or_create(&label).set(one.total);
        due.get_or_create(&label).set(one.overdue);
        failing.get_or_create(&label).set(one.failing);
        if let Some(done_at) = one.newest_done_at {
            age.get_or_create(&label).set((now - done_at) / 1_000_000);
        }
    }
    registry.register("refresh_total", "Refreshes that are scheduled", total);
    registry.register("refresh_due", "Refreshes that are due", due);
    registry.register("refresh_failing", "Refreshes whose last attempt failed", failing);
    registry.register("refresh_age_seconds", "Time since the last successful refresh", age);
}

async fn limiter(registry: &mut Registry, redis: &Arc<Redis>) {
    let shared = redis.answers().await.into();
    gauge(registry, "limiter_shared", "1 while nodes limit together in Redis, 0 while this one is on its own", shared);
    let fallbacks = redis.fallbacks();
    counter(registry, "limiter_fallbacks", "Requests this node counted on its own because Redis was down", fallbacks);
}
