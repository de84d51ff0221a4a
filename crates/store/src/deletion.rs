//! Deletes accounts.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use uuid::Uuid;

use crate::statement::{Statement, Type};
use crate::{Error, Tx, tables, tracking, users};

/// Deletes the account and its rows in all tables but the audit log, which only has its id. False if there is no such account.
pub async fn delete_user(tx: &mut Tx, user_id: Uuid) -> Result<bool, Error> {
    // Its stocks have one follower less.
    tracking::replace_for_user(tx, user_id, &BTreeSet::new()).await?;
    for statement in OF_USER.iter() {
        tx.execute(statement, &[user_id.into()]).await?;
    }
    Ok(tx.execute(&users::DELETE, &[user_id.into()]).await? > 0)
}

/// One for each table with rows of users, children first.
pub(crate) static OF_USER: LazyLock<Vec<Statement>> = LazyLock::new(|| {
    let private = tables::ALL.iter().rev().filter(|table| table.has("user_id") && table.name != "audit");
    let delete = |name| Statement {
        name: format!("store::deletion::{name}").leak(),
        sql: format!("DELETE FROM {name} WHERE user_id = $1"),
        params: vec![Type::Uuid],
        columns: Vec::new(),
    };
    private.map(|table| delete(table.name)).collect()
});
