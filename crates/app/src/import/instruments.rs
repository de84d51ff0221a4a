//! Which instrument a row means, and its trading currency. Never guesses: what is unclear becomes a question.

use std::collections::{BTreeMap, HashMap, HashSet};

use importers::{Accrual, Record};
use ledger::{Currency, QuoteUnit};
use reference::{Listing, Reference};
use store::stocks::Stock;
use store::{Tx, instruments, stocks};
use uuid::Uuid;

use super::Request;
use super::in_file::InFile;
use super::named::{Named, kept_symbol};
use super::reason::Reason;
use super::stock_cache::StockCache;
use super::symbol_remap::SymbolRemap;
use crate::stocks::listed;
use crate::{App, Error};

/// An unknown instrument of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// How an answer refers to it: its ISIN, else its ticker or name.
    pub key: String,
    pub name: Option<String>,
    /// Symbols it could be.
    pub candidates: Vec<String>,
    pub reason: Reason,
    /// The first line with it, and how many lines there are.
    pub line: u64,
    pub rows: u64,
}

#[derive(Clone)]
pub(super) enum Resolved {
    Symbol(String),
    Open { candidates: Vec<String>, reason: Reason },
}

/// The providers' answers, by the file's name for the instrument.
#[derive(Default)]
pub(super) struct Answers {
    pub symbols: HashMap<String, String>,
    /// If they return several and the file does not say which.
    pub choices: HashMap<String, Vec<String>>,
}

pub(super) struct Instruments {
    pub stocks: StockCache,
    reference: Option<&'static Reference>,
    /// The user's matches, from now and before.
    matches: HashMap<String, String>,
    /// The providers' answers, by key.
    pub found: HashMap<String, String>,
    /// Candidates from providers, if it is unclear which is meant.
    pub choices: HashMap<String, Vec<String>>,
    keep: bool,
    /// The user's choice for amounts without a currency.
    currency: Option<QuoteUnit>,
    /// Symbols from the user's answers, with their currency.
    placeholders: BTreeMap<String, Currency>,
    /// By names and currency.
    cache: HashMap<Vec<u8>, Resolved>,
    /// Buffer with names and currency of the previous row, reused for the next.
    lookup_key: Vec<u8>,
    /// The quote unit of each stock, if market data or the user's own ledger knows it.
    units: HashMap<String, Option<QuoteUnit>>,
    /// The trading currencies of symbols that only the reference data knows.
    listed: HashMap<String, Currency>,
    /// The user's symbols after the answers are applied, if they change any.
    renamed: Option<HashSet<String>>,
    /// The only currency of the file's trades in an instrument, by key; `None` if there are several.
    traded_in: HashMap<String, Option<Currency>>,
    /// By symbol or key, for instruments that only this file knows.
    in_file: HashMap<String, Currency>,
    /// Symbols by folded name, loaded once a row has nothing but a name.
    names: Option<HashMap<String, Vec<String>>>,
}

impl Instruments {
    /// For a file with these records and accruals, and the providers' answers about it.
    pub async fn open(
        app: &App,
        tx: &mut Tx,
        request: &Request<'_>,
        (records, accruals): (&[Record], &[Accrual]),
        renamed: &SymbolRemap,
        answers: Answers,
    ) -> Result<Instruments, Error> {
        let mut matches = instruments::of_user(tx, request.user_id).await?;
        let in_file = InFile::of(records);
        matches.extend(request.map.iter().map(|(key, symbol)| (key.to_uppercase(), symbol.clone())));
        let named = in_file.named.into_iter().chain(accruals.iter().map(Named::by_accrual));
        let answered = |key: &str| matches.get(key).or_else(|| answers.symbols.get(key)).map(String::as_str);
        let stocks = stocks_of(tx, request.user_id, named, answered).await?;
        Ok(Instruments {
            stocks,
            reference: app.reference,
            matches,
            found: answers.symbols,
            choices: answers.choices,
            keep: request.keep_unresolved,
            currency: request.currency,
            placeholders: renamed.placeholders().clone(),
            cache: HashMap::new(),
            lookup_key: Vec::new(),
            units: HashMap::new(),
            listed: HashMap::new(),
            renamed: renamed.symbols(),
            traded_in: in_file.traded_in,
            in_file: in_file.currencies,
            names: None,
        })
    }

    pub async fn resolve(&mut self, tx: &mut Tx, named: Named<'_>) -> Result<Resolved, Error> {
        if let Some(symbol) = named.symbol {
            return Ok(Resolved::Symbol(symbol.to_owned()));
        }
        named.put_names(&mut self.lookup_key);
        self.lookup_key.extend(named.currency.iter().flat_map(|currency| currency.code().bytes()));
        if let Some(resolved) = self.cache.get(&self.lookup_key) {
            return Ok(resolved.clone());
        }
        let mut resolved = self.look_up(tx, &named).await?;
        if self.keep && matches!(resolved, Resolved::Open { .. }) {
            resolved = Resolved::Symbol(kept_symbol(&named.key()));
        }
        self.cache.insert(self.lookup_key.clone(), resolved.clone());
        Ok(resolved)
    }

    async fn look_up(&mut self, tx: &mut Tx, named: &Named<'_>) -> Result<Resolved, Error> {
        let keys = named.keys();
        if let Some(symbol) = keys.iter().find_map(|key| self.matches.get(key).or_else(|| self.found.get(key))) {
            return Ok(Resolved::Symbol(symbol.clone()));
        }
        let mut listed = Vec::new();
        for isin in named.isins() {
            listed.extend(self.stocks.by_isin(tx, &isin).await?.iter().filter(|stock| !stock.placeholder).cloned());
        }
        if !listed.is_empty() {
            return self.one_of(tx, named, listed).await;
        }
        if let Some(symbol) = self.by_ticker(tx, named).await? {
            return Ok(Resolved::Symbol(symbol));
        }
        if let Some(kept) = self.kept_before(tx, &keys[0]).await? {
            return Ok(Resolved::Symbol(kept));
        }
        if let Some(resolved) = self.by_reference(tx, named).await? {
            return Ok(resolved);
        }
        if keys.iter().all(|key| Some(key.as_str()) == named.name.map(str::to_uppercase).as_deref()) {
            return self.by_name(tx, named).await;
        }
        Ok(match keys.iter().find_map(|key| self.choices.get(key)) {
            Some(offered) => {
                let reason = Reason::SeveralListings { key: keys[0].as_str().into() };
                Resolved::Open { reason, candidates: offered.clone() }
            }
            None => {
                let reason = Reason::UnknownSecurity { key: keys[0].as_str().into() };
                Resolved::Open { candidates: Vec::new(), reason }
            }
        })
    }

    /// What the user kept under that key before. A symbol listed in market data is not a provisional one: somebody who holds `KO`
    /// need not mean it by another exchange's `KO`.
    async fn kept_before(&mut self, tx: &mut Tx, key: &str) -> Result<Option<String>, Error> {
        let kept = kept_symbol(key);
        if !self.is_in_ledger(tx, &kept).await? {
            return Ok(None);
        }
        let stock = self.stocks.stock(tx, &kept).await?;
        let makeshift = stock.map_or(self.placeholders.contains_key(&kept), |stock| stock.placeholder);
        Ok(makeshift.then_some(kept))
    }

    /// The listing that the row means among several of one instrument: by ticker and exchange, else the one that the user already
    /// has in the ledger, else the only one in the currency of the file's trades. Dividends may be in other currencies. Where
    /// the stored listings do not decide, those of the reference data do, in their order of preference.
    async fn one_of(&mut self, tx: &mut Tx, named: &Named<'_>, stored: Vec<Stock>) -> Result<Resolved, Error> {
        let mut listed = stored;
        let count = listed.len();
        for isin in named.isins() {
            for listing in self.reference.iter().flat_map(|reference| reference.listings.by_isin(&isin)) {
                if listed.iter().all(|stock| stock.symbol != listing.symbol) {
                    listed.push(listed::stock(&listing));
                }
            }
        }
        let (stored, preferred) = listed.split_at(count);
        let mut in_ledger = Vec::new();
        for stock in listed.iter().filter(|_| listed.len() > 1) {
            if self.is_in_ledger(tx, &stock.symbol).await? {
                in_ledger.push(stock);
            }
        }
        let exact = named.listing().and_then(|symbol| listed.iter().find(|stock| stock.symbol == symbol));
        let traded_in = self.traded_in(named);
        let in_currency = |stock: &&Stock| Some(stock.currency) == traded_in;
        let with_ticker =
            |stock: &&Stock| named.ticker.is_some_and(|ticker| root(&stock.symbol) == importers::listing(ticker, ""));
        let found = exact
            .or_else(|| only(listed.iter()))
            .or_else(|| only(in_ledger.into_iter()))
            .or_else(|| only(listed.iter().filter(in_currency).filter(with_ticker)))
            .or_else(|| only(stored.iter().filter(in_currency)))
            .or_else(|| preferred.iter().find(in_currency).filter(|_| !stored.iter().any(|stock| in_currency(&stock))))
            .or_else(|| only(stored.iter()));
        if let Some(stock) = found {
            return Ok(Resolved::Symbol(stock.symbol.clone()));
        }
        let kept = self.kept_before(tx, &named.key()).await?;
        // Listings of one security in one currency pay the same.
        let alike = || listed.iter().filter(|_| self.keep).find(in_currency).map(|stock| stock.symbol.clone());
        Ok(match kept.or_else(alike) {
            Some(symbol) => Resolved::Symbol(symbol),
            None => {
                let candidates: Vec<String> = listed.iter().map(|stock| stock.symbol.clone()).collect();
                Resolved::Open { candidates, reason: Reason::SeveralListings { key: named.key().into() } }
            }
        })
    }

    /// What the reference data knows: by ISIN, else by ticker with its exchange or in its currency. A ticker that has other
    /// listings is a question.
    async fn by_reference(&mut self, tx: &mut Tx, named: &Named<'_>) -> Result<Option<Resolved>, Error> {
        let Some(Reference { listings, .. }) = self.reference else { return Ok(None) };
        if named.isins().iter().any(|isin| listings.by_isin(isin).next().is_some()) {
            return self.one_of(tx, named, Vec::new()).await.map(Some);
        }
        let Some(ticker) = named.ticker else { return Ok(None) };
        let root = importers::listing(ticker, "");
        let symbol = named.listing().unwrap_or_else(|| root.clone());
        let traded_in = self.traded_in(named);
        let fits = |listing: &Listing<'_>| {
            let same_isin = named.isin.zip(listing.isin).is_none_or(|(one, other)| one == other);
            same_isin && traded_in.is_none_or(|currency| currency == listing.unit.currency)
        };
        if let Some(listing) = listings.by_symbol(&symbol).filter(fits)
            && (named.suffix.is_some() || traded_in.is_some())
        {
            return Ok(Some(Resolved::Symbol(listing.symbol.to_owned())));
        }
        // A file with ISINs means what they say, and nothing else with the same ticker.
        let candidates: Vec<String> = match named.suffix.is_some() || !named.isins().is_empty() {
            true => Vec::new(),
            false => listings.by_root(&root).filter(fits).map(|listing| listing.symbol.to_owned()).collect(),
        };
        let reason = Reason::SeveralListings { key: named.key().into() };
        Ok((!candidates.is_empty()).then_some(Resolved::Open { candidates, reason }))
    }

    fn traded_in(&self, named: &Named<'_>) -> Option<Currency> {
        self.traded_in.get(&named.key()).copied().unwrap_or(named.currency)
    }

    async fn is_in_ledger(&mut self, tx: &mut Tx, symbol: &str) -> Result<bool, Error> {
        match &self.renamed {
            Some(symbols) => Ok(symbols.contains(symbol)),
            None => self.stocks.is_in_ledger(tx, symbol).await,
        }
    }

    /// A ticker alone is accepted as a symbol only if both have the same currency; the ISINs must not contradict each other.
    async fn by_ticker(&mut self, tx: &mut Tx, named: &Named<'_>) -> Result<Option<String>, Error> {
        let Some(ticker) = named.ticker else { return Ok(None) };
        let symbol = named.listing().unwrap_or_else(|| importers::listing(ticker, ""));
        let traded_in = self.traded_in(named);
        let Some(stock) = self.stocks.stock(tx, &symbol).await?.filter(|stock| !stock.placeholder) else { return Ok(None) };
        let same_isin = named.isin.zip(stock.isin.as_deref()).is_none_or(|(one, other)| one == other);
        let certain = named.suffix.is_some() || traded_in == Some(stock.currency);
        Ok((same_isin && certain).then_some(symbol))
    }

    /// A name alone identifies an instrument only if exactly one stock has it.
    async fn by_name(&mut self, tx: &mut Tx, named: &Named<'_>) -> Result<Resolved, Error> {
        let names = match &self.names {
            Some(names) => names,
            None => self.names.insert(symbols_by_name(tx, self.reference).await?),
        };
        let wanted = store::name_key::key(named.name.unwrap_or_default());
        let candidates = names.get(&wanted).cloned().unwrap_or_default();
        Ok(match candidates.as_slice() {
            [only] => Resolved::Symbol(only.clone()),
            [] => Resolved::Open { reason: Reason::UnknownName { name: named.key().into() }, candidates },
            _ => Resolved::Open { reason: Reason::SeveralSecurities { name: named.key().into() }, candidates },
        })
    }

    /// Converts the row's amounts to whole units of a currency: the row's, else that of the stock, else that of other rows in the
    /// file, else the user's choice. False if none is known.
    pub async fn put_in_currency(&mut self, tx: &mut Tx, symbol: &str, record: &mut Record) -> Result<bool, Error> {
        let unit = match self.units.get(symbol) {
            Some(unit) => *unit,
            None => self.look_up_unit(tx, symbol, record.quoted).await?,
        };
        if record.currency.is_some() {
            return Ok(true);
        }
        let in_file = || [symbol, &Named::by(record).key()].into_iter().find_map(|key| self.in_file.get(key).copied());
        let quoted = match record.quoted {
            true => unit.or(self.currency),
            false => match unit.map(|unit| unit.currency).or_else(in_file) {
                Some(currency) => Some(currency.into()),
                None => self.currency,
            },
        };
        if let Some(unit) = quoted {
            put_in_whole(record, unit);
        }
        Ok(quoted.is_some())
    }

    async fn look_up_unit(&mut self, tx: &mut Tx, symbol: &str, quoted: bool) -> Result<Option<QuoteUnit>, Error> {
        let stock = self.stocks.visible(tx, symbol).await?.filter(|stock| !stock.placeholder || !quoted);
        let brought = self.placeholders.get(symbol).filter(|_| !quoted);
        let listed = listed::listing(self.reference, symbol).map(|listing| listing.unit);
        let unit = stock.map(|stock| stock.quote_unit).or(brought.map(|currency| QuoteUnit::from(*currency)));
        if let Some(unit) = listed.filter(|_| unit.is_none()) {
            self.listed.insert(symbol.to_owned(), unit.currency);
        }
        let unit = unit.or(listed);
        self.units.insert(symbol.to_owned(), unit);
        Ok(unit)
    }

    pub fn unseen(&self, symbol: &str) -> bool {
        self.listed.contains_key(symbol) || self.units.get(symbol).is_none_or(Option::is_none)
    }

    /// Of a symbol that only the reference data knows.
    pub fn listed_currency(&self, symbol: &str) -> Option<Currency> {
        self.listed.get(symbol).copied()
    }
}

/// Loads everything that may be needed about the instruments of a file at once.
async fn stocks_of<'a>(
    tx: &mut Tx,
    user_id: Uuid,
    named: impl Iterator<Item = Named<'a>>,
    answered: impl Fn(&str) -> Option<&'a str>,
) -> Result<StockCache, Error> {
    let (mut symbols, mut isins) = (HashSet::new(), HashSet::new());
    for one in named {
        if let Some(symbol) = one.symbol {
            symbols.insert(symbol.to_owned());
            continue;
        }
        let keys = one.keys();
        symbols.extend(keys.iter().find_map(|key| answered(key)).map(str::to_owned));
        symbols.extend(one.listing().or_else(|| one.ticker.map(|ticker| importers::listing(ticker, ""))));
        symbols.extend(keys.first().map(|key| kept_symbol(key)));
        isins.extend(one.isins());
    }
    let mut stocks = StockCache::new(user_id);
    stocks.load_isins(tx, &isins).await?;
    symbols.extend(stocks.symbols_by_isin().map(|stock| stock.symbol.clone()));
    stocks.load(tx, &symbols.iter().map(String::as_str).collect()).await?;
    Ok(stocks)
}

async fn symbols_by_name(tx: &mut Tx, reference: Option<&Reference>) -> Result<HashMap<String, Vec<String>>, Error> {
    let mut names: HashMap<String, Vec<String>> = HashMap::new();
    for listing in stocks::listings(tx).await?.into_iter().filter(|listing| !listing.placeholder) {
        if let Some(name) = &listing.name {
            names.entry(store::name_key::key(name)).or_default().push(listing.symbol);
        }
    }
    let mut unstored: HashMap<String, Vec<String>> = HashMap::new();
    for listing in reference.iter().flat_map(|reference| reference.listings.iter()) {
        unstored.entry(store::name_key::key(listing.name)).or_default().push(listing.symbol.to_owned());
    }
    for (name, symbols) in unstored {
        names.entry(name).or_insert(symbols);
    }
    Ok(names)
}

/// Converts amounts from the stock's quote unit to whole units of its currency.
fn put_in_whole(record: &mut Record, unit: QuoteUnit) {
    let money = [&mut record.price, &mut record.amount, &mut record.fees, &mut record.tax, &mut record.net];
    for figure in money.into_iter().flatten() {
        *figure = unit.normalise(*figure);
    }
    record.currency = Some(unit.currency);
}

fn root(symbol: &str) -> &str {
    symbol.split_once('.').map_or(symbol, |(root, _)| root)
}

fn only<'a>(mut stocks: impl Iterator<Item = &'a Stock>) -> Option<&'a Stock> {
    stocks.next().filter(|_| stocks.next().is_none())
}
