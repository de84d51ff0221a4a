//! Statements: written once with `$1`, in the SQL that SQLite and PostgreSQL share, with their types.
//!
//! They avoid what differs: no `now()`, no `lower()`, no arithmetic or ordering of decimals, no date functions. `ORDER BY` on
//! text relies on byte order, SQLite's default; the PostgreSQL columns are declared `COLLATE "C"`. Parameters first appear in the
//! order of their numbers, because SQLite numbers `$1` by appearance.

use crate::Error;
use crate::error::Bug;
use crate::value::Param;

pub use crate::value::Type;

/// One statement for both engines.
#[derive(Debug)]
pub struct Statement {
    pub name: &'static str,
    pub sql: String,
    pub params: Vec<Type>,
    pub columns: Vec<Type>,
}

impl Statement {
    /// Refuses what neither engine should receive.
    pub(crate) fn check(&'static self, params: &[Param<'_>]) -> Result<(), Error> {
        let statement = self.name;
        if params.len() != self.params.len() {
            return Err(Bug::ParameterCount { statement }.into());
        }
        if !params.iter().zip(&self.params).all(|(param, kind)| param.fits(*kind)) {
            return Err(Bug::ParameterType { statement }.into());
        }
        // SQLite would store it and match nothing; PostgreSQL would fail.
        if params.iter().any(|param| matches!(param, Param::Text(text) if text.as_bytes().contains(&0))) {
            return Err(Bug::NulByte { statement }.into());
        }
        Ok(())
    }
}
