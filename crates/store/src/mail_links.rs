//! Links mailed to an address, which prove that the reader owns it. Stored as SHA-256 only.

use uuid::Uuid;

use crate::row::Columns;
use crate::table::{statements, table, words};
use crate::{Error, Tx, name_key};

words! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Purpose {
        SignUp = "sign_up",
        Verify = "verify",
        Unlock = "unlock",
    }
}

table! {
    TABLE = mail_links [hash] { hash: [u8; 32], email_key: String }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MailLink {
        pub purpose: Purpose,
        pub email: String,
        /// `None` if there is no account yet.
        pub user_id: Option<Uuid>,
        /// The hash of the invitation that the new account uses up.
        pub invitation: Option<Vec<u8>>,
        pub expires_at: i64,
    }
}

pub async fn add(tx: &mut Tx, hash: &[u8; 32], link: &MailLink) -> Result<(), Error> {
    let key = name_key::key(&link.email);
    tx.execute(&ADD, &link.params_after([hash.into(), (&key).into()])).await.map(drop)
}

/// The link for this purpose, while it is valid.
pub async fn get(tx: &mut Tx, purpose: Purpose, hash: &[u8; 32], now: i64) -> Result<Option<MailLink>, Error> {
    tx.query_one(&GET, &[hash.into(), purpose.word().into(), now.into()]).await
}

/// How many valid links for this purpose were mailed to the address.
pub async fn count(tx: &mut Tx, purpose: Purpose, email: &str, now: i64) -> Result<i64, Error> {
    let key = name_key::key(email);
    let params = [key.as_str().into(), purpose.word().into(), now.into()];
    tx.count(&COUNT, &params).await
}

/// Deletes all links for this purpose to the address, valid or not.
pub async fn clear(tx: &mut Tx, purpose: Purpose, email: &str) -> Result<(), Error> {
    let key = name_key::key(email);
    tx.execute(&CLEAR, &[key.as_str().into(), purpose.word().into()]).await.map(drop)
}

/// For all users.
pub async fn clear_expired(tx: &mut Tx, now: i64) -> Result<(), Error> {
    tx.execute(&CLEAR_EXPIRED, &[now.into()]).await.map(drop)
}

/// Deletes all links of an account.
pub async fn clear_for(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    tx.execute(&CLEAR_FOR, &[user_id.into()]).await.map(drop)
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    GET = "SELECT * FROM mail_links WHERE hash = $1 AND purpose = $2 AND expires_at > $3", [Bytes, Text, Integer] => MailLink;
    COUNT = "SELECT COUNT(*) FROM mail_links WHERE email_key = $1 AND purpose = $2 AND expires_at > $3",
        [Text, Text, Integer] => i64;
    CLEAR = "DELETE FROM mail_links WHERE email_key = $1 AND purpose = $2", [Text, Text] => ();
    CLEAR_EXPIRED = "DELETE FROM mail_links WHERE expires_at <= $1", [Integer] => ();
    CLEAR_FOR = "DELETE FROM mail_links WHERE user_id = $1", [Uuid] => ();
}
