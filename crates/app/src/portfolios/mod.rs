//! A user's portfolios (ordered, one of them the default, shared by slug) and what they hold.

pub(crate) mod account;
pub mod holdings;
pub mod notices;
pub mod positions;
pub mod shared;
pub mod valuation;

use store::portfolios::{self, Automatic, NewPortfolio, Reinvest};
use store::{Tx, reinvest_rules, users};
use uuid::Uuid;

use crate::book::refresh;
use crate::portfolios::account::find;
use crate::{App, Error, refusal};

const PORTFOLIOS_MAX: usize = 200;
const NAME_MAX: usize = 100;
const SLUG_CHARACTERS_MIN: usize = 3;
const SLUG_CHARACTERS_MAX: usize = 60;

pub struct Portfolio {
    pub id: Uuid,
    pub name: String,
    pub default: bool,
    pub slug: Option<String>,
    /// Whether visitors of a shared portfolio see amounts, or only percentages.
    pub show_amounts: bool,
    /// What happens with missing dividends.
    pub automatic: Automatic,
    /// How dividends that are recorded automatically are reinvested.
    pub reinvest: Reinvest,
    /// The same of single stocks, by symbol.
    pub reinvest_of: Vec<(String, Reinvest)>,
    pub entries: i64,
}

/// The default portfolio first, then in the user's order.
pub async fn list(app: &App, user_id: Uuid) -> Result<Vec<Portfolio>, Error> {
    let mut tx = app.store.read().await?;
    let (mut listed, rules) = (Vec::new(), reinvest_rules::of_user(&mut tx, user_id).await?);
    for row in portfolios::list(&mut tx, user_id).await? {
        let entries = portfolios::count_entries(&mut tx, user_id, row.id).await?;
        let of_portfolio = rules.iter().filter(|rule| rule.portfolio_id == row.id);
        listed.push(Portfolio {
            id: row.id,
            name: row.name,
            default: row.is_default,
            slug: row.slug,
            show_amounts: row.show_amounts,
            automatic: row.automatic,
            reinvest: row.reinvest,
            reinvest_of: of_portfolio.map(|rule| (rule.symbol.clone(), rule.reinvest)).collect(),
            entries,
        });
    }
    Ok(listed)
}

/// The user's first portfolio always becomes the default.
pub async fn add(app: &App, user_id: Uuid, name: &str, default: bool) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let id = create(&mut tx, user_id, name, app.clock.now_micros(), None).await?;
    if default {
        portfolios::set_default(&mut tx, user_id, id).await?;
    }
    finish(tx, user_id).await
}

/// `made_by` is the import that creates it.
pub(crate) async fn create(tx: &mut Tx, user_id: Uuid, name: &str, now: i64, made_by: Option<Uuid>) -> Result<Uuid, Error> {
    let id = Uuid::now_v7();
    create_as(tx, user_id, id, name, now, made_by).await?;
    Ok(id)
}

/// With a given id.
pub(crate) async fn create_as(
    tx: &mut Tx,
    user_id: Uuid,
    id: Uuid,
    name: &str,
    now: i64,
    made_by: Option<Uuid>,
) -> Result<(), Error> {
    let others = portfolios::list(tx, user_id).await?.len();
    let name = allowed(name, others)?;
    let portfolio = NewPortfolio { id, name: name.to_owned(), is_default: others == 0, created_at: now, made_by };
    portfolios::add(tx, user_id, &portfolio).await.map_err(|error| name_taken(error, name))
}

/// Validates the name of a portfolio, given the number of others.
pub(crate) fn allowed(name: &str, others: usize) -> Result<&str, Error> {
    let name = checked_name(name)?;
    match others >= PORTFOLIOS_MAX {
        true => Err(refusal::Portfolio::TooMany { max: PORTFOLIOS_MAX }.into()),
        false => Ok(name),
    }
}

pub async fn rename(app: &App, user_id: Uuid, name: &str, new_name: &str) -> Result<(), Error> {
    let new_name = checked_name(new_name)?;
    let (mut tx, id) = open(app, user_id, name).await?;
    portfolios::rename(&mut tx, user_id, id, new_name).await.map_err(|error| name_taken(error, new_name))?;
    finish(tx, user_id).await
}

/// Puts these first, in this order; the others follow in their old order.
pub async fn order(app: &App, user_id: Uuid, names: &[String]) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let mut order = Vec::new();
    for name in names {
        let id = find(&mut tx, user_id, name).await?.id;
        if order.contains(&id) {
            return Err(refusal::Portfolio::NamedTwice { name: name.clone() }.into());
        }
        order.push(id);
    }
    portfolios::reorder(&mut tx, user_id, &order).await?;
    finish(tx, user_id).await
}

/// The direction in which a portfolio moves in the user's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    Up,
    Down,
}

/// Swaps it with its neighbour. The default portfolio always stays first, and the last stays last.
pub async fn shift(app: &App, user_id: Uuid, name: &str, to: Shift) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let id = find(&mut tx, user_id, name).await?.id;
    let mut order: Vec<Uuid> = portfolios::list(&mut tx, user_id).await?.iter().map(|one| one.id).collect();
    let at = order.iter().position(|one| *one == id).unwrap_or_default();
    let with = if to == Shift::Up { at.saturating_sub(1) } else { (at + 1).min(order.len() - 1) };
    order.swap(at, with);
    portfolios::reorder(&mut tx, user_id, &order).await?;
    finish(tx, user_id).await
}

pub async fn set_default(app: &App, user_id: Uuid, name: &str) -> Result<(), Error> {
    let (mut tx, id) = open(app, user_id, name).await?;
    portfolios::set_default(&mut tx, user_id, id).await?;
    finish(tx, user_id).await
}

/// Returns the slug; an unguessable one if none is given.
pub async fn share(app: &App, user_id: Uuid, name: &str, slug: Option<&str>) -> Result<String, Error> {
    let slug = slug.map_or_else(suggested_slug, checked_slug)?;
    let (mut tx, id) = open(app, user_id, name).await?;
    portfolios::share(&mut tx, user_id, id, &slug).await.map_err(|error| match error {
        store::Error::Conflict(store::Rule::Slug) => Error::from(refusal::Portfolio::SlugTaken { slug: slug.clone() }),
        other => other.into(),
    })?;
    finish(tx, user_id).await?;
    Ok(slug)
}

pub async fn unshare(app: &App, user_id: Uuid, name: &str) -> Result<(), Error> {
    let (mut tx, id) = open(app, user_id, name).await?;
    portfolios::unshare(&mut tx, user_id, id).await?;
    finish(tx, user_id).await
}

/// Whether visitors of the shared portfolio see amounts.
pub async fn set_show_amounts(app: &App, user_id: Uuid, name: &str, show: bool) -> Result<(), Error> {
    let (mut tx, id) = open(app, user_id, name).await?;
    portfolios::set_show_amounts(&mut tx, user_id, id, show).await?;
    finish(tx, user_id).await
}

/// Deletes the portfolio with its entries; if it was the default, the next one becomes the default.
pub async fn delete(app: &App, user_id: Uuid, name: &str) -> Result<(), Error> {
    let (mut tx, id) = open(app, user_id, name).await?;
    remove(&mut tx, user_id, id).await?;
    refresh::all(app, &mut tx, user_id).await?;
    finish(tx, user_id).await
}

pub(crate) async fn remove(tx: &mut Tx, user_id: Uuid, id: Uuid) -> Result<(), Error> {
    portfolios::delete(tx, user_id, id).await?;
    let rest = portfolios::list(tx, user_id).await?;
    if let Some(first) = rest.first()
        && !rest.iter().any(|portfolio| portfolio.is_default)
    {
        portfolios::set_default(tx, user_id, first.id).await?;
    }
    Ok(())
}

async fn open(app: &App, user_id: Uuid, name: &str) -> Result<(Tx, Uuid), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let id = find(&mut tx, user_id, name).await?.id;
    Ok((tx, id))
}

async fn finish(mut tx: Tx, user_id: Uuid) -> Result<(), Error> {
    users::bump_version(&mut tx, user_id).await?;
    Ok(tx.commit().await?)
}

fn name_taken(error: store::Error, name: &str) -> Error {
    match error {
        store::Error::Conflict(store::Rule::PortfolioName) => refusal::Portfolio::NameTaken { name: name.to_owned() }.into(),
        other => other.into(),
    }
}

fn checked_name(name: &str) -> Result<&str, Error> {
    let name = name.trim();
    match name.is_empty() || name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        true => Err(refusal::Portfolio::NameLength { max: NAME_MAX }.into()),
        false => Ok(name),
    }
}

fn checked_slug(slug: &str) -> Result<String, Error> {
    let letters = slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    match letters
        && (SLUG_CHARACTERS_MIN..=SLUG_CHARACTERS_MAX).contains(&slug.len())
        && !slug.starts_with('-')
        && !slug.ends_with('-')
    {
        true => Ok(slug.to_owned()),
        false => {
            Err(refusal::Portfolio::SlugMalformed { slug: slug.to_owned(), min: SLUG_CHARACTERS_MIN, max: SLUG_CHARACTERS_MAX }
                .into())
        }
    }
}

/// 80 bits of characters that cannot be confused: nobody finds the portfolio without its address.
pub fn suggested_slug() -> Result<String, Error> {
    const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
}
