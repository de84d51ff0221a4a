//! The statements that copy each table.

use std::sync::LazyLock;

use crate::statement::{Statement, Type};
use crate::{Error, Tx, table, tables};

/// Parents before children.
pub static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| tables::ALL.iter().map(|table| Table::new(table)).collect());

/// Tables with megabytes per row: one row per page.
const LARGE_ROWS: [&str; 2] = ["import_files", "uploads"];

/// A table that both engines have.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    /// Key columns first; their types are those of the parameters of `insert`.
    pub columns: Vec<&'static str>,
    /// How many of the columns are the key.
    pub keys: usize,
    /// The first page of rows by key, and the page after a given key.
    pub first: Statement,
    pub after: Statement,
    pub insert: Statement,
    pub delete: Statement,
    pub count: Statement,
}

impl Table {
    fn new(table: &table::Table) -> Table {
        let (name, keys) = (table.name, table.key.len());
        let mut listed = (table.columns)();
        listed.sort_by_key(|(column, _)| table.key.iter().position(|key| key == column).unwrap_or(keys));
        let (columns, types): (Vec<&str>, Vec<Type>) = listed.into_iter().unzip();
        let (all, key, key_types) = (columns.join(", "), table.key.join(", "), types[..keys].to_vec());
        let numbers = |many| (1..=many).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ");
        let (numbers, key_numbers) = (numbers(columns.len()), numbers(keys));
        let page = if LARGE_ROWS.contains(&name) { 1 } else { 1000 };
        let select = |from: &str| format!("SELECT {all} FROM {name}{from} ORDER BY {key} LIMIT {page}");
        let statement = |what: &str, sql: String, params: &[Type], columns: &[Type]| {
            let name = format!("store::copy::{name}::{what}").leak();
            Statement { name, sql, params: params.to_vec(), columns: columns.to_vec() }
        };
        let after = format!(" WHERE ({key}) > ({key_numbers})");
        let insert = format!("INSERT INTO {name} ({all}) VALUES ({numbers})");
        let delete = format!("DELETE FROM {name} WHERE ({key}) = ({key_numbers})");
        Table {
            name,
            keys,
            first: statement("FIRST", select(""), &[], &types),
            after: statement("AFTER", select(&after), &key_types, &types),
            insert: statement("INSERT", insert, &types, &[]),
            delete: statement("DELETE", delete, &key_types, &[]),
            count: statement("COUNT", format!("SELECT COUNT(*) FROM {name}"), &[], &[Type::Integer]),
            columns,
        }
    }

    pub(super) async fn rows(&'static self, tx: &mut Tx) -> Result<u64, Error> {
        let counted = tx.query_with(&self.count, &[], |row| row.get::<i64>(0)).await?;
        Ok(counted.first().and_then(|rows| u64::try_from(*rows).ok()).unwrap_or(0))
    }

    /// The column with the row's user.
    pub fn owner(&self) -> Option<usize> {
        let owner = if self.name == "users" { "id" } else { "user_id" };
        self.columns.iter().position(|column| *column == owner)
    }

    /// Whether rows of other tables refer to rows of this one, always of the same user.
    pub fn is_parent(&self) -> bool {
        ["users", "portfolios", "imports", "statements"].contains(&self.name)
    }
}

pub(crate) fn statements() -> impl Iterator<Item = &'static Statement> {
    TABLES.iter().flat_map(|table| [&table.first, &table.after, &table.insert, &table.delete, &table.count])
}
