//! Which database: PostgreSQL where its address is set, else the embedded one. The addresses hold passwords.

use std::path::PathBuf;

use anyhow::{Context, bail};
use app::postgres;

use super::file::File;
use super::secret::Secret;
use crate::output::setting;

#[derive(Clone)]
pub struct Database {
    pub url: String,
    /// For reads that may lag slightly.
    pub replica_url: Option<String>,
    /// Connections of this node for transactions.
    pub connections: usize,
    /// Behind a pooler that gives each transaction another connection.
    pub transaction_pooler: bool,
    /// Certificate authority that replaces the system's.
    pub ca: Option<PathBuf>,
}

const CONNECTIONS: usize = 16;
const CONNECTIONS_MAX: usize = 1000;

pub fn read(given: Option<String>, file: &File, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Option<Database>> {
    let set = |name: &str| variable(name).filter(|text| !text.trim().is_empty());
    let url = address(
        Secret {
            name: "DRIPLINE_DATABASE_URL",
            given,
            in_file: file.database_url.as_deref(),
            in_file_path: file.database_url_file.as_deref(),
        },
        variable,
    )?;
    let replica_url = address(
        Secret {
            name: "DRIPLINE_DATABASE_REPLICA_URL",
            given: variable("DRIPLINE_DATABASE_REPLICA_URL"),
            in_file: file.database_replica_url.as_deref(),
            in_file_path: file.database_replica_url_file.as_deref(),
        },
        variable,
    )?;
    let Some(url) = url else {
        if replica_url.is_some() {
            bail!(setting().replica_alone);
        }
        return Ok(None);
    };
    let connections = set("DRIPLINE_DATABASE_CONNECTIONS").or(file.database_connections.map(|count| count.to_string()));
    let pooler = set("DRIPLINE_DATABASE_POOLER").or(file.database_pooler.clone());
    Ok(Some(Database {
        url,
        replica_url,
        connections: connections.map_or(Ok(CONNECTIONS), |text| count(&text))?,
        transaction_pooler: pooler.map_or(Ok(false), |word| is_transaction(&word))?,
        ca: set("DRIPLINE_DATABASE_CA").map(PathBuf::from).or(file.database_ca.clone()),
    }))
}

impl Database {
    pub fn settings(&self) -> postgres::Settings {
        postgres::Settings {
            replica_url: self.replica_url.clone(),
            connections: self.connections,
            transaction_pooler: self.transaction_pooler,
            ca: self.ca.clone(),
            ..postgres::Settings::new(&self.url)
        }
    }
}

/// As lines of `dripline.toml`.
pub fn print(database: &Database) -> String {
    let quoted = |text: String| toml::Value::String(text).to_string();
    let replica = if database.replica_url.is_some() { "# database_replica_url is set\n" } else { "" };
    let pooler = if database.transaction_pooler { "transaction" } else { "none" };
    let ca = database.ca.as_ref().map_or(String::new(), |ca| format!("database_ca = {}\n", quoted(ca.display().to_string())));
    format!(
        "# database_url is set\n{replica}database_connections = {}\ndatabase_pooler = \"{pooler}\"\n{ca}",
        database.connections
    )
}

fn address(secret: Secret<'_>, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Option<String>> {
    let name = secret.name;
    let Some(url) = secret.read(variable)? else { return Ok(None) };
    if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
        bail!(setting().postgres_address(name));
    }
    Ok(Some(url))
}

fn count(text: &str) -> anyhow::Result<usize> {
    let count = text.trim().parse().ok().filter(|count| (1..=CONNECTIONS_MAX).contains(count));
    count.with_context(|| setting().number("DRIPLINE_DATABASE_CONNECTIONS", text, 1, CONNECTIONS_MAX))
}

fn is_transaction(word: &str) -> anyhow::Result<bool> {
    match word.trim() {
        "none" => Ok(false),
        "transaction" => Ok(true),
        _ => bail!(setting().pooler(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "postgres://drip:PASSWORD@one:5432,two:5432/drip?sslmode=require";

    fn read_with(url: Option<&str>, variables: &[(&str, &str)]) -> anyhow::Result<Option<Database>> {
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        read(url.map(str::to_owned), &File::default(), &variable)
    }

    #[test]
    fn without_an_address_the_database_is_the_embedded_one() {
        assert!(read_with(None, &[]).unwrap().is_none());
        assert!(read_with(Some(" "), &[("DRIPLINE_DATABASE_URL_FILE", "")]).unwrap().is_none());
        assert!(read_with(None, &[("DRIPLINE_DATABASE_CONNECTIONS", "5")]).unwrap().is_none());
    }

    #[test]
    fn an_address_is_enough_and_everything_else_has_a_default() {
        let database = read_with(Some(URL), &[]).unwrap().unwrap();
        assert_eq!((database.url.as_str(), database.connections, database.transaction_pooler), (URL, 16, false));
        assert!(database.replica_url.is_none() && database.ca.is_none());
        let chosen = [
            ("DRIPLINE_DATABASE_REPLICA_URL", "postgresql://copy/drip"),
            ("DRIPLINE_DATABASE_CONNECTIONS", "1000"),
            ("DRIPLINE_DATABASE_POOLER", "transaction"),
            ("DRIPLINE_DATABASE_CA", "/etc/ca.pem"),
        ];
        let database = read_with(Some(URL), &chosen).unwrap().unwrap();
        assert_eq!(database.replica_url.as_deref(), Some("postgresql://copy/drip"));
        assert_eq!((database.connections, database.transaction_pooler), (1000, true));
        assert_eq!(database.ca, Some(PathBuf::from("/etc/ca.pem")));
    }

    #[test]
    fn an_address_may_be_read_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("url");
        std::fs::write(&path, format!("{URL}\n")).unwrap();
        let path = path.to_str().unwrap();
        assert_eq!(read_with(None, &[("DRIPLINE_DATABASE_URL_FILE", path)]).unwrap().unwrap().url, URL);
        let replica = [("DRIPLINE_DATABASE_REPLICA_URL_FILE", path)];
        assert_eq!(read_with(Some(URL), &replica).unwrap().unwrap().replica_url.as_deref(), Some(URL));
    }

    #[test]
    fn an_error_never_shows_the_password() {
        for (url, variables, part) in [
            (Some("mysql://u:PASSWORD@h/d"), vec![], "DRIPLINE_DATABASE_URL is not a PostgreSQL address"),
            (Some("host=h password=PASSWORD"), vec![], "Set it to one such as postgres://"),
            (Some(URL), vec![("DRIPLINE_DATABASE_URL_FILE", "x")], "Keep one"),
            (Some(URL), vec![("DRIPLINE_DATABASE_REPLICA_URL", "u:PASSWORD")], "DRIPLINE_DATABASE_REPLICA_URL is not"),
            (None, vec![("DRIPLINE_DATABASE_REPLICA_URL", URL)], "without DRIPLINE_DATABASE_URL"),
            (None, vec![("DRIPLINE_DATABASE_URL_FILE", "/nonexistent/url")], "/nonexistent/url"),
            (Some(URL), vec![("DRIPLINE_DATABASE_CONNECTIONS", "0")], "from 1 to 1000"),
            (Some(URL), vec![("DRIPLINE_DATABASE_CONNECTIONS", "1001")], "from 1 to 1000"),
            (Some(URL), vec![("DRIPLINE_DATABASE_CONNECTIONS", "many")], "\"many\""),
            (Some(URL), vec![("DRIPLINE_DATABASE_POOLER", "session")], "must be none or transaction"),
        ] {
            let error = format!("{:#}", read_with(url, &variables).err().unwrap());
            assert!(error.contains(part) && !error.contains("PASSWORD"), "{error}");
        }
    }
}
