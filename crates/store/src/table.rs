//! How the file of a table declares its columns and statements.
//!
//! ```text
//! table! {
//!     TABLE = radar [user_id, symbol] { user_id: Uuid }      table [key] { columns that are not in the struct }
//!
//!     pub struct Watched {                                   the other columns
//!         pub symbol: String,
//!         pub kind: Kind as type,                            a field and its column with another name
//!     }
//! }
//!
//! statements! {                                              SQL, types of the parameters => what a row is read as
//!     LIST = "SELECT * FROM radar WHERE user_id = $1", [Uuid] => Watched;
//!     ADD = TABLE.insert(), TABLE => ();
//! }
//! ```
//!
//! `SELECT *` selects the fields of the struct that its rows are read as. The INSERT of a whole row takes the columns in the
//! order of the list. The copy of a database, and the deletion of an account, follow from the list as well. `record!` declares
//! further structs of columns, in the order in which a statement names them.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::LazyLock;

use crate::row::Columns;
use crate::statement::Statement;
use crate::value::Type;

/// A statement whose rows are read as `R`.
pub(crate) struct Query<R = ()> {
    statement: LazyLock<Statement>,
    rows: PhantomData<fn() -> R>,
}

impl<R: Columns> Query<R> {
    pub(crate) const fn new(statement: fn() -> Statement) -> Self {
        Query { statement: LazyLock::new(statement), rows: PhantomData }
    }

    pub(crate) fn statement(name: &'static str, sql: impl Into<String>, params: Vec<Type>) -> Statement {
        let (mut sql, columns) = (sql.into(), R::columns(""));
        if let Some(rest) = sql.strip_prefix("SELECT * ") {
            sql = format!("SELECT {} {rest}", list(&columns, |name| name.to_owned()));
        }
        Statement { name, sql, params, columns: types(&columns) }
    }
}

impl<R> Deref for Query<R> {
    type Target = Statement;

    fn deref(&self) -> &Statement {
        &self.statement
    }
}

/// A table that both engines have.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) key: &'static [&'static str],
    pub(crate) columns: fn() -> Vec<(&'static str, Type)>,
}

impl Table {
    pub(crate) fn types(&self) -> Vec<Type> {
        types(&(self.columns)())
    }

    pub(crate) fn has(&self, column: &str) -> bool {
        (self.columns)().iter().any(|(name, _)| *name == column)
    }

    /// Adds a row with all columns.
    pub(crate) fn insert(&self) -> String {
        let columns = (self.columns)();
        let numbers: Vec<String> = (1..=columns.len()).map(|number| format!("${number}")).collect();
        format!("INSERT INTO {} ({}) VALUES ({})", self.name, list(&columns, |name| name.to_owned()), numbers.join(", "))
    }

    /// The same, or replaces all other columns of the row with the same key.
    pub(crate) fn upsert(&self) -> String {
        format!("{} ON CONFLICT ({}) DO UPDATE SET {}", self.insert(), self.key.join(", "), self.replaced(&[]))
    }

    /// What an upsert sets: all columns but the key and these.
    pub(crate) fn replaced(&self, but: &[&str]) -> String {
        let mut columns = (self.columns)();
        columns.retain(|(name, _)| !self.key.contains(name) && !but.contains(name));
        list(&columns, |name| format!("{name} = excluded.{name}"))
    }

    /// Sets these columns of the row with the key, whose values are the last parameters.
    pub(crate) fn update(&self, columns: &[(&'static str, Type)]) -> String {
        let mut numbers = 1..;
        let mut set = |name: &str| format!("{name} = ${}", numbers.next().unwrap_or_default());
        let columns = list(columns, &mut set);
        let key: Vec<String> = self.key.iter().map(|name| set(name)).collect();
        format!("UPDATE {} SET {columns} WHERE {}", self.name, key.join(" AND "))
    }
}

pub(crate) fn types(columns: &[(&'static str, Type)]) -> Vec<Type> {
    columns.iter().map(|(_, kind)| *kind).collect()
}

fn list(columns: &[(&'static str, Type)], part: impl FnMut(&'static str) -> String) -> String {
    columns.iter().map(|(name, _)| *name).map(part).collect::<Vec<_>>().join(", ")
}

/// `STATIC = table [key, …] { column: Type, … } pub struct Name { pub field: Type, … }`; braces or struct may be missing.
macro_rules! table {
    ($static:ident = $table:ident [$($key:ident),*] { $($column:ident: $type:ty),* $(,)? }) => {
        $crate::table::table! { $static = $table [$($key),*] { $($column: $type),* } () }
    };
    (
        $static:ident = $table:ident [$($key:ident),*] $({ $($column:ident: $type:ty),* $(,)? })?
        $(#[$meta:meta])* pub struct $name:ident $fields:tt
    ) => {
        $crate::table::record! { $(#[$meta])* pub struct $name $fields }
        $crate::table::table! { $static = $table [$($key),*] { $($($column: $type),*)? } ($name) }
    };
    ($static:ident = $table:ident [$($key:ident),*] { $($column:ident: $type:ty),* } ($($name:ident)?)) => {
        pub(crate) static $static: $crate::table::Table = $crate::table::Table {
            name: stringify!($table),
            key: &[$(stringify!($key)),*],
            columns: || {
                let parts: &[Vec<_>] = &[
                    $(<$type as $crate::row::Columns>::columns(stringify!($column)),)*
                    $(<$name as $crate::row::Columns>::columns(""))?
                ];
                parts.concat()
            },
        };
    };
}

macro_rules! record {
    ($($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* pub $field:ident: $type:ty $(as $column:ident)?),* $(,)?
    })*) => {
        $($(#[$meta])*
        pub struct $name {
            $($(#[$doc])* pub $field: $type),*
        }

        impl $crate::row::Columns for $name {
            fn columns(_: &'static str) -> Vec<(&'static str, $crate::value::Type)> {
                [$(<$type as $crate::row::Columns>::columns($crate::table::column!($field $($column)?))),*].concat()
            }

            fn read(row: &$crate::row::Row<'_>, column: &mut usize) -> Result<Self, $crate::Error> {
                Ok($name { $($field: $crate::row::Columns::read(row, column)?),* })
            }

            fn add_params<'a>(&'a self, params: &mut Vec<$crate::value::Param<'a>>) {
                $($crate::row::Columns::add_params(&self.$field, params);)*
            }
        })*
    };
}

/// The name of a field's column.
macro_rules! column {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $column:ident) => {
        stringify!($column)
    };
}

/// `NAME = "sql", [parameter types] => type of a row;`
macro_rules! statements {
    ($($name:ident = $sql:expr, $params:tt => $row:ty;)*) => {
        $(pub(crate) static $name: $crate::table::Query<$row> = $crate::table::Query::new(|| {
            let name = concat!(module_path!(), "::", stringify!($name));
            $crate::table::Query::<$row>::statement(name, $sql, $crate::table::params!($params))
        });)*

        pub(crate) fn registered() -> Vec<&'static $crate::statement::Statement> {
            vec![$(&$name),*]
        }
    };
}

/// Types of parameters: listed, one many times, those of records, an expression in braces, or all columns of a table.
macro_rules! params {
    ([$($kind:ident),*]) => { vec![$($crate::value::Type::$kind),*] };
    ([$kind:ident; $many:expr]) => { vec![$crate::value::Type::$kind; $many] };
    (($($record:ty),*)) => { $crate::table::types(&<($($record,)*) as $crate::row::Columns>::columns("")) };
    ({ $($types:tt)* }) => { $($types)* };
    ($table:ident) => { $table.types() };
}

/// An enum that is stored as words: `Variant = "word"`.
macro_rules! words {
    ($($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),* $(,)? })*) => {
        $($(#[$meta])*
        pub enum $name {
            $($(#[$doc])* $variant),*
        }

        impl $name {
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word),*
                }
            }

            pub fn of_word(word: &str) -> Option<$name> {
                match word {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }
        }

        $crate::value::text! { $name: $name::of_word, |value: &$name| value.word(); })*
    };
}

pub(crate) use {column, params, record, statements, table, words};
