//! The figures of open positions.

mod outlook;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::civil::Date;
use ledger::explain::{self, Node, Source, Stock, Unit};
use ledger::{Currency, Decimal, Fx, Overflow, ReplayError};

use crate::Error;
use crate::book::evidence::{Recorded, StockData};
use crate::book::lots::Lot;
use crate::book::{Book, OpenPosition};
use crate::market::profile::Profile;
use crate::market::traded::Traded;

/// Open positions with everything that their figures were computed from.
pub(super) struct Explained {
    pub rates: Source,
    fx: Arc<Fx>,
    today: Date,
    /// Positions are as of the end of this day.
    day: Date,
    preferred: Currency,
    positions: Vec<Explainable>,
    /// Whether positions show their shares without each transaction, because there may be many.
    brief: bool,
}

struct Explainable {
    held: OpenPosition,
    lot: Arc<Lot>,
    data: Option<Arc<StockData>>,
    withholding: Node,
    /// Its symbol, and its portfolio if there are several.
    name: String,
    portfolio: String,
}

impl Explained {
    /// Of one symbol, or of all.
    pub async fn load(book: &mut Book<'_>, symbol: Option<&str>, rates: Source) -> Result<Explained, Error> {
        let mut held = book.open_positions().await?;
        held.retain(|held| symbol.is_none_or(|symbol| held.holding.symbol == symbol));
        book.read(&held.iter().map(|held| &*held.holding).collect::<Vec<_>>()).await?;
        let mut data: HashMap<String, Option<Arc<StockData>>> = HashMap::new();
        let mut positions = Vec::with_capacity(held.len());
        for held in held {
            let (holding, profile) = (held.holding.clone(), held.profile.clone());
            if !data.contains_key(&holding.symbol) {
                let found = book.stock_data(&holding, profile.as_deref()).await?;
                data.insert(holding.symbol.clone(), found.map(Arc::new));
            }
            let withholding = book.explained_withholding(&holding, profile.as_deref()).await?.ok_or(Overflow)?;
            let name = match book.account.label(holding.portfolio_id) {
                Some(portfolio) => format!("{} in {portfolio}", holding.symbol),
                None => holding.symbol.clone(),
            };
            let data = data.get(&holding.symbol).cloned().flatten();
            let portfolio = book.account.name_of(holding.portfolio_id).to_owned();
            positions.push(Explainable { lot: book.lot(&holding).await?, held, data, withholding, name, portfolio });
        }
        let (fx, preferred) = (book.fx.clone(), book.account.user.preferred_currency);
        Ok(Explained { rates, fx, today: book.today, day: book.day, preferred, positions, brief: symbol.is_none() })
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    pub fn stock_data(&self) -> Option<&StockData> {
        self.positions.iter().find_map(|one| one.data.as_deref())
    }

    /// Only the positions of this portfolio.
    pub fn keep_portfolio(&mut self, name: &str) {
        self.positions.retain(|one| one.is_in(name));
    }

    /// The trading currency.
    pub fn currency(&self) -> Option<Currency> {
        self.positions.first().map(|one| one.held.position.currency)
    }

    pub fn income(&self) -> Result<Node, Error> {
        self.total("income", Explained::income_of)
    }

    pub fn net_income(&self) -> Result<Node, Error> {
        self.total("net_income", Explained::net_income_of)
    }

    pub fn value(&self) -> Result<Node, Error> {
        self.total("value", Explained::value_of)
    }

    pub fn annual_income(&self) -> Result<Node, Error> {
        let incomes = self.payers()?.into_iter().map(|(one, income)| income.named(one.name.clone())).collect();
        Ok(explain::total("annual_income", self.preferred, incomes).ok_or(Overflow)?)
    }

    pub fn net_annual_income(&self) -> Result<Node, Error> {
        Ok(explain::total("net_annual_income", self.preferred, self.nets(|_| true)?).ok_or(Overflow)?)
    }

    /// Of these symbols together; `None` if none of them pays.
    pub fn net_income_of_symbols(&self, name: &'static str, symbols: &BTreeSet<String>) -> Result<Option<Node>, Error> {
        let nets = self.nets(|symbol| symbols.contains(symbol))?;
        let total = |nets| explain::total(name, self.preferred, nets).ok_or(Overflow);
        Ok((!nets.is_empty()).then(|| total(nets)).transpose()?)
    }

    pub fn monthly_average(&self) -> Result<Node, Error> {
        Ok(explain::monthly_average(self.preferred, self.nets(|_| true)?).ok_or(Overflow)?)
    }

    fn nets(&self, counts: impl Fn(&str) -> bool) -> Result<Vec<Node>, Error> {
        let net = |(one, income): (&Explainable, Node)| {
            Ok(explain::net_income(income, one.withholding.clone()).ok_or(Overflow)?.named(one.name.clone()))
        };
        self.payers()?.into_iter().filter(|(one, _)| counts(&one.held.holding.symbol)).map(net).collect()
    }

    /// The income of a single position, not rounded; `None` if there is none.
    pub fn exact_income(&self, is_net: bool) -> Result<Option<Node>, Error> {
        let income = if is_net { Explained::net_income_of } else { Explained::income_of };
        self.positions.first().map(|one| income(self, one)).transpose()
    }

    /// The price of a single position, and the exchange rates from its currency to the preferred one.
    pub fn priced(&self) -> Option<(Node, Option<[Node; 2]>)> {
        let one = self.positions.first()?;
        Some((self.price(one)?, self.exchange(one.held.position.currency)?))
    }

    /// The share of a position, or of all of a symbol, in the income of all positions.
    pub fn share_of_income(&self, symbol: &str, portfolio: Option<&str>) -> Result<Option<Node>, Error> {
        let counts =
            |one: &&Explainable| one.held.holding.symbol == symbol && portfolio.is_none_or(|portfolio| one.is_in(portfolio));
        let mut parts = Vec::new();
        for one in self.positions.iter().filter(counts) {
            parts.push(self.income_of(one)?.named(one.name.clone()));
        }
        if parts.is_empty() {
            return Ok(None);
        }
        if let Some(unknown) = parts.iter().find(|part| part.value.is_none()) {
            return Ok(Some(Node { unit: Unit::Percent, ..unknown.clone().named("share_of_income") }));
        }
        let payers = self.payers()?;
        if payers.is_empty() {
            return Ok(Some(Node::unknown("share_of_income", Unit::Percent, "no_income")));
        }
        let unit = Unit::Money(self.preferred);
        let part = match (parts.len(), parts.pop()) {
            (1, Some(only)) => only.named("income"),
            (_, last) => explain::sum("income", unit, parts.into_iter().chain(last).collect()).ok_or(Overflow)?,
        };
        let whole = payers.into_iter().map(|(one, income)| income.summarised().named(one.name.clone())).collect();
        let whole = explain::sum("annual_income", unit, whole).ok_or(Overflow)?;
        Ok(Some(explain::percentage("share_of_income", part, whole).ok_or(Overflow)?))
    }

    /// Of the positions with a price, whether they pay or not.
    pub fn current_yield(&self) -> Result<Node, Error> {
        let mut incomes = Vec::new();
        let mut values: Vec<(Currency, Vec<Node>)> = Vec::new();
        for one in &self.positions {
            let Some(price) = self.price(one) else { continue };
            let income = self.income_of(one)?;
            let currency = one.held.position.currency;
            if self.is_unconverted(one) {
                continue;
            }
            if income.value.is_some() {
                incomes.push(income.summarised().named(one.name.clone()));
            }
            let value = explain::value(self.shares(one)?, price, None).ok_or(Overflow)?.named(one.name.clone());
            match values.iter_mut().find(|(known, _)| *known == currency) {
                Some((_, values)) => values.push(value),
                None => values.push((currency, vec![value])),
            }
        }
        if values.is_empty() {
            return Ok(Node::unknown("current_yield", Unit::Percent, "no_price"));
        }
        let values = values.into_iter().map(|(currency, values)| (values, self.exchange(currency).flatten())).collect();
        Ok(explain::current_yield(incomes, values, self.preferred).ok_or(Overflow)?)
    }

    pub fn growth_rate(&self) -> Result<Node, Error> {
        let payers = self.payers()?;
        if payers.is_empty() {
            return Ok(Node::unknown("growth", Unit::Fraction, "no_income"));
        }
        let growth = |(one, income): (&Explainable, Node)| {
            let unknown = || Node::unknown("growth", Unit::Fraction, "no_data");
            let growth = self.stock(one).map_or_else(unknown, |stock| stock.growth());
            (income.summarised().named(one.name.clone()), growth)
        };
        Ok(explain::growth_rate(payers.into_iter().map(growth).collect(), self.preferred).ok_or(Overflow)?)
    }

    /// The same for all positions of a symbol, unless transactions name different securities.
    pub fn withholding(&self) -> Result<Node, Error> {
        let rates: Vec<&Node> = self.positions.iter().map(|one| &one.withholding).collect();
        let payers = self.payers()?;
        let Some(first) = rates.first().filter(|first| payers.is_empty() || rates.iter().all(|rate| rate.value == first.value))
        else {
            let share =
                |(one, income): (&Explainable, Node)| (income.summarised().named(one.name.clone()), one.withholding.clone());
            let shares = payers.into_iter().map(share).collect();
            return Ok(explain::withheld_share(shares, self.preferred).ok_or(Overflow)?);
        };
        Ok((*first).clone())
    }

    pub fn average_cost(&self) -> Result<Node, Error> {
        match self.cost_and_shares()? {
            Some([costs, shares]) => Ok(explain::average_cost(costs, shares).ok_or(Overflow)?),
            None => Ok(Node::unknown("average_cost", Unit::Money(self.preferred), "several_currencies")),
        }
    }

    pub fn yield_on_cost(&self) -> Result<Node, Error> {
        let unknown = |reason| Ok(Node::unknown("yield_on_cost", Unit::Percent, reason));
        let Some(one) = self.positions.first().filter(|_| self.positions.iter().all(|one| one.held.position.cost_known)) else {
            return unknown("cost_not_known");
        };
        let Some([costs, shares]) = self.cost_and_shares()? else { return unknown("several_currencies") };
        let Some(stock) = self.stock(one) else { return unknown("no_data") };
        let cost = explain::exact_average_cost(costs, shares).ok_or(Overflow)?;
        match stock.yield_on_cost(cost) {
            Some(node) => Ok(node),
            None if stock.forward_rate().value.is_none() => unknown("no_payments"),
            None => unknown("several_currencies"),
        }
    }

    /// Of all positions together.
    pub fn all_shares(&self) -> Result<Node, Error> {
        let mut all = Vec::new();
        for one in &self.positions {
            all.push(self.shares(one)?.named(one.name.clone()));
        }
        match (all.len(), all.pop()) {
            (1, Some(only)) => Ok(only.named("shares")),
            (_, last) => Ok(explain::sum("shares", Unit::Shares, all.into_iter().chain(last).collect()).ok_or(Overflow)?),
        }
    }

    /// Each with its name, if there are several; `None` if they are in different currencies.
    fn cost_and_shares(&self) -> Result<Option<[Vec<Node>; 2]>, Error> {
        let currencies = || self.positions.iter().map(|one| one.held.position.currency);
        if currencies().zip(currencies().skip(1)).any(|(one, other)| one != other) {
            return Ok(None);
        }
        let (mut costs, mut shares) = (Vec::new(), Vec::new());
        for one in &self.positions {
            let cost = self.lot(one).cost(&one.held.position, self.day).map_err(|error| one.broken(error))?;
            costs.push(if self.positions.len() > 1 { cost.named(one.name.clone()) } else { cost });
            let held = self.shares(one)?;
            shares.push(if self.positions.len() > 1 { held.named(one.name.clone()) } else { held });
        }
        Ok(Some([costs, shares]))
    }

    /// The sum over the positions that have the figure; unknown if none has.
    fn total(&self, name: &'static str, figure: fn(&Explained, &Explainable) -> Result<Node, Error>) -> Result<Node, Error> {
        let mut known = Vec::new();
        let mut unknown = None;
        for one in &self.positions {
            let node = figure(self, one)?;
            match node.value {
                Some(_) => known.push(node.named(one.name.clone())),
                None => unknown = Some(node),
            }
        }
        match unknown {
            Some(node) if known.is_empty() => Ok(node.named(name)),
            _ => Ok(explain::total(name, self.preferred, known).ok_or(Overflow)?),
        }
    }

    /// The positions with income, largest first.
    fn payers(&self) -> Result<Vec<(&Explainable, Node)>, Error> {
        let mut payers = Vec::new();
        for one in &self.positions {
            let income = self.income_of(one)?;
            if income.decimal().is_some_and(|income| income > Decimal::ZERO) {
                payers.push((one, income));
            }
        }
        payers.sort_by_key(|(_, income)| Reverse(income.decimal()));
        Ok(payers)
    }

    fn income_of(&self, one: &Explainable) -> Result<Node, Error> {
        let unknown = |reason| Ok(Node::unknown("income", Unit::Money(self.preferred), reason));
        let Some(rate) = self.stock(one).map(|stock| stock.forward_rate()) else { return unknown("no_data") };
        let (Some(amount), Unit::Money(paid)) = (rate.decimal(), rate.unit) else { return unknown("no_payments") };
        let trading = one.held.position.currency;
        let from = if amount.is_zero() { trading } else { paid };
        let (Some(exchange), Some(_)) = (self.exchange(from), self.exchange(trading)) else { return unknown("no_exchange_rate") };
        Ok(explain::income(self.shares(one)?, rate, exchange).ok_or(Overflow)?)
    }

    fn net_income_of(&self, one: &Explainable) -> Result<Node, Error> {
        let income = self.income_of(one)?;
        if income.value.is_none() {
            return Ok(income);
        }
        Ok(explain::net_income(income, one.withholding.clone()).ok_or(Overflow)?)
    }

    fn value_of(&self, one: &Explainable) -> Result<Node, Error> {
        let unknown = |reason| Ok(Node::unknown("value", Unit::Money(self.preferred), reason));
        let Some(price) = self.price(one) else { return unknown("no_price") };
        let Some(exchange) = self.exchange(one.held.position.currency) else { return unknown("no_exchange_rate") };
        Ok(explain::value(self.shares(one)?, price, exchange).ok_or(Overflow)?)
    }

    fn shares(&self, one: &Explainable) -> Result<Node, Error> {
        self.lot(one).shares(&one.held.position, self.day, self.brief).map_err(|error| one.broken(error))
    }

    fn price(&self, one: &Explainable) -> Option<Node> {
        self.stock(one)?.price().filter(|price| price.decimal() > Some(Decimal::ZERO))
    }

    /// Whether a currency has no exchange rate, so that it does not count.
    fn is_unconverted(&self, one: &Explainable) -> bool {
        let trading = one.held.position.currency;
        let rate = self.stock(one).map(|stock| stock.forward_rate());
        let paid = rate.filter(|rate| rate.decimal().is_some_and(|rate| !rate.is_zero())).map(|rate| rate.unit);
        let paid = if let Some(Unit::Money(currency)) = paid { currency } else { trading };
        self.exchange(trading).is_none() || self.exchange(paid).is_none()
    }

    fn stock<'a>(&'a self, one: &'a Explainable) -> Option<Stock<'a>> {
        Some(one.data.as_ref()?.explained(&self.fx, self.today, &self.rates))
    }

    fn lot<'a>(&'a self, one: &'a Explainable) -> explain::Lot<'a> {
        lot(&one.lot, one.held.profile.as_deref(), &self.fx, &self.rates, one.data.as_deref())
    }

    fn exchange(&self, from: Currency) -> Option<Option<[Node; 2]>> {
        explain::exchange(&self.fx, from, self.preferred, self.today, &self.rates)
    }
}

impl Explainable {
    fn is_in(&self, portfolio: &str) -> bool {
        self.portfolio.to_lowercase() == portfolio.to_lowercase()
    }

    fn broken(&self, error: ReplayError) -> Error {
        broken(&self.held.holding.symbol, error)
    }
}

pub(super) fn lot<'a>(
    lot: &'a Lot,
    profile: Option<&'a Profile>,
    fx: &'a Fx,
    rates: &'a Source,
    data: Option<&'a StockData>,
) -> explain::Lot<'a> {
    static NOTHING: Recorded = Recorded::empty();
    let origins = data.map_or(&NOTHING, |data| &data.origins);
    explain::Lot { entries: &lot.entries, splits: Traded::from(profile).splits, fx, rates, origins }
}

pub(super) fn broken(symbol: &str, error: ReplayError) -> Error {
    Error::Ledger { symbol: symbol.to_owned(), cause: error.into() }
}
