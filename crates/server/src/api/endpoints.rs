//! The table of contents of the API.

use axum::routing::{MethodRouter, get};
use utoipa::openapi::path::Operation;

use super::caller::{Access, Caller};
use super::endpoint::{Endpoint, serve};
use super::openapi::operation::{Schemas, operation};
use super::{
    Api, calendar, dividends, explain, holdings, income, me, portfolios, radar, received, status, stocks, transactions, upcoming,
    valuation, what_if,
};

pub const ENDPOINTS: [Row; 16] = [
    Row::of::<me::GetMe>(),
    Row::of::<portfolios::ListPortfolios>(),
    Row::of::<status::GetStatus>(),
    Row::of::<holdings::ListHoldings>(),
    Row::of::<dividends::ListDividends>(),
    Row::of::<income::GetIncome>(),
    Row::of::<upcoming::ListUpcoming>(),
    Row::of::<valuation::GetValuation>(),
    Row::of::<received::GetReceived>(),
    Row::of::<transactions::ListTransactions>(),
    Row::of::<radar::GetRadar>(),
    Row::of::<what_if::WhatIf>(),
    Row::of::<explain::ExplainFigure>(),
    Row::of::<calendar::GetCalendar>(),
    Row::of::<stocks::SearchStocks>(),
    Row::of::<stocks::GetStock>(),
];

/// An endpoint, for those who route or describe all of them.
pub struct Row {
    pub path: &'static str,
    pub access: Access,
    pub route: fn() -> MethodRouter<Api>,
    pub operation: fn(&mut Schemas) -> Operation,
}

impl Row {
    pub const fn of<E: Endpoint>() -> Row {
        Row { path: E::PATH, access: E::Caller::ACCESS, route: || get(serve::<E>), operation: operation::<E> }
    }

    fn matches(&self, path: &str) -> bool {
        match self.path.strip_suffix('}').and_then(|path| path.rsplit_once('{')) {
            None => self.path == path,
            Some((start, _)) => path.strip_prefix(start).is_some_and(|last| !last.is_empty() && !last.contains('/')),
        }
    }
}

/// Who may call the endpoint at a path.
pub fn access(path: &str) -> Option<Access> {
    ENDPOINTS.iter().find(|row| row.matches(path)).map(|row| row.access)
}
