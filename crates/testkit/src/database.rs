//! Direct access to the database of a service.

use scratch::Scratch;
use store::Condition;

use crate::Service;

impl Service {
    /// Every `table.column` with the text in a cell, ignoring case, once for each cell.
    pub fn cells_with(&self, text: &str) -> Vec<String> {
        match &self.location.scratch {
            Some(scratch) => self.run(cells_of_server(scratch, text)),
            None => cells_of_file(&self.file(), text),
        }
    }

    /// Whether the text is anywhere in the database files, or in a cell of a PostgreSQL table.
    pub fn contains_text(&self, text: &str) -> bool {
        let in_files = std::fs::read_dir(self.data_dir()).unwrap().any(|file| {
            let path = file.unwrap().path();
            path.is_file()
                && std::fs::read(path).unwrap().windows(text.len()).any(|bytes| bytes.eq_ignore_ascii_case(text.as_bytes()))
        });
        in_files || !self.cells_with(text).is_empty()
    }

    /// The size of the database.
    pub fn bytes_stored(&self) -> u64 {
        match self.run(self.app.store.condition()).unwrap() {
            Condition::Server(server) => server.bytes as u64,
            Condition::File(file) => file.file_bytes + file.log_bytes,
        }
    }

    /// Changes the database in a way the service never would.
    pub fn tamper(&self, sql: &str) {
        match &self.location.scratch {
            Some(scratch) => self.run(async { scratch.raw().await.batch_execute(sql).await.unwrap() }),
            None => self.file().execute_batch(sql).unwrap(),
        }
    }

    fn file(&self) -> rusqlite::Connection {
        let file = rusqlite::Connection::open(self.data_dir().join("dripline.db")).unwrap();
        file.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        file
    }
}

fn cells_of_file(file: &rusqlite::Connection, text: &str) -> Vec<String> {
    let texts = |sql: &str| -> Vec<String> {
        let mut statement = file.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let mut found = Vec::new();
    for table in texts("SELECT name FROM sqlite_schema WHERE type = 'table'") {
        for column in texts(&format!("SELECT name FROM pragma_table_info('{table}')")) {
            let cell = format!("lower(CAST({column} AS TEXT))");
            found.extend(texts(&format!("SELECT '{table}.{column}' FROM {table} WHERE instr({cell}, lower('{text}')) > 0")));
        }
    }
    found
}

async fn cells_of_server(scratch: &Scratch, text: &str) -> Vec<String> {
    let raw = scratch.raw().await;
    let columns = "SELECT table_name::text, column_name::text, data_type::text FROM information_schema.columns
        WHERE table_schema = 'public'";
    let mut found = Vec::new();
    for row in raw.query(columns, &[]).await.unwrap() {
        let (table, column, kind): (String, String, String) = (row.get(0), row.get(1), row.get(2));
        let cell = match kind.as_str() {
            "bytea" => format!("encode({column}, 'escape')"),
            _ => format!("{column}::text"),
        };
        let sql = format!("SELECT count(*) FROM {table} WHERE position(lower('{text}') IN lower({cell})) > 0");
        let count: i64 = raw.query_one(&sql, &[]).await.unwrap().get(0);
        found.extend((0..count).map(|_| format!("{table}.{column}")));
    }
    found
}
