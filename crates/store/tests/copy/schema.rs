use std::collections::BTreeSet;

use store::copy::{TABLES, Table};

use crate::places::{File, Server};

type Columns = BTreeSet<(String, String)>;

fn listed() -> Columns {
    TABLES.iter().flat_map(|table| table.columns.iter().map(|column| (table.name.to_owned(), (*column).to_owned()))).collect()
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn every_column_of_every_table_is_copied() {
    let file = File::new().await;
    let raw = file.raw();
    let sql = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_xinfo(t.name) c
               WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'";
    let mut statement = raw.prepare(sql).unwrap();
    let columns = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap);
    assert_eq!(columns.collect::<Columns>(), listed());

    let server = Server::new().await;
    let sql = "SELECT table_name::text, column_name::text FROM information_schema.columns
               WHERE table_schema = 'public' AND table_name <> 'schema_version'";
    let rows = server.scratch.raw().await.query(sql, &[]).await.unwrap();
    assert_eq!(rows.iter().map(|row| (row.get(0), row.get(1))).collect::<Columns>(), listed());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn the_copied_keys_are_the_primary_keys() {
    let server = Server::new().await;
    let raw = server.scratch.raw().await;
    for table in TABLES.iter() {
        let sql = "SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid
                   AND a.attnum = ANY (i.indkey) WHERE i.indisprimary AND i.indrelid = $1::text::regclass";
        let key: BTreeSet<String> =
            raw.query(sql, &[&table.name]).await.unwrap().iter().map(|row| row.get::<_, String>(0)).collect();
        assert_eq!(key, table.columns[..table.keys].iter().map(|column| (*column).to_owned()).collect(), "{}", table.name);
    }
}

/// Reading a page costs the same anywhere in the table.
#[tokio::test]
async fn pages_are_read_with_an_index() {
    let file = File::new().await;
    let raw = file.raw();
    for (table, statement) in TABLES.iter().flat_map(|table| [(table, &table.first), (table, &table.after)]) {
        let mut plan = raw.prepare(&format!("EXPLAIN QUERY PLAN {}", statement.sql)).unwrap();
        let params = vec![rusqlite::types::Null; statement.params.len()];
        let lines = plan.query_map(rusqlite::params_from_iter(params), |row| row.get::<_, String>(3)).unwrap();
        let lines: Vec<String> = lines.map(Result::unwrap).collect();
        assert!(!lines.iter().any(|line| line.contains("TEMP B-TREE")), "{}: {lines:?}", statement.name);
        let searched = lines.iter().all(|line| line.starts_with("SEARCH"));
        assert!(std::ptr::eq(statement, &table.first) || searched, "{}: {lines:?}", statement.name);
    }
}

/// The order of the copy and of clearing depends on it.
#[tokio::test]
async fn referenced_tables_are_copied_first_and_belong_to_the_same_user() {
    let file = File::new().await;
    let raw = file.raw();
    let position = |name: &str| TABLES.iter().position(|table| table.name == name).unwrap();
    let mut parents = BTreeSet::new();
    for (index, table) in TABLES.iter().enumerate() {
        let mut statement = raw.prepare(r#"SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?)"#).unwrap();
        let reference = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        let found = statement.query_map([table.name], reference).unwrap().map(Result::unwrap);
        let columns: Vec<(i64, String, String, String)> = found.collect();
        for (id, parent, _, _) in &columns {
            assert!(position(parent) < index, "{} names {parent}", table.name);
            let parent = &TABLES[position(parent)];
            let by_owner = columns.iter().any(|one| one.0 == *id && one.2 == owner(table) && one.3 == owner(parent));
            assert!(by_owner, "{} names {} of any user", table.name, parent.name);
            parents.insert(parent.name);
        }
    }
    let declared: BTreeSet<&str> = TABLES.iter().filter(|table| table.is_parent()).map(|table| table.name).collect();
    assert_eq!(parents, declared);
}

fn owner(table: &Table) -> &'static str {
    table.columns[table.owner().unwrap()]
}
