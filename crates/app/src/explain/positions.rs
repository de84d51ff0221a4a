//! The figures of open positions.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::Date;
use ledger::explain::{self, Node, Source, Stock, Unit};
use ledger::{Currency, Decimal, Fx, Overflow, ReplayError};

use crate::Error;
use crate::book::evidence::{Recorded, StockData};
use crate::book::lots::Lot;
use crate::book::{Book, OpenPosition};
use crate::income::upcoming::Item;
use crate::market::profile::Profile;
use crate::market::traded::Traded;

/// Open positions with everything that their figures were computed from.
pub(super) struct Explained {
    pub rates: Source,
    fx: Arc<Fx>,
    today: Date,
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
            positions.push(Explainable { lot: book.lot(&holding).await?, held, data, withholding, name });
        }
        let (fx, preferred) = (book.fx.clone(), book.account.user.preferred_currency);
        Ok(Explained { rates, fx, today: book.today, preferred, positions, brief: symbol.is_none() })
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    pub fn stock_data(&self) -> Option<&StockData> {
        self.positions.iter().find_map(|one| one.data.as_deref())
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
        let net = |(one, income): (&Explainable, Node)| {
            Ok(explain::net_income(income, one.withholding.clone()).ok_or(Overflow)?.named(one.name.clone()))
        };
        let incomes = self.payers()?.into_iter().map(net).collect::<Result<_, Error>>()?;
        Ok(explain::total("net_annual_income", self.preferred, incomes).ok_or(Overflow)?)
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
        let currencies = || self.positions.iter().map(|one| one.held.position.currency);
        if currencies().zip(currencies().skip(1)).any(|(one, other)| one != other) {
            return Ok(Node::unknown("average_cost", Unit::Money(self.preferred), "several_currencies"));
        }
        let (mut costs, mut shares) = (Vec::new(), Vec::new());
        for one in &self.positions {
            let cost = self.lot(one).cost(&one.held.position, self.today).map_err(|error| one.broken(error))?;
            costs.push(if self.positions.len() > 1 { cost.named(one.name.clone()) } else { cost });
            let held = self.shares(one)?;
            shares.push(if self.positions.len() > 1 { held.named(one.name.clone()) } else { held });
        }
        Ok(explain::average_cost(costs, shares).ok_or(Overflow)?)
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
        let price = self.stock(one).and_then(|stock| stock.price());
        let Some(price) = price.filter(|price| price.decimal() > Some(Decimal::ZERO)) else { return unknown("no_price") };
        let Some(exchange) = self.exchange(one.held.position.currency) else { return unknown("no_exchange_rate") };
        Ok(explain::value(self.shares(one)?, price, exchange).ok_or(Overflow)?)
    }

    fn shares(&self, one: &Explainable) -> Result<Node, Error> {
        self.lot(one).shares(&one.held.position, self.today, self.brief).map_err(|error| one.broken(error))
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
    fn broken(&self, error: ReplayError) -> Error {
        broken(&self.held.holding.symbol, error)
    }
}

/// A payment to come, as it is listed.
pub(super) async fn payment(book: &mut Book<'_>, item: &Item, rates: &Source) -> Result<Option<Node>, Error> {
    let Some(owned) = &item.owned else { return Ok(None) };
    let name =
        owned.portfolio.as_ref().map_or_else(|| item.symbol.clone(), |portfolio| format!("{} in {portfolio}", item.symbol));
    if item.announced_by_broker {
        return Ok(Some(Node::money(name, owned.expected).with_source(Source::Ledger).as_of(item.ex_date)));
    }
    let same = |holding: &&Arc<_>| -> bool {
        let holding: &crate::book::Holding = holding;
        holding.portfolio_id == owned.portfolio_id && holding.symbol == item.symbol
    };
    let Some(holding) = book.holdings.iter().find(same).cloned() else { return Ok(None) };
    let profile = book.profile(&holding.symbol).await?;
    let Some(data) = book.stock_data(&holding, profile.as_deref()).await? else { return Ok(None) };
    let (recorded, today, fx) = (book.lot(&holding).await?, book.today, book.fx.clone());
    let lot = lot(&recorded, profile.as_deref(), &fx, rates, Some(&data));
    let shares = if item.ex_date <= today {
        lot.shares_paid(item.ex_date)
    } else {
        let Some(position) = book.position(&holding, profile.as_deref()).await? else { return Ok(None) };
        lot.shares(&position, today, false)
    };
    let shares = shares.map_err(|error| broken(&item.symbol, error))?;
    let Some(shares) = explain::announced_shares(shares, &lot, today, item.ex_date) else { return Ok(None) };
    let per_share = data.explained(&fx, today, rates).per_share(item.ex_date, item.per_share);
    Ok(per_share.and_then(|per_share| explain::value(shares, per_share, None)).map(|node| node.named(name)))
}

fn lot<'a>(
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

fn broken(symbol: &str, error: ReplayError) -> Error {
    Error::Ledger { symbol: symbol.to_owned(), cause: error.into() }
}
