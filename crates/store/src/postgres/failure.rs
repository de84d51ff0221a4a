//! Converts PostgreSQL errors into what the caller can do. The server's messages are dropped: they may quote values.

use tokio_postgres::error::SqlState;

use crate::error::{Bug, Damage, Outage};
use crate::{Error, Rule};

pub(super) fn failure(error: &tokio_postgres::Error) -> Error {
    let Some(code) = error.code() else {
        return unreachable();
    };
    let outage = match code.code() {
        "23505" => return Error::Conflict(rule(error)),
        "23503" => return Bug::ForeignKey.into(),
        "25006" => Outage::ReadOnlyServer,
        "55P03" => Outage::ServerBusy,
        "57014" => Outage::StatementTooSlow,
        "40001" | "40P01" => Outage::ChangedByOthers,
        "28000" | "28P01" => Outage::LoginRefused,
        "3D000" => Outage::NoSuchDatabase,
        "42501" => Outage::NotPermitted,
        "53100" => Outage::ServerDiskFull,
        "53300" => Outage::TooManyConnections,
        state @ ("XX001" | "XX002") => return Damage::Server { state: state.to_owned() }.into(),
        state => match &state[..2] {
            "08" | "53" | "57" | "58" => Outage::ServerNotReady { state: state.to_owned() },
            "23" => return Bug::Constraint { constraint: constraint(error).to_owned() }.into(),
            _ => return Bug::StatementRefused { cause: state.to_owned() }.into(),
        },
    };
    outage.into()
}

pub(super) fn unreachable() -> Error {
    Outage::Unreachable.into()
}

pub(super) fn silent() -> Error {
    Outage::NoAnswerInTime.into()
}

/// Errors after which a connection must not be reused: it is lost, or leads to a server that no longer accepts writes.
pub(super) fn breaks_connection(error: &tokio_postgres::Error) -> bool {
    match error.code() {
        None => true,
        Some(code) => {
            *code == SqlState::READ_ONLY_SQL_TRANSACTION
                || ["08", "57P", "58", "XX"].iter().any(|class| code.code().starts_with(class))
        }
    }
}

fn constraint(error: &tokio_postgres::Error) -> &str {
    error.as_db_error().and_then(|error| error.constraint()).unwrap_or_default()
}

fn rule(error: &tokio_postgres::Error) -> Rule {
    match constraint(error) {
        "users_email_key_key" => Rule::Email,
        "portfolios_user_id_name_key_key" => Rule::PortfolioName,
        "portfolios_slug_key_key" => Rule::Slug,
        "portfolios_one_default" => Rule::DefaultPortfolio,
        "entries_user_id_portfolio_id_identity_key" => Rule::EntryIdentity,
        _ => Rule::Key,
    }
}
