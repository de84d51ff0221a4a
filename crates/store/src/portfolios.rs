//! A user's portfolios.

use uuid::Uuid;

use crate::row::Columns;
use crate::table::{record, statements, table, words};
use crate::value::Param;
use crate::{Error, Tx, name_key};

table! {
    TABLE = portfolios [user_id, id] { user_id: Uuid, name_key: String, slug_key: Option<String>, made_by: Option<Uuid> }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Portfolio {
        pub id: Uuid,
        pub name: String,
        /// Set if and only if the portfolio is shared.
        pub slug: Option<String>,
        pub is_default: bool,
        pub position: i64,
        pub created_at: i64,
        /// Whether visitors of a shared portfolio see amounts.
        pub show_amounts: bool,
        pub automatic: Automatic,
        pub reinvest: Reinvest,
    }
}

words! {
    /// What happens with payments that market data knows and nobody recorded.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Automatic {
        Off = "off",
        #[default]
        Suggest = "suggest",
        Record = "record",
    }
}

words! {
    /// What dividends that are recorded automatically buy.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Reinvest {
        #[default]
        Off = "off",
        Fractional = "fractional",
        Whole = "whole",
    }
}

record! {
    #[derive(Debug, Clone)]
    pub struct NewPortfolio {
        pub id: Uuid,
        pub name: String,
        pub is_default: bool,
        pub created_at: i64,
        /// The import that created it.
        pub made_by: Option<Uuid>,
    }
}

/// Adds a portfolio after the user's others.
pub async fn add(tx: &mut Tx, user_id: Uuid, portfolio: &NewPortfolio) -> Result<(), Error> {
    let last = tx.count(&LAST_POSITION, &[user_id.into()]).await?;
    let key = name_key::key(&portfolio.name);
    tx.execute(&ADD, &portfolio.params_after([user_id.into(), (&key).into(), (last + 1).into()])).await.map(drop)
}

/// The default portfolio first, then in the user's order.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Portfolio>, Error> {
    tx.query(&LIST, &[user_id.into()]).await
}

/// The user's portfolio with this name, else the shared one with this slug, ignoring case and surrounding spaces.
pub async fn find(tx: &mut Tx, user_id: Uuid, name_or_slug: &str) -> Result<Option<Portfolio>, Error> {
    let key = name_key::key(name_or_slug);
    let params = [user_id.into(), key.as_str().into()];
    match tx.query_one(&BY_NAME, &params).await? {
        Some(found) => Ok(Some(found)),
        None => tx.query_one(&BY_SLUG, &params).await,
    }
}

/// False if the user has no such portfolio, as in the functions below.
pub async fn rename(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid, name: &str) -> Result<bool, Error> {
    let key = name_key::key(name);
    let params = [name.into(), key.as_str().into(), user_id.into(), portfolio_id.into()];
    Ok(tx.execute(&RENAME, &params).await? > 0)
}

/// Makes it the default portfolio instead of the former one.
pub async fn set_default(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<bool, Error> {
    let known = tx.query_one(&EXISTS, &[user_id.into(), portfolio_id.into()]).await?.is_some();
    if known {
        tx.execute(&CLEAR_DEFAULT, &[user_id.into()]).await?;
        tx.execute(&SET_DEFAULT, &[user_id.into(), portfolio_id.into()]).await?;
    }
    Ok(known)
}

/// Sets the order of the portfolios. Those not listed follow in their old order.
pub async fn reorder(tx: &mut Tx, user_id: Uuid, order: &[Uuid]) -> Result<(), Error> {
    let mut others: Vec<(i64, Uuid)> =
        list(tx, user_id).await?.iter().filter(|one| !order.contains(&one.id)).map(|one| (one.position, one.id)).collect();
    others.sort();
    let all = order.iter().copied().chain(others.into_iter().map(|(_, id)| id));
    let rows = (1i64..).zip(all).map(|(position, id)| [position.into(), user_id.into(), id.into()]);
    tx.execute_all(&MOVE, rows).await.map(drop)
}

pub async fn share(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid, slug: &str) -> Result<bool, Error> {
    let key = name_key::key(slug);
    set_slug(tx, user_id, portfolio_id, slug.into(), key.as_str().into()).await
}

pub async fn unshare(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<bool, Error> {
    set_slug(tx, user_id, portfolio_id, Param::Null, Param::Null).await
}

async fn set_slug(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid, slug: Param<'_>, key: Param<'_>) -> Result<bool, Error> {
    Ok(tx.execute(&SET_SLUG, &[slug, key, user_id.into(), portfolio_id.into()]).await? > 0)
}

/// Whether visitors see amounts once it is shared.
pub async fn set_show_amounts(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid, show: bool) -> Result<bool, Error> {
    Ok(tx.execute(&SET_SHOW_AMOUNTS, &[show.into(), user_id.into(), portfolio_id.into()]).await? > 0)
}

pub async fn set_automatic(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid, automatic: Automatic) -> Result<bool, Error> {
    Ok(tx.execute(&SET_AUTOMATIC, &[(&automatic).into(), user_id.into(), portfolio_id.into()]).await? > 0)
}

pub async fn set_reinvest(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid, reinvest: Reinvest) -> Result<bool, Error> {
    Ok(tx.execute(&SET_REINVEST, &[(&reinvest).into(), user_id.into(), portfolio_id.into()]).await? > 0)
}

/// The users with a portfolio in which payments are recorded automatically.
pub async fn users_recording(tx: &mut Tx) -> Result<Vec<Uuid>, Error> {
    tx.query(&USERS_RECORDING, &[]).await
}

pub async fn count_entries(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<i64, Error> {
    tx.count(&COUNT_ENTRIES, &[user_id.into(), portfolio_id.into()]).await
}

/// The portfolios that an import created.
pub async fn made_by(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<Vec<Uuid>, Error> {
    tx.query(&MADE_BY, &[user_id.into(), import_id.into()]).await
}

/// Deletes the portfolio with its entries, positions and announced payments.
pub async fn delete(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<bool, Error> {
    let params: [Param<'_>; 2] = [user_id.into(), portfolio_id.into()];
    for statement in [&DELETE_ENTRIES, &DELETE_POSITIONS, &DELETE_ACCRUALS, &DELETE_STATEMENTS] {
        tx.execute(statement, &params).await?;
    }
    Ok(tx.execute(&DELETE, &params).await? > 0)
}

record! {
    /// A portfolio that anybody with its address may view.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Shared {
        pub user_id: Uuid,
        pub id: Uuid,
        pub name: String,
        pub show_amounts: bool,
    }
}

/// The shared portfolio with this slug, unless its owner's account is disabled.
pub async fn shared(tx: &mut Tx, slug: &str) -> Result<Option<Shared>, Error> {
    let key = name_key::key(slug);
    tx.query_one(&SHARED, &[(&key).into()]).await
}

statements! {
    LAST_POSITION = "SELECT COALESCE(MAX(position), 0) FROM portfolios WHERE user_id = $1", [Uuid] => i64;
    ADD = "INSERT INTO portfolios (user_id, name_key, position, id, name, is_default, created_at, made_by)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", (Uuid, String, i64, NewPortfolio) => ();
    MADE_BY = "SELECT id FROM portfolios WHERE user_id = $1 AND made_by = $2", [Uuid, Uuid] => Uuid;
    LIST = "SELECT * FROM portfolios WHERE user_id = $1 ORDER BY is_default DESC, position, id", [Uuid] => Portfolio;
    BY_NAME = "SELECT * FROM portfolios WHERE user_id = $1 AND name_key = $2", [Uuid, Text] => Portfolio;
    BY_SLUG = "SELECT * FROM portfolios WHERE user_id = $1 AND slug_key = $2", [Uuid, Text] => Portfolio;
    EXISTS = "SELECT id FROM portfolios WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => Uuid;
    RENAME = "UPDATE portfolios SET name = $1, name_key = $2 WHERE user_id = $3 AND id = $4", [Text, Text, Uuid, Uuid] => ();
    CLEAR_DEFAULT = "UPDATE portfolios SET is_default = FALSE WHERE user_id = $1 AND is_default = TRUE", [Uuid] => ();
    SET_DEFAULT = "UPDATE portfolios SET is_default = TRUE WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => ();
    MOVE = "UPDATE portfolios SET position = $1 WHERE user_id = $2 AND id = $3", [Integer, Uuid, Uuid] => ();
    SET_SLUG = "UPDATE portfolios SET slug = $1, slug_key = $2 WHERE user_id = $3 AND id = $4", [Text, Text, Uuid, Uuid] => ();
    SET_SHOW_AMOUNTS = "UPDATE portfolios SET show_amounts = $1 WHERE user_id = $2 AND id = $3", [Boolean, Uuid, Uuid] => ();
    SET_AUTOMATIC = "UPDATE portfolios SET automatic = $1 WHERE user_id = $2 AND id = $3", [Text, Uuid, Uuid] => ();
    SET_REINVEST = "UPDATE portfolios SET reinvest = $1 WHERE user_id = $2 AND id = $3", [Text, Uuid, Uuid] => ();
    USERS_RECORDING = "SELECT DISTINCT user_id FROM portfolios WHERE automatic = 'record' ORDER BY user_id", [] => Uuid;
    COUNT_ENTRIES = "SELECT COUNT(*) FROM entries WHERE user_id = $1 AND portfolio_id = $2", [Uuid, Uuid] => i64;
    DELETE_ENTRIES = "DELETE FROM entries WHERE user_id = $1 AND portfolio_id = $2", [Uuid, Uuid] => ();
    DELETE_POSITIONS = "DELETE FROM positions WHERE user_id = $1 AND portfolio_id = $2", [Uuid, Uuid] => ();
    DELETE_ACCRUALS = "DELETE FROM accruals WHERE user_id = $1 AND import_id IN
        (SELECT import_id FROM statements WHERE statements.user_id = accruals.user_id AND portfolio_id = $2)", [Uuid, Uuid] => ();
    DELETE_STATEMENTS = "DELETE FROM statements WHERE user_id = $1 AND portfolio_id = $2", [Uuid, Uuid] => ();
    DELETE = "DELETE FROM portfolios WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => ();
    SHARED = "SELECT portfolios.user_id, portfolios.id, portfolios.name, portfolios.show_amounts FROM portfolios
        JOIN users ON users.id = portfolios.user_id WHERE slug_key = $1 AND disabled = FALSE", [Text] => Shared;
}
