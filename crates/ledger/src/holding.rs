//! Open positions and what they pay, in one currency.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::money::{carried, mul, sub};
use crate::{Currency, Fx, Overflow};

/// An open position with data of its stock, in the trading currency.
#[derive(Clone, PartialEq, Debug)]
pub struct Holding {
    pub symbol: String,
    pub portfolio: String,
    pub currency: Currency,
    pub shares: Decimal,
    pub price: Option<Decimal>,
    /// Per share and year; zero if the stock pays nothing.
    pub forward_rate: Decimal,
    pub growth: Option<Decimal>,
    pub cagr_5y: Option<Decimal>,
    pub streak_years: Option<u32>,
    /// Forward rate ÷ price.
    pub yield_fraction: Option<Decimal>,
    /// 1 to 12; empty if unknown.
    pub payment_months: Vec<i8>,
    /// Fraction of the income.
    pub withholding: Decimal,
}

impl Holding {
    /// The fraction left after withholding.
    pub(crate) fn net_fraction(&self) -> Result<Decimal, Overflow> {
        sub(Decimal::ONE, self.withholding)
    }
}

/// A holding with its income in the preferred currency.
pub(crate) struct Payer<'a> {
    pub holding: &'a Holding,
    pub income: Decimal,
    pub net_income: Decimal,
}

impl<'a> Payer<'a> {
    pub fn new(holding: &'a Holding, rates: &Rates) -> Result<Payer<'a>, Overflow> {
        let income = carried(rates.convert(mul(holding.shares, holding.forward_rate)?, holding.currency)?);
        Ok(Payer { holding, income, net_income: carried(mul(income, holding.net_fraction()?)?) })
    }

    pub fn names(&self) -> (&str, &str) {
        (&self.holding.symbol, &self.holding.portfolio)
    }
}

/// Units per euro of each currency that occurs, looked up once.
pub(crate) struct Rates {
    per_euro: Vec<(Currency, Option<Decimal>)>,
    preferred: (Currency, Option<Decimal>),
}

impl Rates {
    pub fn of(holdings: &[Holding], preferred: Currency, fx: &Fx, today: Date) -> Rates {
        let mut per_euro: Vec<(Currency, Option<Decimal>)> = Vec::new();
        for holding in holdings {
            if !per_euro.iter().any(|(known, _)| *known == holding.currency) {
                per_euro.push((holding.currency, fx.per_euro(holding.currency, today)));
            }
        }
        Rates { per_euro, preferred: (preferred, fx.per_euro(preferred, today)) }
    }

    fn per_euro(&self, currency: Currency) -> Option<Decimal> {
        self.per_euro.iter().find(|(known, _)| *known == currency).and_then(|(_, rate)| *rate)
    }

    pub fn reach(&self, currency: Currency) -> bool {
        currency == self.preferred.0 || (self.per_euro(currency).is_some() && self.preferred.1.is_some())
    }

    /// Only for a currency with a rate, so that only an overflow can fail.
    pub fn convert(&self, amount: Decimal, from: Currency) -> Result<Decimal, Overflow> {
        match (from == self.preferred.0, self.per_euro(from), self.preferred.1) {
            (true, ..) => Ok(amount),
            (false, Some(from), Some(to)) => crate::fx::converted(amount, from, to).ok_or(Overflow),
            _ => Err(Overflow),
        }
    }
}
