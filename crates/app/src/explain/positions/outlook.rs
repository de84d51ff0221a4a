//! The income of months and later years, and how far it can be from what is expected.

use ledger::Overflow;
use ledger::explain::{self, Node, Unit};

use super::{Explainable, Explained};
use crate::Error;

impl Explained {
    /// The income after some years.
    pub fn projected(&self, name: &'static str, is_net: bool, years: u32, drip: bool) -> Result<Node, Error> {
        let mut incomes = Vec::new();
        for (one, income) in self.payers()? {
            let stock = self.stock(one);
            let unknown = || Node::unknown("growth", Unit::Fraction, "no_data");
            let growth = explain::unknown_as_zero(stock.as_ref().map_or_else(unknown, |stock| stock.growth()));
            let yields = stock.and_then(|stock| stock.yield_fraction()).filter(|_| drip);
            let reinvested = yields.map(|yields| [yields, one.withholding.clone()]);
            let grown = explain::projected(income.summarised(), growth, reinvested, years).ok_or(Overflow)?;
            let node = match is_net {
                true => explain::net_payment(grown.named("projected_income"), one.withholding.clone()).ok_or(Overflow)?,
                false => grown,
            };
            incomes.push(node.named(one.name.clone()));
        }
        Ok(explain::total(name, self.preferred, incomes).ok_or(Overflow)?)
    }

    /// The low and the high end of the likely income; `None` without a range.
    pub fn likely(&self) -> Result<Option<[Node; 2]>, Error> {
        let payers = self.payers()?;
        let payer = |(one, income): &(&'_ Explainable, Node)| {
            let symbol = one.held.holding.symbol.clone();
            (symbol, one.held.kind(), income.clone().summarised().named(one.name.clone()))
        };
        Ok(explain::likely(payers.iter().map(payer).collect(), self.preferred).flatten())
    }

    /// The net income of a month from 1 to 12; `None` if there are too few payers.
    pub fn month(&self, month: i8) -> Result<Option<Node>, Error> {
        let nets = self.net_incomes(|net| net)?;
        if self.likely()?.is_none() {
            return Ok(None);
        }
        let node = explain::month(nets, month, self.preferred).ok_or(Overflow)?;
        Ok(Some(node.named("month_income").rounded(self.preferred.minor_units())))
    }

    /// The share of the strongest months in the net income of a year.
    pub fn biggest_months(&self) -> Result<Option<Node>, Error> {
        let nets = self.net_incomes(Node::summarised)?;
        if self.likely()?.is_none() {
            return Ok(None);
        }
        let month = |month| explain::month(nets.clone(), month, self.preferred).ok_or(Overflow);
        let months = (1..=12).map(month).collect::<Result<Vec<_>, _>>()?;
        let year = nets.into_iter().map(|(_, net)| net).collect();
        let year = explain::sum("net_annual_income", Unit::Money(self.preferred), year).ok_or(Overflow)?;
        Ok(Some(explain::biggest_months_share(&months, year).ok_or(Overflow)?))
    }

    /// Of the positions that are too small to be shown on their own.
    pub fn rest_of_income(&self, shown: usize) -> Result<Node, Error> {
        let rest = self.payers()?.into_iter().skip(shown).map(|(one, income)| income.named(one.name.clone())).collect();
        Ok(explain::total("rest_of_income", self.preferred, rest).ok_or(Overflow)?)
    }

    pub fn rest_share(&self, shown: usize) -> Result<Option<Node>, Error> {
        let payers = self.payers()?;
        if payers.len() <= shown {
            return Ok(None);
        }
        let all = payers.into_iter().map(|(one, income)| income.summarised().named(one.name.clone())).collect::<Vec<_>>();
        let sum = |name, incomes: &[Node]| explain::sum(name, Unit::Money(self.preferred), incomes.to_vec()).ok_or(Overflow);
        let rest = sum("rest_of_income", all.get(shown..).unwrap_or_default())?;
        Ok(Some(explain::percentage("rest_share", rest, sum("annual_income", &all)?).ok_or(Overflow)?))
    }

    /// The payment months and the net income of each position.
    fn net_incomes(&self, shown: impl Fn(Node) -> Node) -> Result<Vec<(&[i8], Node)>, Error> {
        let mut nets = Vec::new();
        for (one, income) in self.payers()? {
            let net = explain::net_income(income, one.withholding.clone()).ok_or(Overflow)?;
            nets.push((one.held.payment_months(), shown(net).named(one.name.clone())));
        }
        Ok(nets)
    }
}
