//! Databases to copy from and into, with direct access to their content.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::Value;
use scratch::Scratch;
use store::Store;
use store::copy::{self, Copied, TABLES, Table};
use store::postgres::Settings;
use store::statement::Type;
use tempfile::TempDir;

pub struct File {
    pub store: Store,
    folder: TempDir,
}

impl File {
    pub async fn new() -> File {
        let folder = tempfile::tempdir().unwrap();
        File { store: Store::open(folder.path()).await.unwrap(), folder }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("dripline.db")
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn raw(&self) -> Connection {
        Connection::open(self.path()).unwrap()
    }

    pub fn change(&self, sql: &str) {
        self.raw().execute_batch(sql).unwrap();
    }

    pub fn content(&self) -> Content {
        file_content(&self.path())
    }
}

pub struct Server {
    pub store: Store,
    pub scratch: Scratch,
}

impl Server {
    pub async fn new() -> Server {
        let migrate = async |url: String| drop(Store::connect(&Settings::new(&url)).await.unwrap());
        let scratch = Scratch::migrated(migrate).await;
        Server { store: Store::connect(&Settings::new(&scratch.url())).await.unwrap(), scratch }
    }

    pub async fn change(&self, sql: &str) {
        self.scratch.raw().await.batch_execute(sql).await.unwrap();
    }

    /// Values of PostgreSQL in the form of SQLite.
    pub async fn content(&self) -> Content {
        let raw = self.scratch.raw().await;
        let mut content = Content::new();
        for table in TABLES.iter() {
            let columns: Vec<String> = table.columns.iter().map(|column| format!("{column}::text")).collect();
            let sql = format!("SELECT {} FROM {}", columns.join(", "), table.name);
            let row = |row: &tokio_postgres::Row| (0..columns.len()).map(|column| row.get(column)).collect();
            let mut rows: Vec<Vec<Option<String>>> = raw.query(&sql, &[]).await.unwrap().iter().map(row).collect();
            rows.sort();
            content.insert(table.name, rows);
        }
        content
    }
}

/// Every value of every row by table; `0.00` differs from `0`.
pub type Content = BTreeMap<&'static str, Vec<Vec<Option<String>>>>;

pub fn file_content(path: &Path) -> Content {
    let raw = Connection::open(path).unwrap();
    TABLES.iter().map(|table| (table.name, rows_of(&raw, table))).collect()
}

fn rows_of(raw: &Connection, table: &Table) -> Vec<Vec<Option<String>>> {
    let mut statement = raw.prepare(&format!("SELECT {} FROM {}", table.columns.join(", "), table.name)).unwrap();
    let row = |row: &rusqlite::Row<'_>| {
        let value = |(column, kind): (usize, &Type)| Ok(words(row.get(column)?, *kind));
        table.insert.params.iter().enumerate().map(value).collect::<rusqlite::Result<Vec<Option<String>>>>()
    };
    let mut rows: Vec<Vec<Option<String>>> = statement.query_map([], row).unwrap().map(Result::unwrap).collect();
    rows.sort();
    rows
}

fn words(value: Value, kind: Type) -> Option<String> {
    match (value, kind) {
        (Value::Null, _) => None,
        (Value::Integer(number), Type::Boolean) => Some((number == 1).to_string()),
        (Value::Integer(number), Type::Integer) => Some(number.to_string()),
        (Value::Blob(bytes), Type::Bytes) => {
            Some(format!("\\x{}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
        }
        (Value::Text(text), _) => Some(text),
        (other, kind) => panic!("{other:?} as {kind:?}"),
    }
}

pub async fn copied(from: &Store, to: &Store) -> Copied {
    copy::run(from, to, &mut |_| Ok(())).await.unwrap()
}
