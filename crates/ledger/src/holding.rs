//! Open positions and what they pay, in one currency.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::money::sub;
use crate::number::Number;
use crate::{Currency, Fx, Overflow, PayerKind};

/// An open position with data of its stock, in the trading currency.
#[derive(Clone, PartialEq, Debug)]
pub struct Holding<'a> {
    pub symbol: &'a str,
    pub portfolio: &'a str,
    pub currency: Currency,
    pub shares: Decimal,
    pub price: Option<Decimal>,
    /// Per share and year; zero if the stock pays nothing.
    pub forward_rate: Decimal,
    /// The currency of the forward rate.
    pub rate_currency: Currency,
    pub kind: PayerKind,
    /// Where the forward rate comes from.
    pub basis: Basis,
    /// Whether anything is known about what it pays; a stock that pays nothing counts.
    pub has_data: bool,
    pub growth: Option<Decimal>,
    pub cagr_5y: Option<Decimal>,
    pub streak_years: Option<u32>,
    pub streak_at_least: bool,
    /// Forward rate ÷ price.
    pub yield_fraction: Option<Decimal>,
    /// 1 to 12; empty if unknown.
    pub payment_months: &'a [i8],
    /// Fraction of the income.
    pub withholding: Decimal,
}

/// Whose dividends a figure rests on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Basis {
    #[default]
    Market,
    /// The user's own, because market data knows none.
    Ledger,
}

impl Basis {
    pub fn as_str(self) -> &'static str {
        match self {
            Basis::Market => "market",
            Basis::Ledger => "ledger",
        }
    }
}

impl Holding<'_> {
    /// The currencies that have to be converted.
    fn currencies(&self) -> [Currency; 2] {
        let paid = if self.forward_rate.is_zero() { self.currency } else { self.rate_currency };
        [paid, self.currency]
    }

    /// The fraction left after withholding.
    pub(crate) fn net_fraction(&self) -> Result<Decimal, Overflow> {
        sub(Decimal::ONE, self.withholding)
    }
}

/// A holding with its income in the preferred currency.
pub(crate) struct Payer<'a> {
    pub holding: &'a Holding<'a>,
    pub income: Decimal,
    pub net_income: Decimal,
}

impl<'a> Payer<'a> {
    pub fn new(holding: &'a Holding<'a>, rates: &Rates) -> Result<Payer<'a>, Overflow> {
        let exchange = rates.exchange(holding.currencies()[0])?;
        let income = gross_income(holding.shares, holding.forward_rate, exchange).ok_or(Overflow)?;
        Ok(Payer { holding, income, net_income: net_income(income, holding.withholding).ok_or(Overflow)? })
    }

    pub fn names(&self) -> (&str, &str) {
        (self.holding.symbol, self.holding.portfolio)
    }
}

/// Shares × forward rate, converted with the units per euro of both currencies if they differ.
pub(crate) fn gross_income<N: Number>(shares: N, forward_rate: N, exchange: Option<[N; 2]>) -> Option<N> {
    Some(worth(shares, forward_rate, exchange)?.carried())
}

pub(crate) fn net_income<N: Number>(income: N, withholding: N) -> Option<N> {
    Some(income.times(withholding.rest()?)?.carried())
}

/// Shares × an amount per share, converted like income.
pub(crate) fn worth<N: Number>(shares: N, per_share: N, exchange: Option<[N; 2]>) -> Option<N> {
    let amount = shares.times(per_share)?;
    match exchange {
        Some([from, to]) => amount.converted(from, to),
        None => Some(amount),
    }
}

/// Units per euro of each currency that occurs, looked up once.
pub(crate) struct Rates {
    per_euro: Vec<(Currency, Option<Decimal>)>,
    preferred: (Currency, Option<Decimal>),
}

impl Rates {
    pub fn of(holdings: &[Holding<'_>], preferred: Currency, fx: &Fx, today: Date) -> Rates {
        let mut per_euro: Vec<(Currency, Option<Decimal>)> = Vec::new();
        for currency in holdings.iter().flat_map(|holding| holding.currencies()) {
            if !per_euro.iter().any(|(known, _)| *known == currency) {
                per_euro.push((currency, fx.per_euro(currency, today)));
            }
        }
        Rates { per_euro, preferred: (preferred, fx.per_euro(preferred, today)) }
    }

    fn per_euro(&self, currency: Currency) -> Option<Decimal> {
        self.per_euro.iter().find(|(known, _)| *known == currency).and_then(|(_, rate)| *rate)
    }

    /// The currency without a rate that keeps a holding out of the sums; `None` if it can be converted.
    pub fn missing_for(&self, holding: &Holding<'_>) -> Option<Currency> {
        let currencies = holding.currencies();
        if currencies.iter().all(|currency| *currency == self.preferred.0) {
            return None;
        }
        let known = |currency: &Currency| self.per_euro(*currency).is_some();
        currencies.into_iter().find(|currency| !known(currency)).or(Some(self.preferred.0).filter(|_| self.preferred.1.is_none()))
    }

    /// Units per euro of the currency and of the preferred one; `None` if they are the same. Only for a currency with a rate.
    fn exchange(&self, from: Currency) -> Result<Option<[Decimal; 2]>, Overflow> {
        match (from == self.preferred.0, self.per_euro(from), self.preferred.1) {
            (true, ..) => Ok(None),
            (false, Some(from), Some(to)) => Ok(Some([from, to])),
            _ => Err(Overflow),
        }
    }

    /// Only for a currency with a rate, so that only an overflow can fail.
    pub fn convert(&self, amount: Decimal, from: Currency) -> Result<Decimal, Overflow> {
        match self.exchange(from)? {
            Some([from, to]) => amount.converted(from, to).ok_or(Overflow),
            None => Ok(amount),
        }
    }
}
