//! `dripline serve`

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use app::{App, jobs, live, tokens};
use server::http;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinSet;

use crate::config::Settings;
use crate::output;

pub async fn run(settings: Settings) -> anyhow::Result<ExitCode> {
    start_log();
    let app = super::open_asking(&settings).await?;
    let listener = bind(&settings).await?;
    let url = format!("http://{}", listener.local_addr()?);
    output::message(&format!("dripline serves on {url}; stop it with Ctrl-C"));
    output::result(&url);
    serve(Arc::new(app), listener, settings).await
}

/// A bound address, and an ear for the signals that end the service: whoever has read the address may send one.
pub struct Listener {
    socket: TcpListener,
    terminate: Signal,
    interrupt: Signal,
}

impl Listener {
    pub fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

pub async fn bind(settings: &Settings) -> anyhow::Result<Listener> {
    let socket = TcpListener::bind(settings.listen).await.with_context(|| {
        format!("{} cannot be served on; is another program using the port? Choose one with --listen", settings.listen)
    })?;
    let hear = |kind| signal(kind).context("signals cannot be received");
    Ok(Listener { socket, terminate: hear(SignalKind::terminate())?, interrupt: hear(SignalKind::interrupt())? })
}

/// Serves until SIGTERM or SIGINT, then finishes what runs.
pub async fn serve(app: Arc<App>, listener: Listener, settings: Settings) -> anyhow::Result<ExitCode> {
    let base_url = match settings.base_url {
        Some(url) => url,
        None => format!("http://{}", listener.local_addr()?),
    };
    // Behind a proxy the service listens on loopback, too, and is for everybody.
    let public = url::Url::parse(&base_url).ok().and_then(|url| url.host().map(|host| host.to_owned()));
    let own = match &public {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    let own_machine_only = Some(listener.local_addr()?.ip()).filter(|ip| own && ip.is_loopback());
    let site = server::Settings {
        base_url,
        trusted_proxies: settings.trusted_proxies,
        sign_up: settings.sign_up,
        documents: Arc::new(server::oauth::document::Fetcher::new(own_machine_only)),
    };
    let site = server::site(app.clone(), site);
    let Listener { socket, mut terminate, mut interrupt } = listener;
    let shutdown = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    let mut beside = JoinSet::new();
    beside.spawn(save_now_and_then(app.clone()));
    beside.spawn(jobs::run(app.clone()));
    if let Some(at) = settings.metrics_listen {
        beside.spawn(metrics(app.clone(), at).await?);
    }
    http::serve(socket, site, http::Limits::default(), shutdown).await;
    beside.shutdown().await;
    save(&app).await;
    if let Err(error) = jobs::step_down(&app).await {
        tracing::warn!(%error, "another node takes over the refresh of market data only in a while");
    }
    Ok(ExitCode::SUCCESS)
}

async fn save_now_and_then(app: Arc<App>) {
    loop {
        tokio::time::sleep(Duration::from_secs(30)).await;
        save(&app).await;
    }
}

/// What is gathered in memory so that no request has to wait for a write.
async fn save(app: &App) {
    if let Err(error) = tokens::save_last_used(app).await {
        tracing::warn!(%error, "when tokens were last used could not be saved");
    }
    if let Err(error) = live::save(app).await {
        tracing::warn!(%error, "prices that were seen could not be saved");
    }
    if let Err(error) = jobs::save_health(app).await {
        tracing::warn!(%error, "how the providers are doing could not be saved");
    }
}

/// On an address of its own, so that it is never public by accident.
async fn metrics(app: Arc<App>, at: SocketAddr) -> anyhow::Result<impl Future<Output = ()>> {
    let socket = TcpListener::bind(at).await.with_context(|| format!("metrics cannot be served on {at}"))?;
    output::message(&format!("metrics on http://{}/metrics", socket.local_addr()?));
    let site = http::wrap(server::metrics::routes(app), http::Options::default());
    Ok(http::serve(socket, site, http::Limits::default(), std::future::pending()))
}

/// One JSON line per event on stderr; `RUST_LOG` chooses how much.
pub fn start_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "warn".into());
    // It writes down what is asked and answered, which is nobody's to read.
    let filter = match "rmcp=off".parse() {
        Ok(silence) => filter.add_directive(silence),
        Err(_) => filter,
    };
    let _ = tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(std::io::stderr).try_init();
}
