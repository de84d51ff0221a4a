//! `GET /metrics`: how providers and refreshes are doing, in the text format of Prometheus, read anew for every scrape.

use std::sync::Arc;

use app::{App, market, sources};
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

use crate::http::{ApiError, Redis};

type Counted = Family<Vec<(&'static str, String)>, Counter>;
type Labelled = Family<Vec<(&'static str, String)>, Gauge>;

/// `redis` is the one that the site counts in.
pub fn routes(app: Arc<App>, redis: Option<Arc<Redis>>) -> Router {
    Router::new().route("/metrics", get(scrape)).with_state((app, redis))
}

async fn scrape(State((app, redis)): State<(Arc<App>, Option<Arc<Redis>>)>) -> Result<Response, ApiError> {
    let vitals = market::vitals(&app).await;
    let mut registry = Registry::with_prefix("dripline");
    // Without its database a node has the more to tell.
    gauge(&mut registry, "database_answers", "Whether the database answers", vitals.is_ok().into());
    providers(&mut registry, &app.sources.health());
    if let Ok(vitals) = vitals {
        work(&mut registry, &vitals, app.clock.now_micros());
        gauge(&mut registry, "market_held_back", "Figures of providers that were not believed", vitals.held_back_count);
        let tracked = i64::try_from(vitals.tracked).unwrap_or(i64::MAX);
        gauge(&mut registry, "market_tracked_stocks", "Stocks that are kept current", tracked);
    }
    if let Some(redis) = redis {
        limiter(&mut registry, &redis).await;
    }
    let mut text = String::new();
    encode(&mut text, &registry).map_err(|error| {
        tracing::error!(%error, "metrics could not be written");
        ApiError::internal()
    })?;
    Ok(([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response())
}

fn gauge(registry: &mut Registry, name: &str, help: &str, value: i64) {
    let gauge: Gauge = Gauge::default();
    gauge.set(value);
    registry.register(name, help, gauge);
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
    registry.register("provider_failures", "Failed questions to a provider since this process started", failures);
    registry.register("provider_requests_today", "Requests to a provider on this day (UTC)", today);
    registry.register("provider_resting_seconds", "How long a failing provider is still left alone", resting);
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
    registry.register("refresh_total", "What is kept current", total);
    registry.register("refresh_due", "Refreshes that are due", due);
    registry.register("refresh_failing", "Refreshes that failed when last tried", failing);
    registry.register("refresh_age_seconds", "Time since the last successful refresh", age);
}

async fn limiter(registry: &mut Registry, redis: &Arc<Redis>) {
    let shared: Gauge = Gauge::default();
    shared.set(i64::from(redis.answers().await));
    registry.register("limiter_shared", "1 while nodes limit together in Redis, 0 while this one is on its own", shared);
    let fallbacks: Counter = Counter::default();
    fallbacks.inc_by(redis.fallbacks());
    registry.register("limiter_fallbacks", "Requests that this node limited on its own for want of Redis", fallbacks);
}
