//! Configuration: flags beat environment beats `dripline.toml`.

mod backups;
mod database;
mod disk;
mod door;
pub mod file;
mod mail;
mod messages;
mod nodes;
mod providers;
mod secret;
mod secret_key;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use app::accounts::SignUp;
use app::market::sources::{Origin, ProviderConfig};
use app::operations::encryption::KeySource;
use app::{Clock, Configured, PublicHolders};
use clap::builder::{OsStringValueParser, TypedValueParser};
use ipnet::IpNet;
use serving::Redis;
use serving::tls::Files;

use crate::output::{language, setting};
pub use database::Database;
use file::File;

const PROVIDER: &str = "DRIPLINE_PROVIDER";

/// Options every command takes; clap reads each from its flag, else from its variable.
#[derive(clap::Args, Default)]
#[command(next_help_heading = "Settings")]
pub struct Flags {
    /// Data folder, with the embedded database [default: ./data]
    #[arg(long, global = true, env = "DRIPLINE_DATA_DIR", value_parser = path(), value_name = "DIR")]
    data_dir: Option<PathBuf>,

    /// Address to listen on; port 0 picks a free port [default: 127.0.0.1:8080]
    #[arg(long, global = true, env = "DRIPLINE_LISTEN", value_name = "ADDR")]
    listen: Option<String>,

    /// Public URL, used in links [default: http://<listen>, or https:// with a certificate]
    #[arg(long, global = true, env = "DRIPLINE_BASE_URL", value_name = "URL")]
    base_url: Option<String>,

    /// Proxies whose forwarded headers are trusted, as comma-separated CIDRs [default: none]
    #[arg(long, global = true, env = "DRIPLINE_TRUSTED_PROXIES", value_name = "CIDRS", hide = true)]
    trusted_proxies: Option<String>,

    /// Pretend it is this time (RFC 3339); for demos and tests
    #[arg(long, global = true, env = "DRIPLINE_NOW", value_name = "INSTANT", hide = true)]
    now: Option<String>,

    /// Configuration file [default: dripline.toml, if it exists]
    #[arg(long, global = true, env = "DRIPLINE_CONFIG", value_parser = path(), value_name = "FILE")]
    config: Option<PathBuf>,

    /// Use PostgreSQL instead of the embedded database, for example postgres://user:password@host:5432/dripline [default: none]
    #[arg(long, global = true, env = "DRIPLINE_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database_url: Option<String>,

    /// Redis for rate limits that several servers share [default: none]
    #[arg(long, global = true, env = "DRIPLINE_REDIS_URL", value_name = "URL", hide_env_values = true)]
    redis_url: Option<String>,

    /// Who may sign up in the web app: open, invite or closed [default: invite]
    #[arg(long, global = true, env = "DRIPLINE_SIGN_UP", value_name = "RULE", hide = true)]
    sign_up: Option<String>,

    /// Market-data providers in order of preference: yahoo, fmp, alphavantage, eodhd, ecb, files [default: chosen by the owner in the web app]
    #[arg(long, global = true, env = "DRIPLINE_PROVIDER", value_name = "NAMES")]
    provider: Option<String>,

    /// Separate address for Prometheus metrics [default: none]
    #[arg(long, global = true, env = "DRIPLINE_METRICS_LISTEN", value_name = "ADDR", hide = true)]
    metrics_listen: Option<String>,

    /// Certificate chain (PEM) for HTTPS [default: none, plain HTTP]
    #[arg(long, global = true, env = "DRIPLINE_TLS_CERT", value_parser = path(), value_name = "FILE", hide = true)]
    tls_cert: Option<PathBuf>,

    /// Private key of the certificate (PEM)
    #[arg(long, global = true, env = "DRIPLINE_TLS_KEY", value_parser = path(), value_name = "FILE", hide = true)]
    tls_key: Option<PathBuf>,
}

/// What the program runs with.
pub struct Settings {
    pub data_dir: PathBuf,
    pub listen: SocketAddr,
    pub base_url: Option<String>,
    pub trusted_proxies: Vec<IpNet>,
    pub clock: Clock,
    pub sign_up: SignUp,
    pub mail: Option<app::accounts::mail::Settings>,
    pub mail_from: Option<String>,
    pub market: Configured,
    pub metrics_listen: Option<SocketAddr>,
    /// None: the embedded one.
    pub database: Option<Database>,
    pub redis: Option<Arc<Redis>>,
    pub redis_ca: Option<PathBuf>,
    /// Encrypts secrets in the database.
    pub secret_key: KeySource,
    pub drain: Duration,
    /// Automatic backups of the embedded database, if any.
    pub backups: Option<app::operations::backups::Plan>,
    /// None: plain HTTP.
    pub tls: Option<Files>,
    pub connections_per_client: usize,
    pub requests_at_once: usize,
    /// How many users must hold or watch a stock before strangers see it.
    pub public_holders: PublicHolders,
    pub disk: app::operations::disk::Limits,
    /// One more language for the pages.
    pub messages: Option<PathBuf>,
}

impl Settings {
    /// The address that links start with.
    pub fn public_url(&self) -> String {
        self.base_url.clone().unwrap_or_else(|| self.url_of(self.listen))
    }

    /// The URL of a listening address.
    pub fn url_of(&self, address: SocketAddr) -> String {
        format!("{}://{address}", if self.tls.is_some() { "https" } else { "http" })
    }

    /// Reads the file with one more language, for those who serve pages.
    pub fn load_messages(&self) -> anyhow::Result<()> {
        messages::load(self.messages.as_deref())
    }
}

impl Flags {
    pub fn settings(self) -> anyhow::Result<Settings> {
        let flags = self.given();
        let file = File::read(flags.config.as_deref())?;
        let variable = |name: &str| std::env::var(name).ok();
        let connections_per_client = door::connections_per_client(&file, &variable)?;
        let requests_at_once = door::requests_at_once(&file, &variable)?;
        let public_holders = door::public_holders(&file, &variable)?;
        let disk = disk::read(&file, &variable)?;
        let messages = messages::read(&file, &variable);
        let (mail, mail_from) = (mail::read(&file, &variable)?, mail::from(&file, &variable));
        let database = database::read(flags.database_url, &file, &variable)?;
        let (redis_ca, drain) = (nodes::redis_ca(&file, &variable), nodes::drain(&file, &variable)?);
        let redis = nodes::redis(flags.redis_url, redis_ca.as_deref(), &file, &variable)?;
        let data_dir = flags.data_dir.or(file.data_dir.clone()).unwrap_or_else(|| PathBuf::from("./data"));
        let secret_key = secret_key::read(&file, &variable, &data_dir)?;
        let backups = backups::read(&file, &variable, &data_dir, database.is_none())?;
        let listen = flags.listen.or(file.listen).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
        let trusted = flags
            .trusted_proxies
            .map(|list| list.split(',').map(str::to_owned).collect())
            .or(file.trusted_proxies)
            .unwrap_or_default();
        let provider = provider_setting(flags.provider.as_deref(), file.provider.as_deref(), &variable);
        let market = providers::read(provider, &file.providers, &variable, &data_dir)?;
        Ok(Settings {
            backups,
            data_dir,
            database,
            redis,
            redis_ca,
            secret_key,
            drain,
            tls: door::tls(flags.tls_cert.or(file.tls_cert), flags.tls_key.or(file.tls_key))?,
            connections_per_client,
            requests_at_once,
            public_holders,
            disk,
            messages,
            mail,
            mail_from,
            sign_up: flags.sign_up.or(file.sign_up).map(|rule| sign_up(&rule)).transpose()?.unwrap_or_default(),
            market,
            metrics_listen: flags.metrics_listen.or(file.metrics_listen).map(|text| address(&text)).transpose()?,
            listen: address(&listen)?,
            base_url: flags.base_url.or(file.base_url).map(|url| url.trim_end_matches('/').to_owned()),
            trusted_proxies: trusted.iter().map(|cidr| network(cidr)).collect::<anyhow::Result<_>>()?,
            clock: flags.now.or(file.now).map(|now| fixed_clock(&now)).transpose()?.unwrap_or_default(),
        })
    }

    /// Treats empty variables, which container files often set, as unset.
    fn given(self) -> Flags {
        let text = |value: Option<String>| value.filter(|text| !text.trim().is_empty());
        let path = |value: Option<PathBuf>| value.filter(|path| !path.as_os_str().is_empty());
        Flags {
            data_dir: path(self.data_dir),
            listen: text(self.listen),
            base_url: text(self.base_url),
            trusted_proxies: text(self.trusted_proxies),
            now: text(self.now),
            config: path(self.config),
            database_url: text(self.database_url),
            redis_url: text(self.redis_url),
            sign_up: text(self.sign_up),
            provider: text(self.provider),
            metrics_listen: text(self.metrics_listen),
            tls_cert: path(self.tls_cert),
            tls_key: path(self.tls_key),
        }
    }
}

/// clap reads the variable where the flag is not given.
fn provider_setting<'a>(
    given: Option<&'a str>,
    file: Option<&'a str>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Option<(Origin, &'a str)> {
    match given {
        Some(list) if variable(PROVIDER).as_deref() == Some(list) => Some((Origin::Variable, list)),
        Some(list) => Some((Origin::Flag, list)),
        None => file.map(|list| (Origin::File, list)),
    }
}

/// Unlike clap's own parser, accepts an empty variable.
fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// An address with a port. `:8080` means loopback; listening elsewhere must be explicit.
fn address(text: &str) -> anyhow::Result<SocketAddr> {
    let full = match text.strip_prefix(':') {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.replace("localhost:", "127.0.0.1:"),
    };
    let address = full.parse().ok();
    address.with_context(|| setting().listen(text))
}

fn network(cidr: &str) -> anyhow::Result<IpNet> {
    let cidr = cidr.trim();
    let network = cidr.parse::<IpNet>().or_else(|_| cidr.parse::<std::net::IpAddr>().map(IpNet::from));
    network.ok().with_context(|| setting().trusted_proxy(cidr))
}

fn fixed_clock(text: &str) -> anyhow::Result<Clock> {
    let instant = text.parse::<jiff::Timestamp>();
    let instant = instant.ok().with_context(|| setting().now(text))?;
    Ok(Clock::Fixed(instant))
}

fn sign_up(word: &str) -> anyhow::Result<SignUp> {
    SignUp::parse(word.trim()).with_context(|| setting().sign_up(word))
}

/// The settings as `dripline.toml`. Secrets are only mentioned, never printed.
pub fn print(settings: &Settings) -> String {
    let quoted = |text: String| toml::Value::String(text).to_string();
    let proxies: Vec<String> = settings.trusted_proxies.iter().map(|network| quoted(network.to_string())).collect();
    let now = match settings.clock {
        Clock::System => "# now = the system's clock".to_owned(),
        Clock::Fixed(instant) => format!("now = {}", quoted(instant.to_string())),
    };
    let from = settings.mail_from.clone().map_or(String::new(), |from| format!("mail_from = {}\n", quoted(from)));
    let mail = if settings.mail.is_some() { "# smtp_url is set\n" } else { "" };
    let provider = match &settings.market.chosen {
        None => format!("# {}\n", setting().provider_of_owner),
        Some((origin, names)) => {
            let names = if names.is_empty() { "none".to_owned() } else { names.join(",") };
            format!("# {}\nprovider = {}\n", ::messages::providers::origin(language(), origin), quoted(names))
        }
    };
    let metrics = settings.metrics_listen.map_or(String::new(), |at| format!("metrics_listen = {}\n", quoted(at.to_string())));
    let nodes = nodes::print(settings.redis.is_some(), settings.redis_ca.as_deref(), settings.drain);
    let secret_key = secret_key::print(&settings.secret_key);
    let backups = backups::print(settings.backups.as_ref());
    let door = door::print(settings);
    let disk = disk::print(settings.disk);
    let messages = messages::print(settings.messages.as_deref());
    let database = settings.database.as_ref().map_or(String::new(), database::print);
    let tables: Vec<String> = settings.market.providers.iter().filter_map(provider_table).collect();
    format!(
        "listen = {}\ndata_dir = {}\nbase_url = {}\ntrusted_proxies = [{}]\nsign_up = {}\n{door}{disk}{messages}{database}{secret_key}{backups}{nodes}{mail}{from}{metrics}{provider}{now}{}",
        quoted(settings.listen.to_string()),
        quoted(settings.data_dir.display().to_string()),
        quoted(settings.public_url()),
        proxies.join(", "),
        quoted(settings.sign_up.word().to_owned()),
        tables.concat()
    )
}

fn provider_table(provider: &ProviderConfig) -> Option<String> {
    let quoted = |text: String| toml::Value::String(text).to_string();
    let lines = [
        provider.key.as_ref().map(|_| "# key is set\n".to_owned()),
        provider.url.as_deref().map(|url| match url.contains('@') {
            true => "# url is set, with a password\n".to_owned(),
            false => format!("url = {}\n", quoted(url.to_owned())),
        }),
        provider.budget.map(|budget| format!("budget = {}\n", quoted(budget.to_string()))),
    ];
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    (!lines.is_empty()).then(|| format!("\n\n[providers.{}]\n{}", provider.name, lines.concat().trim_end()))
}
