//! What an import would do, worked out and checked before anything is written.

use std::collections::{BTreeMap, HashMap, HashSet};

use importers::{Kind, Problem, Record};
use jiff::civil::Date;
use ledger::{Currency, Fx, Oversell, ReplayError};
use store::entries::{self, Entry};
use store::{Tx, portfolios, splits, stocks};
use uuid::Uuid;

use super::Request;
use crate::account::find;
use crate::{App, Error, lots, rates};

/// The name of the portfolio that is made when a user without one imports rows that name none.
const FIRST_PORTFOLIO: &str = "Main";

#[derive(Default)]
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

impl Plan {
    pub async fn make(
        app: &App,
        tx: &mut Tx,
        user_id: Uuid,
        request: &Request<'_>,
        format: &str,
        import_id: Uuid,
        records: Vec<Record>,
    ) -> Result<Plan, Error> {
        let mut plan = Plan::default();
        let mut places = Places { app, user_id, known: HashMap::new(), identities: HashMap::new() };
        let mut instruments = Instruments { request, currencies: HashMap::new(), in_file: currencies_in_file(&records) };
        let mut seen_ids: HashMap<(Uuid, String), (u64, String)> = HashMap::new();
        let mut ordinals: HashMap<(Uuid, String), u64> = HashMap::new();
        let mut lines: HashMap<i64, u64> = HashMap::new();
        let mut sequence = entries::next_sequence(tx, user_id).await?;
        for record in records {
            let line = record.line;
            let symbol = match instruments.symbol(tx, &record).await? {
                Ok(symbol) => symbol,
                Err(reason) => {
                    plan.errors.push(Problem::new(line, reason));
                    continue;
                }
            };
            let Some(currency) = instruments.currency(tx, &symbol, &record).await? else {
                plan.errors.push(Problem::new(line, format!("currency is missing, and the one {symbol} trades in is not known")));
                continue;
            };
            let wanted = record.portfolio.as_deref().or(request.portfolio);
            let portfolio_id = places.portfolio(tx, wanted, &mut plan.made_portfolio).await?;
            let record = Record { currency: Some(currency), ..record };
            let content = importers::content_key(&record, &symbol);
            let identity = match &record.id {
                Some(id) => {
                    // Another source may count its rows in the same way.
                    let source = record.source.clone().unwrap_or_else(|| format!("import:{format}"));
                    let identity = format!("id:{source}:{id}");
                    match seen_ids.get(&(portfolio_id, identity.clone())) {
                        Some((_, before)) if *before == content => {
                            plan.existing += 1;
                            continue;
                        }
                        Some((first, _)) => {
                            plan.errors
                                .push(Problem::new(line, format!("id \"{id}\" stands on line {first} too, for another event")));
                            continue;
                        }
                        None => seen_ids.insert((portfolio_id, identity.clone()), (line, content)),
                    };
                    identity
                }
                None => {
                    let ordinal = ordinals.entry((portfolio_id, content.clone())).or_default();
                    *ordinal += 1;
                    format!("row:{content}:{ordinal}")
                }
            };
            if places.identities(tx, portfolio_id).await?.contains(&identity) {
                plan.existing += 1;
                continue;
            }
            lines.insert(sequence, line);
            plan.lines.push(line);
            plan.entries.push(entry(record, sequence, portfolio_id, symbol, currency, identity, import_id, format));
            sequence += 1;
        }
        // By date, because only the order within a day means anything.
        let mut by_date: Vec<&Entry> = plan.entries.iter().filter(|entry| instruments.unseen(&entry.symbol)).collect();
        by_date.sort_by_key(|entry| entry.date);
        for entry in by_date {
            plan.unseen.entry(entry.symbol.clone()).or_insert(entry.currency);
        }
        plan.check(tx, user_id, &lines).await?;
        plan.errors.sort_by_key(|problem| problem.line);
        Ok(plan)
    }

    /// Replays every ledger that the new entries touch, old and new together.
    async fn check(&mut self, tx: &mut Tx, user_id: Uuid, lines: &HashMap<i64, u64>) -> Result<(), Error> {
        let touched: HashSet<(Uuid, String)> =
            self.entries.iter().map(|entry| (entry.portfolio_id, entry.symbol.clone())).collect();
        let mut all = entries::of_user(tx, user_id).await?;
        all.retain(|entry| touched.contains(&(entry.portfolio_id, entry.symbol.clone())));
        all.extend(self.entries.iter().cloned());
        let fx: Fx = rates::read(tx).await?;
        for lot in lots::gather(&all)? {
            let known = stocks::by_symbol(tx, &lot.symbol).await?.map(|stock| stock.currency);
            let Some(currency) =
                known.or_else(|| self.unseen.get(&lot.symbol).copied()).or(lot.entries.first().map(|entry| entry.currency))
            else {
                continue;
            };
            let splits = splits::of_symbol(tx, &lot.symbol).await?;
            let Err(error) = ledger::replay(&lot.entries, currency, &splits, &fx, Date::MAX, Oversell::Refuse) else { continue };
            let (sequence, reason) = explain(&error, &lot.symbol);
            let own_line = sequence.and_then(|sequence| lines.get(&sequence)).copied();
            let (line, reason) = match own_line {
                Some(line) => (line, reason),
                // The entry that no longer fits was recorded earlier; a line of this file made it so.
                None => (first_line(&lot, lines), format!("with this file, an entry already recorded no longer fits: {reason}")),
            };
            self.errors.push(Problem::new(line, reason));
        }
        Ok(())
    }
}

fn first_line(lot: &lots::Lot, lines: &HashMap<i64, u64>) -> u64 {
    lot.entries.iter().filter_map(|entry| lines.get(&entry.sequence)).min().copied().unwrap_or(0)
}

fn explain(error: &ReplayError, symbol: &str) -> (Option<i64>, String) {
    match error {
        ReplayError::Oversold { sequence, date, held, asked } => (
            Some(*sequence),
            format!(
                "{} {symbol} leave on {date}, but only {} are held then",
                ledger::shares_text(*asked),
                ledger::shares_text(*held)
            ),
        ),
        ReplayError::MissingRate { sequence, date, from, to } => (
            Some(*sequence),
            format!(
                "{symbol} trades in {to} and this entry is in {from}: there is no exchange rate for {date}; give fx_rate ({to} for one {from}), or load fx.csv"
            ),
        ),
        ReplayError::Overflow => (None, format!("the figures of {symbol} are too large to compute with")),
    }
}

#[allow(clippy::too_many_arguments)] // one call, all of it plain facts of the row
fn entry(
    record: Record,
    sequence: i64,
    portfolio_id: Uuid,
    symbol: String,
    currency: Currency,
    identity: String,
    import_id: Uuid,
    format: &str,
) -> Entry {
    // A net without an amount: the gross is not known, even where a price per share would suggest one.
    let gross_known = record.kind != Kind::Dividend || record.amount.is_some() || record.net.is_none();
    Entry {
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
        source: record.source.unwrap_or_else(|| format!("import:{format}")),
        source_id: record.id,
        note: record.note,
        identity,
        import_id: Some(import_id),
        gross_known,
    }
}

/// Where rows go: portfolios by name, made where they do not exist yet.
struct Places<'a> {
    app: &'a App,
    user_id: Uuid,
    known: HashMap<Option<String>, Uuid>,
    identities: HashMap<Uuid, HashSet<String>>,
}

impl Places<'_> {
    async fn portfolio(&mut self, tx: &mut Tx, wanted: Option<&str>, made: &mut bool) -> Result<Uuid, Error> {
        let key = wanted.map(str::to_owned);
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let rows = portfolios::list(tx, self.user_id).await?;
        let found = match wanted {
            Some(name) => find(&rows, name),
            None => rows.iter().find(|row| row.is_default),
        };
        let id = match found {
            Some(row) => row.id,
            None => {
                *made = true;
                crate::portfolios::create(tx, self.user_id, wanted.unwrap_or(FIRST_PORTFOLIO), self.app.clock.now_micros())
                    .await?
            }
        };
        self.known.insert(key, id);
        Ok(id)
    }

    async fn identities(&mut self, tx: &mut Tx, portfolio_id: Uuid) -> Result<&HashSet<String>, Error> {
        if !self.identities.contains_key(&portfolio_id) {
            self.identities.insert(portfolio_id, entries::identities(tx, self.user_id, portfolio_id).await?);
        }
        Ok(&self.identities[&portfolio_id])
    }
}

/// Which stock a row means, and what it trades in.
struct Instruments<'a> {
    request: &'a Request<'a>,
    currencies: HashMap<String, Option<Currency>>,
    /// By symbol or ISIN, for instruments that only this file knows.
    in_file: HashMap<String, Currency>,
}

/// The currency of each instrument's earliest row that names one.
fn currencies_in_file(records: &[Record]) -> HashMap<String, Currency> {
    let mut named: Vec<(&Record, Currency)> = records.iter().filter_map(|record| Some((record, record.currency?))).collect();
    named.sort_by_key(|(record, _)| record.date);
    let mut currencies = HashMap::new();
    for (record, currency) in named {
        for key in record.symbol.iter().chain(&record.isin) {
            currencies.entry(key.clone()).or_insert(currency);
        }
    }
    currencies
}

impl Instruments<'_> {
    /// The inner error is a reason for the row's owner.
    async fn symbol(&self, tx: &mut Tx, record: &Record) -> Result<Result<String, String>, Error> {
        if let Some(symbol) = &record.symbol {
            return Ok(Ok(symbol.clone()));
        }
        let Some(isin) = &record.isin else { return Ok(Err("symbol and isin are both missing".to_owned())) };
        if let Some(symbol) = self.request.map.get(isin) {
            return Ok(Ok(symbol.clone()));
        }
        let known = stocks::by_isin(tx, isin).await?;
        Ok(match known.as_slice() {
            [one] => Ok(one.symbol.clone()),
            [] if self.request.keep_unresolved => Ok(isin.clone()),
            [] => Err(format!(
                "no stock is known under {isin}; say which it is with --map {isin}=SYMBOL, or keep it with --unresolved keep"
            )),
            many => {
                let symbols: Vec<&str> = many.iter().map(|stock| stock.symbol.as_str()).collect();
                Err(format!("{isin} is listed as {}; say which with --map {isin}=SYMBOL", symbols.join(", ")))
            }
        })
    }

    async fn currency(&mut self, tx: &mut Tx, symbol: &str, record: &Record) -> Result<Option<Currency>, Error> {
        if !self.currencies.contains_key(symbol) {
            let stock = stocks::by_symbol(tx, symbol).await?;
            self.currencies.insert(symbol.to_owned(), stock.map(|stock| stock.currency));
        }
        let in_file =
            || [Some(symbol), record.isin.as_deref()].into_iter().flatten().find_map(|key| self.in_file.get(key).copied());
        Ok(record.currency.or(self.currencies[symbol]).or_else(in_file))
    }

    fn unseen(&self, symbol: &str) -> bool {
        self.currencies.get(symbol).is_none_or(Option::is_none)
    }
}
