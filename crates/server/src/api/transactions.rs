//! `GET /api/v1/transactions`

use app::book::lots;
use app::entries::Row;
use app::entries::part::{self, Place, Wanted};
use axum::response::Response;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::civil::Date;
use ledger::{Kind, Money as Exact};
use serde::Serialize;
use serving::{ApiError, Query};
use utoipa::ToSchema;
use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::parameters::{Param, Whole, query};
use super::wire::Money;

#[derive(Serialize, ToSchema)]
pub struct TransactionList {
    transactions: Vec<Transaction>,
    /// `cursor` of the next request, or null.
    next_cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Transaction {
    id: i64,
    #[schema(format = Date)]
    date: String,
    /// As in the parameter `type`.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: &'static str,
    symbol: String,
    name: Option<String>,
    shares: Option<String>,
    /// Per share.
    price: Option<Money>,
    /// Gross; `shares` × `price` if not recorded.
    amount: Option<Money>,
    /// Only present, as false, if `amount` is the net amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    gross_known: Option<bool>,
    fees: Option<Money>,
    withholding_tax: Option<Money>,
    net: Option<Money>,
    currency: String,
    /// Of a split, such as 4:1.
    ratio: Option<String>,
    note: Option<String>,
    source: String,
    /// As in `Dividend`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    estimated: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    portfolio: Option<String>,
}

query! {
    pub struct TransactionsQuery {
        /// Ticker, case-insensitive.
        symbol: Option<String> = "KO",
        /// First date.
        from: Option<Date> = "2026-01-01",
        /// Last date.
        to: Option<Date> = "2026-12-31",
        /// Type.
        r#type: Option<Kind> = "buy",
        /// Name or slug of a portfolio, case-insensitive. If omitted, all.
        portfolio: Option<String> = "Core",
        /// `next_cursor` of the last answer.
        cursor: Option<Place> = "MjAyNi0wMS0xNS4xNw",
        /// From 1 to 500 (default 100).
        limit: Whole<1, 500, 100> = 100,
    }
}

pub struct ListTransactions;

impl Endpoint for ListTransactions {
    const PATH: &'static str = "/api/v1/transactions";
    const ID: &'static str = "listTransactions";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "Recorded transactions, newest first.";
    const ANSWER: &'static str = "Transactions.";
    type Caller = User;
    type Query = TransactionsQuery;
    type Answer = TransactionList;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        let TransactionsQuery { symbol, from, to, r#type: kind, portfolio, cursor, limit: Whole(limit) } = &ask.query;
        ask.cached(async {
            let wanted = Wanted {
                portfolio: portfolio.clone(),
                symbol: symbol.as_ref().map(|symbol| symbol.to_uppercase()),
                kind: *kind,
                from: *from,
                to: *to,
                after: *cursor,
                limit: *limit as usize,
            };
            let part = part::part(&ask.api.app, ask.caller.id, &wanted).await?;
            Ok(TransactionList {
                transactions: part.rows.into_iter().map(|row| Transaction::new(row, part.named)).collect(),
                next_cursor: part.next.map(cursor_text),
            })
        })
        .await
    }
}

impl Transaction {
    fn new(row: Row, named: bool) -> Transaction {
        let (amount, net) = (row.amount(), row.net());
        let entry = row.entry;
        let (source, estimated) = (lots::shown_source(&entry).to_owned(), lots::is_estimated(&entry));
        let recorded = |amount| Money::recorded(Exact::new(amount, entry.currency));
        Transaction {
            id: entry.sequence,
            date: entry.date.to_string(),
            kind: entry.kind.word(),
            symbol: entry.symbol,
            name: row.name,
            shares: entry.shares.map(ledger::shares_text),
            price: entry.price.map(recorded),
            amount: amount.map(Money::recorded),
            gross_known: (entry.kind == Kind::Dividend && !entry.gross_known && entry.tax.is_none()).then_some(false),
            fees: entry.fees.map(recorded),
            withholding_tax: entry.tax.map(recorded),
            net: net.map(Money::recorded),
            currency: entry.currency.to_string(),
            ratio: entry.ratio.map(|ratio| ratio.to_string()),
            note: entry.note,
            source,
            estimated: estimated.then_some(true),
            portfolio: named.then_some(row.portfolio),
        }
    }
}

fn cursor_text(place: Place) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{}.{}", place.date, place.sequence))
}

fn place(cursor: &str) -> Option<Place> {
    let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    let (date, sequence) = text.split_once('.')?;
    let place = Place { date: date.parse().ok()?, sequence: sequence.parse().ok()? };
    Some(place).filter(|place| place.date.year() > 0 && cursor_text(*place) == cursor)
}

impl Param for Option<Place> {
    fn parse(query: &Query<'_>, name: &str) -> Reply<Option<Place>> {
        let wrong = || ApiError::invalid_params(name, "the `next_cursor` of an earlier answer");
        query.text(name)?.map(|text| place(text).ok_or_else(wrong)).transpose()
    }

    fn schema() -> Object {
        ObjectBuilder::new().schema_type(Type::String).build()
    }
}

impl Param for Option<Kind> {
    fn parse(query: &Query<'_>, name: &str) -> Reply<Option<Kind>> {
        let wrong = || ApiError::invalid_params(name, &format!("one of {}", Kind::ALL.map(Kind::word).join(", ")));
        query.text(name)?.map(|text| Kind::parse(text).ok_or_else(wrong)).transpose()
    }

    fn schema() -> Object {
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(Kind::ALL.map(Kind::word))).build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written_and_in_no_other_form() {
        let first = Place { date: jiff::civil::date(2026, 1, 15), sequence: 17 };
        assert_eq!((cursor_text(first).as_str(), place("MjAyNi0wMS0xNS4xNw")), ("MjAyNi0wMS0xNS4xNw", Some(first)));
        for text in
            ["2026-01-15.17", "2026-01-15.", ".17", "2026-01-15.+17", "2026-01-15.017", "2026-02-30.1", "-002026-01-15.17", ""]
        {
            assert_eq!(place(text), None, "{text}");
            let encoded = BASE64_URL_SAFE_NO_PAD.encode(text);
            assert_eq!(place(&encoded).is_some(), text == "2026-01-15.17", "{text}");
        }
    }
}
