//! The steps of the schema, with the same names for both engines. The schema's number is the number of steps applied.

use crate::Error;

macro_rules! steps {
    ($($name:literal),*) => {
        pub(crate) const SQLITE: &[&str] = &[$(step!("sqlite", $name)),*];
        pub(crate) const POSTGRES: &[&str] = &[$(step!("postgres", $name)),*];
    };
}

macro_rules! step {
    ($engine:literal, $name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/migrations/", $engine, "/", $name, ".sql"))
    };
}

steps! {
    "0001_initial",
    "0002_market",
    "0003_imports",
    "0004_web",
    "0005_privacy",
    "0006_oauth",
    "0007_followers",
    "0008_positions",
    "0009_doors",
    "0010_owner",
    "0011_matching",
    "0012_openings",
    "0013_transactions",
    "0014_automatic",
    "0015_ledger",
    "0016_reinvestment",
    "0017_reinvest"
}

/// A newer program may have added columns that this one does not know.
pub(crate) fn refuse_newer(found: i64, steps: &[&str]) -> Result<(), Error> {
    let known = steps.len() as i64;
    if found > known { Err(Error::NewerSchema { found, known }) } else { Ok(()) }
}
