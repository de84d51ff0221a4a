//! A row of a result, and what it is read as.

use crate::Error;
use crate::error::Damage;
use crate::postgres::value as postgres;
use crate::sqlite::value as sqlite;
use crate::statement::Statement;
use crate::value::{Column, Param, Type};

pub(crate) struct Row<'a> {
    pub(crate) values: Values<'a>,
    pub(crate) statement: &'static Statement,
}

/// The row in its engine's type.
pub(crate) enum Values<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

impl Row<'_> {
    pub(crate) fn get<T: Column>(&self, column: usize) -> Result<T, Error> {
        debug_assert_eq!(self.statement.columns.get(column), Some(&T::TYPE), "{} column {column}", self.statement.name);
        T::read(self.value(column, T::TYPE)?).ok_or_else(|| self.unreadable(column))
    }

    pub(crate) fn value(&self, column: usize, kind: Type) -> Result<Param<'_>, Error> {
        let value = match &self.values {
            Values::Sqlite(row) => sqlite::value(row, column, kind),
            Values::Postgres(row) => postgres::value(row, column, kind),
        };
        value.ok_or_else(|| self.unreadable(column))
    }

    fn unreadable(&self, column: usize) -> Error {
        Damage::Value { statement: self.statement.name, column: column + 1 }.into()
    }
}

pub(crate) fn read<R: Columns>(row: &Row<'_>) -> Result<R, Error> {
    R::read(row, &mut 0)
}

/// Called with each row of a result. Dynamic, so that running a statement is compiled once, not for every kind of row.
pub(crate) type ReadRow<'a> = dyn FnMut(&Row<'_>) -> Result<(), Error> + Send + 'a;

/// The same for the results of several sets of parameters, with the number of the set.
pub(crate) type ReadRowOf<'a> = dyn FnMut(usize, &Row<'_>) -> Result<(), Error> + Send + 'a;

/// Consecutive columns: one value, a tuple, or a struct declared with `record!`.
pub(crate) trait Columns: Sized + Send {
    /// Names and types. A single value has the given name.
    fn columns(name: &'static str) -> Vec<(&'static str, Type)>;

    /// Reads it at this column, and moves on to the column after it.
    fn read(row: &Row<'_>, column: &mut usize) -> Result<Self, Error>;

    fn add_params<'a>(&'a self, params: &mut Vec<Param<'a>>);

    /// The parameters of a statement that takes these values and then the record.
    fn params_after<'a, const N: usize>(&'a self, values: [Param<'a>; N]) -> Vec<Param<'a>> {
        let mut params = Vec::with_capacity(32);
        params.extend(values);
        self.add_params(&mut params);
        params
    }
}

impl<T: Column> Columns for T {
    fn columns(name: &'static str) -> Vec<(&'static str, Type)> {
        vec![(name, T::TYPE)]
    }

    fn read(row: &Row<'_>, column: &mut usize) -> Result<Self, Error> {
        *column += 1;
        row.get(*column - 1)
    }

    fn add_params<'a>(&'a self, params: &mut Vec<Param<'a>>) {
        params.push(self.param());
    }
}

macro_rules! tuples {
    ($(($($part:ident),*))*) => {
        $(#[allow(non_snake_case, unused_variables)]
        impl<$($part: Columns),*> Columns for ($($part,)*) {
            fn columns(name: &'static str) -> Vec<(&'static str, Type)> {
                let parts: &[Vec<(&'static str, Type)>] = &[$($part::columns(name)),*];
                parts.concat()
            }

            fn read(row: &Row<'_>, column: &mut usize) -> Result<Self, Error> {
                Ok(($($part::read(row, column)?,)*))
            }

            fn add_params<'a>(&'a self, params: &mut Vec<Param<'a>>) {
                let ($($part,)*) = self;
                $($part.add_params(params);)*
            }
        })*
    };
}

tuples! { () (A) (A, B) (A, B, C) (A, B, C, D) }
