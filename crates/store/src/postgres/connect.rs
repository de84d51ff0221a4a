//! Database addresses and connections.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::select_ok;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio::task::JoinHandle;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::wait_budget::SERVICE_WAIT_LIMIT;
use crate::Error;
use crate::error::{AuthorityProblem, Bug, SetupProblem};

/// How to reach and use a PostgreSQL. No `Debug`: the address contains a password.
#[derive(Clone)]
pub struct Settings {
    pub url: String,
    /// A replica that may lag.
    pub replica_url: Option<String>,
    /// For transactions; there are a few more for look-ups.
    pub connections: usize,
    /// Whether a pooler assigns connections per transaction, so that prepared statements do not persist.
    pub transaction_pooler: bool,
    /// The CA of the database's certificate; without one, the system's CAs are trusted.
    pub ca: Option<PathBuf>,
    /// The total time that one transaction or look-up, or everything in [`TimeWaited::counting`](super::TimeWaited::counting),
    /// may wait.
    pub wait_limit: Duration,
}

impl Settings {
    pub fn new(url: &str) -> Settings {
        Settings {
            url: url.to_owned(),
            replica_url: None,
            connections: 16,
            transaction_pooler: false,
            ca: None,
            wait_limit: Duration::from_secs(60),
        }
    }

    /// For a service, whose users are better served by a quick error.
    pub fn for_service(self) -> Settings {
        Settings { wait_limit: SERVICE_WAIT_LIMIT, ..self }
    }
}

pub(super) const CONNECT_TIME: Duration = Duration::from_millis(1500);

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    Primary,
    Replica,
}

/// Connection settings: one configuration per host in the address.
#[derive(Clone)]
pub(super) struct Address {
    hosts: Vec<Config>,
    tls: MakeRustlsConnect,
}

impl Address {
    pub(super) fn new(url: &str, role: Role, settings: &Settings) -> Result<Address, Error> {
        let mut config = parse(url)?;
        config.application_name("dripline").connect_timeout(CONNECT_TIME).tcp_user_timeout(Duration::from_secs(5));
        config.keepalives_idle(Duration::from_secs(30));
        if role == Role::Primary && config.get_target_session_attrs() == TargetSessionAttrs::Any {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        // A pooler refuses unknown options; with one, the operator sets them for the database user.
        if !settings.transaction_pooler {
            let statement_ms = settings.wait_limit.as_millis() * 3;
            let given = config.get_options().unwrap_or_default().to_owned();
            config.options(format!("-c statement_timeout={statement_ms} -c idle_in_transaction_session_timeout=60000 {given}"));
        }
        let hosts = (0..config.get_hosts().len()).map(|index| one_host(&config, index)).collect();
        Ok(Address { hosts, tls: MakeRustlsConnect::new(tls(settings)?) })
    }

    /// Connects to all hosts at once and takes the first that accepts, so that a silent one delays nobody. A separate task drives
    /// the connection until its client is dropped.
    pub(super) async fn connect(&self) -> Result<(Client, JoinHandle<()>), tokio_postgres::Error> {
        let attempts = self.hosts.iter().map(|host| Box::pin(self.connect_to(host)));
        Ok(select_ok(attempts).await?.0)
    }

    async fn connect_to(&self, host: &Config) -> Result<(Client, JoinHandle<()>), tokio_postgres::Error> {
        // A socket has no host name for a certificate, and without TLS none is needed.
        if host.get_ssl_mode() == SslMode::Disable {
            let (client, connection) = host.connect(NoTls).await?;
            return Ok((client, driven(connection)));
        }
        let (client, connection) = host.connect(self.tls.clone()).await?;
        Ok((client, driven(connection)))
    }
}

/// Errors reach whoever uses the client.
fn driven(connection: impl Future<Output = Result<(), tokio_postgres::Error>> + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(async move { drop(connection.await) })
}

fn one_host(all: &Config, index: usize) -> Config {
    let mut one = Config::new();
    let ports = all.get_ports();
    match &all.get_hosts()[index] {
        Host::Tcp(name) => one.host(name),
        Host::Unix(path) => one.host_path(path),
    };
    one.port(ports.get(index).or(ports.first()).copied().unwrap_or(5432));
    all.get_hostaddrs().get(index).map(|address| one.hostaddr(*address));
    all.get_user().map(|user| one.user(user));
    all.get_password().map(|password| one.password(password));
    all.get_dbname().map(|name| one.dbname(name));
    all.get_options().map(|options| one.options(options));
    all.get_application_name().map(|name| one.application_name(name));
    all.get_tcp_user_timeout().map(|time| one.tcp_user_timeout(*time));
    one.ssl_mode(all.get_ssl_mode()).channel_binding(all.get_channel_binding()).connect_timeout(CONNECT_TIME);
    one.keepalives_idle(all.get_keepalives_idle()).target_session_attrs(all.get_target_session_attrs());
    one
}

/// Addresses without an `sslmode` use TLS whenever the connection goes over a network.
fn parse(url: &str) -> Result<Config, Error> {
    // The certificate is always verified; other programs have separate modes for that.
    let url = url.replace("sslmode=verify-full", "sslmode=require").replace("sslmode=verify-ca", "sslmode=require");
    let mut config: Config = url.parse().map_err(|_| SetupProblem::MalformedUrl)?;
    if !url.contains("sslmode=") {
        let near = |host: &Host| match host {
            Host::Unix(_) => true,
            Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback()),
        };
        config.ssl_mode(if config.get_hosts().iter().all(near) { SslMode::Disable } else { SslMode::Require });
    }
    Ok(config)
}

fn tls(settings: &Settings) -> Result<ClientConfig, Error> {
    let mut roots = RootCertStore::empty();
    match &settings.ca {
        Some(path) => {
            let problem = |problem| Error::from(SetupProblem::CertificateAuthority { path: path.clone(), problem });
            for certificate in CertificateDer::pem_file_iter(path).map_err(|_| problem(AuthorityProblem::Unreadable))? {
                let certificate = certificate.map_err(|_| problem(AuthorityProblem::NotPem))?;
                roots.add(certificate).map_err(|_| problem(AuthorityProblem::BadCertificate))?;
            }
            if roots.is_empty() {
                return Err(problem(AuthorityProblem::NoCertificate));
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| Bug::Tls { cause: error.to_string() })?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remote_server_is_reached_with_tls_unless_the_address_disables_it() {
        for (url, expected) in [
            ("postgres://u@localhost/d", SslMode::Disable),
            ("postgres://u@127.0.0.1,[::1]/d", SslMode::Disable),
            ("postgres://u@%2Frun%2Fpostgresql/d", SslMode::Disable),
            ("postgres://u@db.example.com/d", SslMode::Require),
            ("postgres://u@127.0.0.1,db.example.com/d", SslMode::Require),
            ("postgres://u@db.example.com/d?sslmode=disable", SslMode::Disable),
            ("postgres://u@db.example.com/d?sslmode=verify-full", SslMode::Require),
            ("postgres://u@localhost/d?sslmode=prefer", SslMode::Prefer),
        ] {
            assert_eq!(parse(url).unwrap().get_ssl_mode(), expected, "{url}");
        }
    }

    #[test]
    fn each_host_has_its_own_port_and_the_shared_settings() {
        let address = Address::new("postgres://u:p@a:1,b:2/d?sslmode=disable", Role::Primary, &Settings::new("")).unwrap();
        let ports: Vec<&[u16]> = address.hosts.iter().map(Config::get_ports).collect();
        assert_eq!(ports, [[1], [2]]);
        for host in &address.hosts {
            assert_eq!((host.get_user(), host.get_password(), host.get_dbname()), (Some("u"), Some(&b"p"[..]), Some("d")));
            assert!(host.get_options().is_some_and(|options| options.contains("statement_timeout=180000")));
        }
    }

    #[test]
    fn a_malformed_url_is_refused_without_repeating_it() {
        assert_eq!(parse("postgres://u:PASSWORD@host:port/d").unwrap_err(), SetupProblem::MalformedUrl.into());
    }

    #[test]
    fn connections_go_to_the_primary_by_default() {
        let settings = Settings::new("");
        let attributes = |url: &str, role| Address::new(url, role, &settings).unwrap().hosts[0].get_target_session_attrs();
        assert_eq!(attributes("postgres://u@localhost/d", Role::Primary), TargetSessionAttrs::ReadWrite);
        assert_eq!(attributes("postgres://u@localhost/d", Role::Replica), TargetSessionAttrs::Any);
    }
}
