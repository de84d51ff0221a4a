//! Many rows in one statement: rewrites `INSERT … VALUES` as `INSERT … SELECT … FROM UNNEST`, with an array per parameter.

use std::collections::HashSet;
use std::fmt::Write;

use tokio_postgres::types::Type as Wire;

use crate::statement::Statement;
use crate::value::{Param, Type};

/// Rows per statement, or statements in flight if they cannot be combined.
pub(super) const ROWS: usize = 1_000;
/// Fewer rows are not worth a batch.
pub(super) const ROWS_MIN: usize = 8;

/// The batched form of an INSERT.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Batch {
    pub(super) sql: String,
    /// The parameters in which the rows of one statement must differ: PostgreSQL cannot update a row twice in one statement.
    keys: Vec<usize>,
}

impl Batch {
    /// `None` for statements that insert no rows, or take them from elsewhere.
    pub(super) fn parse(statement: &Statement) -> Option<Batch> {
        let (head, rest) = statement.sql.split_once("VALUES (")?;
        let (values, after) = rest.split_once(')')?;
        if !head.starts_with("INSERT INTO ") || after.contains('$') || values.contains('(') {
            return None;
        }
        let params = 1..=statement.params.len();
        let arrays: Vec<String> =
            params.clone().zip(&statement.params).map(|(n, kind)| format!("${n}::{}[]", names(*kind).0)).collect();
        let names: Vec<String> = params.map(|n| format!("p{n}")).collect();
        let mut sql = format!("{head}SELECT {} FROM UNNEST(", values.replace('$', "p"));
        // Writing to a string never fails.
        let _ = write!(sql, "{}) AS rows({}){after}", arrays.join(", "), names.join(", "));
        Some(Batch { sql, keys: keys(head, values, after)? })
    }

    /// The end of the rows that fit into one statement.
    pub(super) fn end(&self, rows: &[&[Param<'_>]]) -> usize {
        let most = rows.len().min(ROWS);
        if self.keys.is_empty() {
            return most;
        }
        let mut seen = HashSet::new();
        rows[..most].iter().position(|row| !seen.insert(self.key(row))).unwrap_or(most)
    }

    fn key<'r, 'a>(&self, row: &'r [Param<'a>]) -> Vec<Option<&'r Param<'a>>> {
        self.keys.iter().map(|index| row.get(*index)).collect()
    }
}

/// The batched text of an INSERT.
pub fn batch_sql(statement: &Statement) -> Option<String> {
    Batch::parse(statement).map(|batch| batch.sql)
}

/// One array per parameter.
pub(super) fn columns<'r, 'a>(statement: &Statement, rows: &'r [&'r [Param<'a>]]) -> Vec<Vec<&'r Param<'a>>> {
    (0..statement.params.len()).map(|index| rows.iter().map(|row| &row[index]).collect()).collect()
}

/// The parameters of the key in `ON CONFLICT … DO UPDATE`. `None` if they cannot be determined.
fn keys(head: &str, values: &str, after: &str) -> Option<Vec<usize>> {
    if !after.contains("DO UPDATE") {
        return Some(Vec::new());
    }
    let columns: Vec<&str> = head.split_once('(')?.1.split_once(')')?.0.split(',').map(str::trim).collect();
    let values: Vec<&str> = values.split(',').map(str::trim).collect();
    let (key, _) = after.split_once("ON CONFLICT (")?.1.split_once(')')?;
    let place = |name: &str| {
        let at = columns.iter().position(|column| *column == name)?;
        values.get(at)?.strip_prefix('$')?.parse::<usize>().ok()?.checked_sub(1)
    };
    key.split(',').map(|name| place(name.trim())).collect()
}

/// A type in PostgreSQL: its name, and what it and its array are on the wire.
pub(super) fn names(kind: Type) -> (&'static str, Wire, Wire) {
    match kind {
        Type::Text => ("text", Wire::TEXT, Wire::TEXT_ARRAY),
        Type::Integer => ("int8", Wire::INT8, Wire::INT8_ARRAY),
        Type::Boolean => ("bool", Wire::BOOL, Wire::BOOL_ARRAY),
        Type::Decimal => ("numeric", Wire::NUMERIC, Wire::NUMERIC_ARRAY),
        Type::Date => ("date", Wire::DATE, Wire::DATE_ARRAY),
        Type::Uuid => ("uuid", Wire::UUID, Wire::UUID_ARRAY),
        Type::Bytes => ("bytea", Wire::BYTEA, Wire::BYTEA_ARRAY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put() -> Statement {
        let sql = "INSERT INTO instruments (user_id, key, symbol) VALUES ($1, $2, $3)
            ON CONFLICT (user_id, key) DO UPDATE SET symbol = excluded.symbol";
        Statement { name: "PUT", sql: sql.to_owned(), params: vec![Type::Uuid, Type::Text, Type::Text], columns: Vec::new() }
    }

    #[test]
    fn a_batched_insert_takes_arrays_in_place_of_values() {
        let batch = Batch::parse(&put()).unwrap();
        let words: Vec<&str> = batch.sql.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "INSERT INTO instruments (user_id, key, symbol) SELECT p1, p2, p3 FROM UNNEST($1::uuid[], $2::text[], $3::text[]) \
             AS rows(p1, p2, p3) ON CONFLICT (user_id, key) DO UPDATE SET symbol = excluded.symbol"
        );
        assert_eq!(batch.keys, [0, 1]);
    }

    #[test]
    fn a_statement_without_a_list_of_values_is_not_batched() {
        for sql in [
            "INSERT INTO positions (user_id) SELECT user_id FROM entries WHERE user_id = $1 ON CONFLICT (user_id) DO NOTHING",
            "UPDATE positions SET fold = $1 WHERE user_id = $2",
            "SELECT symbol FROM entries JOIN (VALUES ($1), ($2)) AS wanted ON symbol = wanted.column1 WHERE user_id = $3",
            "DELETE FROM positions WHERE user_id = $1",
        ] {
            assert_eq!(Batch::parse(&Statement { sql: sql.to_owned(), ..put() }), None, "{sql}");
        }
    }

    #[test]
    fn rows_with_the_same_key_go_into_different_statements() {
        let batch = Batch::parse(&put()).unwrap();
        let row = |key: &'static str| [1.into(), key.into(), "KO".into()];
        assert_eq!(batch.end(&[&row("a"), &row("b"), &row("a"), &row("c")]), 2);
        assert_eq!(batch.end(&[&row("a"), &row("c")]), 2);
        assert_eq!(batch.end(&[&[Param::Null, Param::Null, Param::Null][..]; 5]), 1);
    }
}
