//! Request traces for an OpenTelemetry collector, configured by the standard variables (`OTEL_…`). A span contains no more than the
//! request's log line.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use anyhow::Context as _;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{Span as _, SpanKind, Status, Tracer as _, TracerProvider as _};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use serving::REQUEST_LOG;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterFn, Filtered, filter_fn};
use tracing_subscriber::layer;

use crate::output::setting;

/// Either one names a collector; without both, nothing is sent.
const COLLECTOR: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";
/// How long the last spans may take at the end.
const LAST_WORDS: Duration = Duration::from_millis(800);

/// Sends the remaining spans when dropped.
pub struct Sending(SdkTracerProvider);

impl Drop for Sending {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown_with_timeout(LAST_WORDS) {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

/// None if no collector is set.
pub fn begin() -> anyhow::Result<Option<(Traces, Sending)>> {
    let is_set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.trim().is_empty());
    let Some(named_by) = COLLECTOR.iter().find(|name| is_set(name)) else { return Ok(None) };
    let exporter = SpanExporter::builder().with_http().build().with_context(|| setting().collector(*named_by))?;
    let mut resource = Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    if !is_set(&SERVICE_NAME) {
        resource = resource.with_service_name("dripline");
    }
    let provider = SdkTracerProvider::builder().with_resource(resource.build()).with_batch_exporter(exporter).build();
    Ok(Some((Traces(provider.tracer("dripline")), Sending(provider))))
}

/// Turns each log line about a request into a span.
pub struct Traces(SdkTracer);

impl Traces {
    pub fn of_requests<S: Subscriber>(self) -> Filtered<Traces, FilterFn, S>
    where
        Traces: Layer<S>,
    {
        self.with_filter(filter_fn(is_of_request))
    }
}

fn is_of_request(metadata: &Metadata<'_>) -> bool {
    metadata.target() == REQUEST_LOG && *metadata.level() <= Level::INFO
}

impl<S: Subscriber> Layer<S> for Traces {
    fn on_event(&self, event: &Event<'_>, _: layer::Context<'_, S>) {
        let ended = SystemTime::now();
        let mut answered = Answered::default();
        event.record(&mut answered);
        let name = format!("{} {}", answered.method, answered.route);
        let attributes = [
            KeyValue::new("http.request.method", answered.method),
            KeyValue::new("http.route", answered.route),
            KeyValue::new("http.response.status_code", answered.status),
            KeyValue::new("client.address", answered.client),
        ];
        let span = self
            .0
            .span_builder(name)
            .with_kind(SpanKind::Server)
            .with_start_time(ended - answered.took)
            .with_attributes(attributes);
        let mut span = span.start_with_context(&self.0, &answered.parent);
        if answered.status >= 500 {
            span.set_status(Status::error(""));
        }
        span.end_with_timestamp(ended);
    }
}

#[derive(Default)]
struct Answered {
    method: String,
    route: String,
    client: String,
    status: i64,
    took: Duration,
    parent: Context,
}

impl Visit for Answered {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "method" => value.clone_into(&mut self.method),
            "route" => value.clone_into(&mut self.route),
            "traceparent" => self.parent = parent(value),
            _ => {}
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "status" => self.status = value as i64,
            "micros" => self.took = Duration::from_micros(value),
            _ => {}
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "client" {
            self.client = format!("{value:?}");
        }
    }
}

fn parent(header: &str) -> Context {
    TraceContextPropagator::new().extract(&HashMap::from([("traceparent".to_owned(), header.to_owned())]))
}
