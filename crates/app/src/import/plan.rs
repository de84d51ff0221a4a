//! What an import would do, worked out and checked before anything is written.

use std::collections::{BTreeMap, HashMap};

use importers::{Kind, Problem, Record};
use ledger::Currency;
use store::Tx;
use store::entries::{self, Entry};
use uuid::Uuid;

use super::Request;
use super::check::{Checked, check};
use super::identity::{Identities, Identity};
use super::instruments::Instruments;
use super::places::Places;
use crate::{App, Error};

pub(super) struct Plan {
    pub entries: Vec<Entry>,
    /// The lines that `entries` come from, in the same order.
    pub lines: Vec<u64>,
    pub existing: u64,
    pub errors: Vec<Problem>,
    /// Symbols without a stock, with the currency their earliest entry is in.
    pub unseen: BTreeMap<String, Currency>,
    pub made_portfolio: bool,
}

/// What all rows of the import have in common.
pub(super) struct Import<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub request: &'a Request<'a>,
    /// For rows that name none.
    pub source: String,
}

impl Plan {
    pub async fn make(app: &App, tx: &mut Tx, import: &Import<'_>, records: Vec<Record>) -> Result<Plan, Error> {
        let mut rows = Rows {
            import,
            places: Places::new(app, import.user_id),
            instruments: Instruments::new(import.request, &records),
            identities: Identities::default(),
            made_portfolio: false,
        };
        let mut sequence = entries::next_sequence(tx, import.user_id).await?;
        let (mut entries, mut lines, mut existing, mut errors) = (Vec::new(), Vec::new(), 0, Vec::new());
        for record in records {
            let line = record.line;
            match rows.fate(tx, record, sequence).await? {
                Fate::New(entry) => {
                    entries.push(*entry);
                    lines.push(line);
                    sequence += 1;
                }
                Fate::Existing => existing += 1,
                Fate::Wrong(reason) => errors.push(Problem::new(line, reason)),
            }
        }
        let unseen = unseen(&entries, &rows.instruments);
        let line_of: HashMap<i64, u64> = entries.iter().map(|entry| entry.sequence).zip(lines.iter().copied()).collect();
        errors.extend(check(tx, import.user_id, Checked { entries: &entries, unseen: &unseen, line_of: &line_of }).await?);
        errors.sort_by_key(|problem| problem.line);
        Ok(Plan { entries, lines, existing, errors, unseen, made_portfolio: rows.made_portfolio })
    }
}

enum Fate {
    New(Box<Entry>),
    Existing,
    /// The reason for the row's owner.
    Wrong(String),
}

struct Rows<'a> {
    import: &'a Import<'a>,
    places: Places<'a>,
    instruments: Instruments<'a>,
    identities: Identities,
    made_portfolio: bool,
}

impl Rows<'_> {
    async fn fate(&mut self, tx: &mut Tx, record: Record, sequence: i64) -> Result<Fate, Error> {
        let symbol = match self.instruments.symbol(tx, &record).await? {
            Ok(symbol) => symbol,
            Err(reason) => return Ok(Fate::Wrong(reason)),
        };
        let Some(currency) = self.instruments.currency(tx, &symbol, &record).await? else {
            return Ok(Fate::Wrong(format!("currency is missing, and the one {symbol} trades in is not known")));
        };
        let wanted = record.portfolio.as_deref().or(self.import.request.portfolio);
        let portfolio_id = self.places.portfolio(tx, wanted, &mut self.made_portfolio).await?;
        let source = record.source.clone().unwrap_or_else(|| self.import.source.clone());
        let record = Record { currency: Some(currency), ..record };
        let identity = match self.identities.of(portfolio_id, &record, &symbol, &source) {
            Identity::Of(identity) => identity,
            Identity::Repeated => return Ok(Fate::Existing),
            Identity::Contradicted(reason) => return Ok(Fate::Wrong(reason)),
        };
        if self.places.identities(tx, portfolio_id).await?.contains(&identity) {
            return Ok(Fate::Existing);
        }
        // A net without an amount: the gross is not known, even where a price per share would suggest one.
        let gross_known = record.kind != Kind::Dividend || record.amount.is_some() || record.net.is_none();
        Ok(Fate::New(Box::new(Entry {
            sequence,
            portfolio_id,
            date: record.date,
            kind: record.kind,
            symbol,
            isin: record.isin,
            name: record.name,
            shares: record.shares,
            price: record.price,
            amount: record.amount,
            fees: record.fees,
            tax: record.tax,
            net: record.net,
            currency,
            fx_rate: record.fx_rate,
            ratio: record.ratio,
            ex_date: record.ex_date,
            source,
            source_id: record.id,
            note: record.note,
            identity,
            import_id: Some(self.import.id),
            gross_known,
        })))
    }
}

/// By date, because only the order within a day means anything.
fn unseen(entries: &[Entry], instruments: &Instruments<'_>) -> BTreeMap<String, Currency> {
    let mut by_date: Vec<&Entry> = entries.iter().filter(|entry| instruments.unseen(&entry.symbol)).collect();
    by_date.sort_by_key(|entry| entry.date);
    let mut currencies = BTreeMap::new();
    for entry in by_date {
        currencies.entry(entry.symbol.clone()).or_insert(entry.currency);
    }
    currencies
}
