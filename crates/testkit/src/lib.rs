//! For tests only: the real service on a real database behind a real socket, with a fixed clock.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

pub mod answer;
mod authority;
mod browser;
mod database;
mod mailbox;
mod node;
mod redis;
pub mod sample;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use app::accounts::{self, SignUp, mail};
use app::authentication::{passwords, tokens};
use app::market::choice;
use app::market::sources::{Budget, Origin, PROVIDER_NAMES, ProviderConfig};
use app::oauth::Documents;
use app::operations::encryption::KeySource;
use app::operations::jobs;
use app::{App, Clock, Configured, Outcome, import, market};
use replay::Replay;
use rustix::time::{ClockId, clock_gettime};
use scratch::Scratch;
use sha2::{Digest, Sha256};
use store::Store;
use store::postgres::Settings;
use store::tokens::NewToken;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use uuid::Uuid;

pub use answer::Answer;
pub use authority::{Authority, pem};
pub use browser::Browser;
pub use mailbox::Mailbox;
pub use node::Node;
pub use redis::Redis;

/// The time of every test that does not choose another.
pub const NOW: &str = "2026-11-15T12:00:00Z";

/// The number of repetitions for tests that depend on chance or races: `share` normally, `all` in the soak.
pub fn tries(share: u32, all: u32) -> u32 {
    if std::env::var_os("DRIPLINE_SOAK").is_some() { all } else { share }
}

/// A running service. Dropping it stops it and deletes its data.
pub struct Service {
    pub app: Arc<App>,
    pub address: SocketAddr,
    pub site: serving::Site,
    runtime: Arc<Runtime>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    location: Arc<DataLocation>,
    documents: Arc<dyn Documents>,
    market: Configured,
}

/// Who may sign up, the mail server, and the limits of the disk.
#[derive(Clone, Copy)]
pub struct ServiceOptions<'a> {
    pub sign_up: SignUp,
    pub mailbox: Option<&'a Mailbox>,
    pub disk: app::operations::disk::Limits,
}

impl Default for ServiceOptions<'_> {
    fn default() -> Self {
        ServiceOptions { sign_up: SignUp::Open, mailbox: None, disk: app::operations::disk::Limits::default() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    /// The engine for suites that run on both.
    pub fn chosen() -> Engine {
        if scratch::is_chosen() { Engine::Postgres } else { Engine::Sqlite }
    }
}

/// Where the data is: a folder, and a database if the tests run on PostgreSQL.
struct DataLocation {
    folder: TempDir,
    scratch: Option<Scratch>,
}

impl DataLocation {
    async fn new() -> Arc<DataLocation> {
        DataLocation::on(Engine::chosen()).await
    }

    async fn on(engine: Engine) -> Arc<DataLocation> {
        let migrate = async |url: String| drop(Store::connect(&Settings::new(&url)).await.unwrap());
        let scratch = match engine {
            Engine::Postgres => Some(Scratch::migrated(migrate).await),
            Engine::Sqlite => None,
        };
        Arc::new(DataLocation { folder: tempfile::tempdir().unwrap(), scratch })
    }

    async fn store(&self) -> Store {
        match &self.scratch {
            Some(scratch) => Store::connect(&Settings { connections: 8, ..Settings::new(&scratch.url()) }).await.unwrap(),
            None => Store::open(self.folder.path()).await.unwrap(),
        }
    }
}

impl Service {
    pub fn start() -> Service {
        Service::start_at(NOW, "")
    }

    /// On the given engine, whatever was chosen for the tests.
    pub fn start_on(engine: Engine) -> Service {
        let runtime = runtime();
        let location = runtime.block_on(DataLocation::on(engine));
        Service::open(Some(location), NOW, "", Configured::default(), documents(), ServiceOptions::default())
    }

    /// With all requests on one thread, for [`Service::longest_turn`].
    pub fn start_on_one_thread() -> Service {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Service::open_on(runtime, None, NOW, "127.0.0.1/32", Configured::default(), documents(), ServiceOptions::default())
    }

    /// The longest CPU time during the work in which the request thread did not yield.
    pub fn longest_turn<T>(&self, work: impl FnOnce() -> T) -> (T, Duration) {
        let working = Arc::new(AtomicBool::new(true));
        let watched = working.clone();
        let watching = self.runtime.spawn(async move {
            let (mut longest, mut before) = (Duration::ZERO, cpu_time(ClockId::ThreadCPUTime));
            while watched.load(Ordering::Relaxed) {
                tokio::task::yield_now().await;
                let now = cpu_time(ClockId::ThreadCPUTime);
                longest = longest.max(now - before);
                before = now;
            }
            longest
        });
        let result = work();
        working.store(false, Ordering::Relaxed);
        (result, self.run(watching).unwrap())
    }

    /// With other disk limits.
    pub fn start_with_disk(disk: app::operations::disk::Limits) -> Service {
        Service::open(None, NOW, "", Configured::default(), documents(), ServiceOptions { disk, ..ServiceOptions::default() })
    }

    /// At another time, or behind trusted proxies.
    pub fn start_at(now: &str, trusted_proxies: &str) -> Service {
        Service::open(None, now, trusted_proxies, Configured::default(), documents(), ServiceOptions::default())
    }

    /// With another source of app metadata.
    pub fn start_with_documents(documents: Arc<dyn Documents>) -> Service {
        Service::open(None, NOW, "", Configured::default(), documents, ServiceOptions::default())
    }

    /// With these providers in this order, imitated by the replay server.
    pub fn start_with_providers(now: &str, replay: &Replay, providers: &[&str]) -> Service {
        let names: Vec<String> = providers.iter().map(|name| (*name).to_owned()).collect();
        let market = Configured { chosen: Some((Origin::Variable, names)), ..configured(replay, "key-of-the-test") };
        Service::open(None, now, "", market, documents(), ServiceOptions::default())
    }

    /// With all providers imitated by the replay server, for the owner to choose from; their keys are not set.
    pub fn start_with_choice(replay: &Replay) -> Service {
        Service::open(None, NOW, "", configured(replay, ""), documents(), ServiceOptions::default())
    }

    /// Another service on the same data: a second node, or the same one after a restart.
    pub fn second_node(&self, now: &str) -> Service {
        self.second_node_with(now, ServiceOptions::default())
    }

    /// The same with other options.
    pub fn second_node_with(&self, now: &str, options: ServiceOptions<'_>) -> Service {
        Service::open(Some(self.location.clone()), now, "", self.market.clone(), self.documents.clone(), options)
    }

    fn open(
        location: Option<Arc<DataLocation>>,
        now: &str,
        trusted_proxies: &str,
        market: Configured,
        documents: Arc<dyn Documents>,
        options: ServiceOptions<'_>,
    ) -> Service {
        Service::open_on(runtime(), location, now, trusted_proxies, market, documents, options)
    }

    fn open_on(
        runtime: Runtime,
        location: Option<Arc<DataLocation>>,
        now: &str,
        trusted_proxies: &str,
        market: Configured,
        documents: Arc<dyn Documents>,
        options: ServiceOptions<'_>,
    ) -> Service {
        let (runtime, started) = (Arc::new(runtime), Instant::now());
        let clock = Clock::Fixed(now.parse().unwrap());
        let location = location.unwrap_or_else(|| runtime.block_on(DataLocation::new()));
        let key = KeySource::DataFolder(location.folder.path().to_owned());
        let mail = options.mailbox.map(|mailbox| mail::Settings::new(&mailbox.url, "drip@example.com").unwrap());
        let app =
            App::new(runtime.block_on(location.store()), clock).with_mail(mail).with_disk(options.disk).with_secret_key(key);
        let app = Arc::new(app.with_configured_sources(market.clone()).unwrap());
        // A database server that many tests share may be late with its first answer.
        while let Err(error) = runtime.block_on(choice::load(&app)) {
            assert!(error.is_outage() && started.elapsed() < Duration::from_secs(60), "{error}");
        }
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let trusted = trusted_proxies.split(',').filter(|cidr| !cidr.is_empty()).map(|cidr| cidr.parse().unwrap()).collect();
        let settings = server::Settings {
            base_url: format!("http://{address}"),
            trusted_proxies: trusted,
            sign_up: options.sign_up,
            documents: documents.clone(),
            redis: None,
            draining: serving::Draining::default(),
            requests_at_once: serving::concurrency(),
        };
        let site = server::site(app.clone(), settings);
        let (stop, stopped) = oneshot::channel::<()>();
        let (in_thread, served) = (runtime.clone(), site.clone());
        let thread = std::thread::spawn(move || {
            let shutdown = async { stopped.await.unwrap_or(()) };
            in_thread.block_on(serving::serve(listener, served, serving::Limits::default(), shutdown));
        });
        Service { app, address, site, runtime, stop: Some(stop), thread: Some(thread), location, documents, market }
    }

    /// The metrics; `redis` is where limits are counted.
    pub fn metrics(&self, redis: Option<Arc<serving::Redis>>) -> String {
        let watched = server::metrics::Watched { app: self.app.clone(), site: self.site.clone(), redis, tls: None };
        self.run(server::metrics::text(&watched)).unwrap()
    }

    /// A browser that is not signed in.
    pub fn browser(&self) -> Browser {
        Browser::new(self.address)
    }

    /// The folder of the database, if it is a file.
    pub fn data_dir(&self) -> &std::path::Path {
        self.location.folder.path()
    }

    pub fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Creates an account and returns a token of it.
    pub fn account(&self, email: &str, currency: &str, residence: Option<&str>) -> String {
        let account = accounts::NewAccount { email, name: None, currency, residence, password: None };
        let id = self.run(accounts::add(&self.app, &account)).unwrap();
        self.run(tokens::create(&self.app, id, "test")).unwrap().token
    }

    /// Sets a password without ending sessions.
    pub fn set_password(&self, email: &str, password: &str) {
        let user_id = self.user_id(email);
        self.run(async {
            let hash = passwords::hash(&self.app, password).await.unwrap();
            let mut tx = self.app.store.write().await.unwrap();
            store::users::set_password_hash(&mut tx, user_id, &hash).await.unwrap();
            tx.commit().await.unwrap();
        });
    }

    pub fn user_id(&self, email: &str) -> Uuid {
        self.run(accounts::id_of(&self.app, email)).unwrap()
    }

    /// A token that expires at this instant. A separate service creates it, because no use case sets an exact expiry.
    pub fn expiring_token(&self, email: &str, expires_at: &str) -> String {
        let elsewhere = Service::start();
        elsewhere.account("x@example.com", "EUR", None);
        let made = elsewhere.run(tokens::create(&elsewhere.app, elsewhere.user_id("x@example.com"), "x")).unwrap();
        let expires_at: jiff::Timestamp = expires_at.parse().unwrap();
        let row = NewToken {
            hash: Sha256::digest(made.token.as_bytes()).into(),
            id: made.id,
            user_id: self.user_id(email),
            name: "ends".to_owned(),
            created_at: 0,
            expires_at: Some(expires_at.as_microsecond()),
        };
        self.run(async {
            let mut tx = self.app.store.write().await.unwrap();
            store::tokens::add(&mut tx, &row).await.unwrap();
            tx.commit().await.unwrap();
        });
        made.token
    }

    /// Asks the providers now, as the command does; panics if it cannot even begin.
    pub fn refresh(&self, symbols: &[&str]) -> Vec<(String, Outcome)> {
        let symbols: Vec<String> = symbols.iter().map(|symbol| (*symbol).to_owned()).collect();
        let refreshed = self.run(jobs::refresh_now(&self.app, &symbols, &|_, _| {})).unwrap();
        let named = |one: jobs::Refreshed| (format!("{} {}", one.topic.as_str(), one.symbol), one.outcome);
        refreshed.into_iter().map(named).collect()
    }

    /// Runs the jobs of a server until the service stops, or they are aborted.
    pub fn start_jobs(&self) -> tokio::task::JoinHandle<()> {
        self.runtime.spawn(jobs::run(self.app.clone()))
    }

    pub fn load(&self, texts: &[(&str, &str)]) {
        let texts: Vec<(&str, String)> = texts.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
        self.run(market::load_texts(&self.app, &texts)).unwrap();
    }

    /// Imports a ledger file; panics if a line is refused.
    pub fn import(&self, email: &str, ledger: &str) -> import::Report {
        let report = self.try_import(email, ledger);
        assert_eq!(report.errors, vec![], "the ledger of the test is refused");
        report
    }

    pub fn try_import(&self, email: &str, ledger: &str) -> import::Report {
        let request = import::Request {
            user_id: self.user_id(email),
            file_name: "ledger.csv",
            bytes: import::FileBytes::Plain(ledger.as_bytes()),
            format: Some("dripline"),
            ..import::Request::default()
        };
        self.run(import::import(&self.app, &request, &|_, _, _| {})).unwrap()
    }

    /// Imports a file of any format; unknown securities are kept under their ISIN.
    pub fn import_file(&self, email: &str, bytes: &[u8], portfolio: Option<&str>) -> Result<import::Report, app::Error> {
        let user_id = self.user_id(email);
        let request = import::Request {
            user_id,
            file_name: "file",
            bytes: import::FileBytes::Plain(bytes),
            portfolio,
            keep_unresolved: true,
            ..import::Request::default()
        };
        self.run(import::import(&self.app, &request, &|_, _, _| {}))
    }

    pub fn get(&self, path: &str, token: Option<&str>) -> Answer {
        self.request("GET", path, token, &[])
    }

    pub fn request(&self, method: &str, path: &str, token: Option<&str>, headers: &[(&str, &str)]) -> Answer {
        answer::fetch(method, &format!("http://{}{path}", self.address), token, headers)
    }
}

/// The CPU time of this process, including the service, during the work.
pub fn cpu_spent(work: impl FnOnce()) -> Duration {
    let before = cpu_time(ClockId::ProcessCPUTime);
    work();
    cpu_time(ClockId::ProcessCPUTime) - before
}

fn cpu_time(of: ClockId) -> Duration {
    let time = clock_gettime(of);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn documents() -> Arc<dyn Documents> {
    Arc::new(server::oauth::document::Fetcher::new(Some(std::net::Ipv4Addr::LOCALHOST.into())))
}

/// Budgets that no test uses up.
fn configured(replay: &Replay, key: &str) -> Configured {
    let config = |name: &&str| ProviderConfig {
        name: (*name).to_owned(),
        key: Some(key.to_owned()).filter(|key| !key.is_empty()),
        url: Some(replay.url(name)),
        budget: Some(Budget { per_minute: 100_000, per_day: 1_000_000 }),
    };
    let names = PROVIDER_NAMES.iter().filter(|name| **name != "files");
    Configured { providers: names.map(config).collect(), ..Configured::default() }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
