//! The binary with its own data folder and a fixed date.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rusqlite::Connection;
use rusqlite::types::Value as SqlValue;
use serde_json::Value;
use tempfile::TempDir;

pub const NOW: &str = "2026-11-15T12:00:00Z";
pub const ANA: &str = "ana@example.com";
pub const BEN: &str = "ben@example.com";

pub struct Dripline {
    folder: TempDir,
}

/// How a command ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Dripline {
    pub fn new() -> Dripline {
        Dripline { folder: tempfile::tempdir().unwrap() }
    }

    /// With two accounts and a little market data.
    pub fn with_accounts() -> Dripline {
        let dripline = Dripline::new();
        dripline.done(&["user", "add", ANA, "--residence", "ES"]);
        dripline.done(&["user", "add", BEN, "--currency", "USD"]);
        dripline.load_market();
        dripline
    }

    pub fn load_market(&self) {
        let stocks = "symbol,name,currency,exchange,type,isin,country,price\n\
            KO,Coca-Cola,USD,NYSE,EQUITY,US1912161007,US,70\n\
            IBE.MC,Iberdrola,EUR,BME,EQUITY,ES0144580Y14,ES,15\n\
            DGE.L,Diageo,GBp,LSE,EQUITY,GB0002374006,GB,2500\n";
        let fx = "date,currency,rate\n2020-01-02,USD,1.10\n2026-11-13,USD,1.08\n2026-11-13,GBP,0.85\n";
        self.write("market/stocks.csv", stocks);
        self.write("market/fx.csv", fx);
        self.done(&["market", "load", "market"]);
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn data_dir(&self) -> PathBuf {
        self.path().join("data")
    }

    /// Writes a file below the working folder and returns its name, as given.
    pub fn write<'a>(&self, name: &'a str, content: impl AsRef<[u8]>) -> &'a str {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        name
    }

    /// The command with a clean environment except for data folder and date.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dripline"));
        command.args(arguments).current_dir(self.path()).env_clear();
        command.env("DRIPLINE_NOW", NOW).env("DRIPLINE_DATA_DIR", self.data_dir());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        ran(self.command(arguments).output().unwrap())
    }

    /// Runs a command that must succeed and returns its output.
    pub fn done(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.stdout
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let stdout = self.done(arguments);
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error} in {stdout}"))
    }

    /// Runs a command that must fail with exit code 1, mention all these words, and change nothing.
    pub fn refused(&self, arguments: &[&str], words: &[&str]) {
        let before = self.rows();
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{arguments:?}");
        ran.says(words);
        assert_eq!(self.rows(), before, "{arguments:?} changed something");
    }

    /// Every row of the database.
    fn rows(&self) -> Vec<String> {
        let path = self.data_dir().join("dripline.db");
        if !path.exists() {
            self.done(&["user", "list"]);
        }
        let database = Connection::open(path).unwrap();
        let rows = |sql: &str| -> Vec<Vec<SqlValue>> {
            let mut statement = database.prepare(sql).unwrap();
            let columns = statement.column_count();
            let rows = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect()).unwrap();
            rows.map(Result::unwrap).collect()
        };
        let tables = rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").into_iter().flatten();
        let of_table = |table: SqlValue| {
            let SqlValue::Text(table) = table else { unreachable!() };
            rows(&format!("SELECT * FROM {table}")).into_iter().map(move |row| format!("{table}: {row:?}"))
        };
        tables.flat_map(of_table).collect()
    }

    /// Every listing and every ledger.
    pub fn everything(&self) -> Vec<String> {
        let mut all = vec![self.done(&["user", "list", "--json"]), self.done(&["market", "status", "--json"])];
        for user in self.json(&["user", "list", "--json"]).as_array().unwrap() {
            let email = user["email"].as_str().unwrap();
            all.extend(["token", "portfolio", "radar"].map(|what| self.done(&[what, "list", "--user", email, "--json"])));
            all.push(self.export(email));
        }
        all
    }

    pub fn export(&self, email: &str) -> String {
        self.done(&["export", "--user", email])
    }

    /// Entries in the ledger: the lines of its export below the header.
    pub fn entries(&self, email: &str) -> usize {
        self.export(email).lines().count() - 1
    }
}

impl Ran {
    pub fn says(&self, words: &[&str]) {
        for word in words {
            assert!(self.stderr.contains(word), "{word:?} is not said in {:?}", self.stderr);
        }
    }
}

pub fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
