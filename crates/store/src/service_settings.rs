//! What the owner chose for the whole service.

use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = service_settings [name]

    /// No `Debug`: the secret must not appear in a log.
    #[derive(Clone, PartialEq, Eq)]
    pub struct Setting {
        pub name: String,
        pub value: Option<String>,
        /// Encrypted.
        pub secret: Option<Vec<u8>>,
    }
}

/// By name.
pub async fn all(tx: &mut Tx) -> Result<Vec<Setting>, Error> {
    tx.query(&ALL, &[]).await
}

/// Replaces the setting of the same name.
pub async fn put(tx: &mut Tx, setting: &Setting) -> Result<(), Error> {
    tx.execute(&PUT, &setting.params_after([])).await.map(drop)
}

/// False if there is no such setting.
pub async fn remove(tx: &mut Tx, name: &str) -> Result<bool, Error> {
    Ok(tx.execute(&REMOVE, &[name.into()]).await? > 0)
}

statements! {
    ALL = "SELECT * FROM service_settings ORDER BY name", [] => Setting;
    PUT = TABLE.upsert(), TABLE => ();
    REMOVE = "DELETE FROM service_settings WHERE name = $1", [Text] => ();
}
