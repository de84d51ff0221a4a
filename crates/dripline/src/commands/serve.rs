//! `dripline serve`

mod certificate;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use app::App;
use app::authentication::tokens;
use app::market::live;
use app::operations::doctor::Finding;
use app::operations::{backups, jobs};
use server::metrics::Watched;
use serving::Draining;
use serving::tls::Tls;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinSet;
use tracing_subscriber::prelude::*;

use crate::config::Settings;
use crate::output;

/// How long running requests may take after the drain, and then saving. Together less than ten seconds.
const GRACE: Duration = Duration::from_secs(7);
const LAST_WORDS: Duration = Duration::from_secs(2);

pub async fn run(settings: Settings) -> anyhow::Result<ExitCode> {
    settings.load_messages()?;
    let _log = start_log()?;
    let app = super::open_serving(&settings).await?;
    let listener = bind(&settings).await?;
    let url = settings.url_of(listener.local_addr()?);
    if let Some(instant) = settings.clock.fixed() {
        let warning = messages::doctor::finding(output::language(), &Finding::FixedClock { instant });
        output::message(&format!("WARNING: {warning}"));
    }
    output::message(&format!("Dripline is running at {url}. Press Ctrl-C to stop."));
    output::result(&url);
    serve(Arc::new(app), listener, settings).await
}

/// A bound address, already listening for the signals that stop the service: a caller that knows the address may send one.
pub struct Listener {
    socket: TcpListener,
    signals: Signals,
    /// With the signal that reloads the certificate.
    tls: Option<(Tls, Signal)>,
}

struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    async fn heard(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

impl Listener {
    pub fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

pub async fn bind(settings: &Settings) -> anyhow::Result<Listener> {
    let tls = settings.tls.clone().map(Tls::open).transpose()?;
    let socket =
        TcpListener::bind(settings.listen).await.with_context(|| output::refusal().listen(settings.listen.to_string()))?;
    let hear = |kind| signal(kind).with_context(|| output::refusal().signals);
    let signals = Signals { terminate: hear(SignalKind::terminate())?, interrupt: hear(SignalKind::interrupt())? };
    let tls = tls.map(|tls| anyhow::Ok((tls, hear(SignalKind::hangup())?))).transpose()?;
    Ok(Listener { socket, signals, tls })
}

/// Serves until SIGTERM or SIGINT, drains, then finishes the running requests.
pub async fn serve(app: Arc<App>, listener: Listener, settings: Settings) -> anyhow::Result<ExitCode> {
    let base_url = match &settings.base_url {
        Some(url) => url.clone(),
        None => settings.url_of(listener.local_addr()?),
    };
    // Behind a proxy the service also listens on loopback, but is public.
    let public = url::Url::parse(&base_url).ok().and_then(|url| url.host().map(|host| host.to_owned()));
    let own = match &public {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    let own_machine_only = Some(listener.local_addr()?.ip()).filter(|ip| own && ip.is_loopback());
    let draining = Draining::default();
    let site = server::Settings {
        base_url: base_url.clone(),
        trusted_proxies: settings.trusted_proxies.clone(),
        sign_up: settings.sign_up,
        documents: Arc::new(server::oauth::document::Fetcher::new(own_machine_only)),
        redis: settings.redis.clone(),
        draining: draining.clone(),
        requests_at_once: settings.requests_at_once,
    };
    let site = server::site(app.clone(), site);
    let Listener { socket, signals, tls } = listener;
    let mut beside = JoinSet::new();
    beside.spawn(save_now_and_then(app.clone()));
    beside.spawn(jobs::run(app.clone()));
    beside.spawn(backups::run(app.clone()));
    if let Some(at) = settings.metrics_listen {
        let watched = Watched {
            app: app.clone(),
            site: site.clone(),
            redis: settings.redis,
            tls: tls.as_ref().map(|(tls, _)| tls.clone()),
        };
        beside.spawn(metrics(watched, at).await?);
    }
    let limits = serving::Limits {
        grace: GRACE,
        connections_per_client_max: settings.connections_per_client,
        proxies: settings.trusted_proxies.into(),
        ..serving::Limits::default()
    };
    let shutdown = drained(signals, draining, settings.drain);
    match tls {
        Some((tls, hangup)) => {
            beside.spawn(certificate::follow(tls.clone(), hangup));
            serving::serve_encrypted(socket, (tls, base_url), site, limits, shutdown).await;
        }
        None => serving::serve(socket, site, limits, shutdown).await,
    }
    beside.shutdown().await;
    if tokio::time::timeout(LAST_WORDS, leave(&app)).await.is_err() {
        tracing::warn!("the database was slow at shutdown: the last live prices and last-used times of tokens may not be saved");
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns when no more requests should be accepted. A second signal ends the drain early.
async fn drained(mut signals: Signals, draining: Draining, time: Duration) {
    signals.heard().await;
    draining.begin();
    tokio::select! {
        () = tokio::time::sleep(time) => {}
        () = signals.heard() => {}
    }
}

async fn leave(app: &App) {
    save(app).await;
    if let Err(error) = jobs::step_down(app).await {
        tracing::warn!(%error, "this node could not hand over the market data updates; another node takes over in 20 seconds");
    }
}

async fn save_now_and_then(app: Arc<App>) {
    loop {
        tokio::time::sleep(Duration::from_secs(30)).await;
        save(&app).await;
    }
}

/// Saves what is collected in memory so that requests need not wait for a write.
async fn save(app: &App) {
    if let Err(error) = tokens::save_last_used(app).await {
        tracing::warn!(%error, "the last-used times of tokens could not be saved");
    }
    if let Err(error) = live::save(app).await {
        tracing::warn!(%error, "live prices could not be saved");
    }
    if let Err(error) = jobs::save_health(app).await {
        tracing::warn!(%error, "the state of the providers could not be saved");
    }
}

/// On a separate address, so that metrics never become public by accident.
async fn metrics(watched: Watched, at: SocketAddr) -> anyhow::Result<impl Future<Output = ()>> {
    let socket = TcpListener::bind(at).await.with_context(|| output::refusal().metrics(at.to_string()))?;
    output::message(&format!("Metrics at http://{}/metrics", socket.local_addr()?));
    let site = serving::wrap(server::metrics::routes(watched), serving::Options::default());
    Ok(serving::serve(socket, site, serving::Limits::default(), std::future::pending()))
}

/// Failures and denied requests.
const LOGGED: &str = "warn,dripline::denied=info";

/// One JSON line per event on stderr; `RUST_LOG` chooses how much.
pub fn start_log() -> anyhow::Result<Log> {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| LOGGED.into());
    // rmcp logs requests and answers, which hold private data.
    let filter = match "rmcp=off".parse() {
        Ok(silence) => filter.add_directive(silence),
        Err(_) => filter,
    };
    let lines = tracing_subscriber::fmt::layer().json().with_writer(std::io::stderr).with_filter(filter);
    let log = tracing_subscriber::registry().with(lines);
    #[cfg(feature = "otel")]
    let (log, sending) = {
        let (traces, sending) = crate::traces::begin()?.unzip();
        (log.with(traces.map(crate::traces::Traces::of_requests)), sending)
    };
    let _ = log.try_init();
    Ok(Log {
        #[cfg(feature = "otel")]
        _traces: sending,
    })
}

/// Keep it as long as there is something to log.
pub struct Log {
    #[cfg(feature = "otel")]
    _traces: Option<crate::traces::Sending>,
}
