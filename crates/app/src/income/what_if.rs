//! What a purchase today would change about the income. Nothing is stored.

use jiff::Timestamp;
use ledger::money::sub;
use ledger::{Currency, Decimal, Income, Money, Overflow, ReplayError, Source, purchase};
use store::stocks::Stock;
use uuid::Uuid;

use crate::book::{Book, OpenPosition};
use crate::entries::Purchase;
use crate::error::Unreplayable;
use crate::import::portfolio_resolver::FIRST_PORTFOLIO;
use crate::{App, Error, income, refusal};

/// How much is bought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    Shares(Decimal),
    /// In the preferred currency, at the stored price.
    Amount(Decimal),
}

#[derive(Clone, Debug)]
pub struct WhatIf {
    pub preferred: Currency,
    pub symbol: String,
    /// Whether the user can see its page.
    pub has_page: bool,
    pub name: Option<String>,
    /// The name of the one that it is bought in.
    pub portfolio: String,
    pub shares: Decimal,
    /// Stored, in the currency the stock trades in.
    pub price: Option<Money>,
    pub price_as_of: Option<Timestamp>,
    /// In the preferred currency; `None` without a price or an exchange rate.
    pub cost: Option<Money>,
    /// Gross and per year, in the preferred currency; `None` without an exchange rate.
    pub added_income: Option<Decimal>,
    pub added_net_income: Option<Decimal>,
    /// Added income ÷ cost, in percent, two decimals.
    pub yield_pct: Option<Decimal>,
    pub before: Figures,
    pub after: Figures,
}

/// Of the selected portfolio or all, and of the position that the purchase adds to.
#[derive(Clone, Debug)]
pub struct Figures {
    pub income: Income,
    pub shares: Decimal,
    /// In the preferred currency; `None` without an exchange rate.
    pub position_income: Option<Decimal>,
    pub position_net_income: Option<Decimal>,
    /// In percent, two decimals.
    pub share_pct: Option<Decimal>,
}

/// `symbol` is in capital letters.
pub async fn what_if(app: &App, user_id: Uuid, symbol: &str, size: Size, portfolio: Option<&str>) -> Result<WhatIf, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let considered = Considered::new(&mut book, symbol, size).await?;
    let held = book.open_positions().await?;
    let before = considered.figures(&book, &held)?;
    let after = considered.suppose(&mut book).await?;
    let has_page = book.sees(symbol).await?;

    let Considered { portfolio_id, shares, price, stock, .. } = considered;
    let preferred = book.account.user.preferred_currency;
    let cost =
        price.map(|price| purchase::cost(shares, price, preferred, &book.fx, book.today)).transpose().map_err(out_of_range)?;
    let cost = cost.flatten();
    let added =
        |of: fn(&Figures) -> Option<Decimal>| of(&after).zip(of(&before)).map(|(after, before)| sub(after, before)).transpose();
    let added_income = added(|figures| figures.position_income)?;
    let name_of_portfolio = book.account.portfolios.iter().find(|one| one.id == portfolio_id).map(|one| one.name.clone());
    Ok(WhatIf {
        preferred,
        symbol: symbol.to_owned(),
        has_page,
        portfolio: name_of_portfolio.unwrap_or_else(|| FIRST_PORTFOLIO.to_owned()),
        shares,
        price,
        price_as_of: price.and_then(|_| stock.price_time()),
        name: stock.name,
        cost,
        added_income,
        added_net_income: added(|figures| figures.position_net_income)?,
        yield_pct: added_income.zip(cost).and_then(|(added, cost)| ledger::share_pct(added, cost.amount)),
        before,
        after,
    })
}

/// What is bought, and where: in the selected portfolio, else in the default one.
pub(crate) struct Considered {
    pub portfolio_id: Uuid,
    pub symbol: String,
    pub shares: Decimal,
    price: Option<Money>,
    stock: Stock,
}

impl Considered {
    pub async fn new(book: &mut Book<'_>, symbol: &str, size: Size) -> Result<Considered, Error> {
        let no_data = || refusal::Purchase::NoData { symbol: symbol.to_owned() };
        let stock = book.stock(symbol).await?.ok_or_else(no_data)?;
        let price = stock.price.filter(|price| *price > Decimal::ZERO).map(|price| Money::new(price, stock.currency));
        let portfolio_id = book.account.selected.or(book.account.portfolios.first().map(|first| first.id)).unwrap_or_default();
        let shares = shares(book, symbol, size, price)?;
        Ok(Considered { portfolio_id, symbol: symbol.to_owned(), shares, price, stock })
    }

    /// From now on, the book is as if it was bought. Refused if nothing is known about what it pays.
    pub async fn suppose(&self, book: &mut Book<'_>) -> Result<Figures, Error> {
        let Considered { portfolio_id, shares, price, ref symbol, ref stock } = *self;
        let purchase =
            Purchase { portfolio_id, symbol, shares, price: price.map(|price| price.amount), currency: stock.currency };
        let supposed = async {
            let entry = purchase.entry(book.next_sequence().await?, book.today);
            book.suppose(&[], vec![entry], None).await?;
            let held = book.open_positions().await?;
            Ok((self.figures(book, &held)?, held))
        };
        let (figures, held) = supposed.await.map_err(refused)?;
        match self.position(&held).is_some_and(OpenPosition::has_data) {
            true => Ok(figures),
            false => Err(refusal::Purchase::NoData { symbol: symbol.clone() }.into()),
        }
    }

    fn position<'h>(&self, held: &'h [OpenPosition]) -> Option<&'h OpenPosition> {
        held.iter().find(|held| held.holding.portfolio_id == self.portfolio_id && held.holding.symbol == self.symbol)
    }

    fn figures(&self, book: &Book<'_>, held: &[OpenPosition]) -> Result<Figures, Error> {
        let income = income::compute(book, held, 0, false)?;
        let portfolio = book.account.name_of(self.portfolio_id);
        let source = income.sources.iter().find(|source| source.symbol == self.symbol && source.portfolio == portfolio);
        let position = self.position(held);
        let converted = position.is_none() || !income.unconverted.iter().any(|(symbol, _)| *symbol == self.symbol);
        let of_year = |figure: fn(&Source) -> Decimal| converted.then(|| source.map(figure).unwrap_or_default());
        let position_income = of_year(|source| source.income);
        Ok(Figures {
            shares: position.map(|held| held.position.shares).unwrap_or_default(),
            position_income,
            position_net_income: of_year(|source| source.net_income),
            share_pct: position_income.and_then(|part| ledger::share_pct(part, income.annual)),
            income,
        })
    }
}

fn shares(book: &Book<'_>, symbol: &str, size: Size, price: Option<Money>) -> Result<Decimal, Error> {
    let shares = match (size, price) {
        (Size::Shares(shares), _) => shares,
        (Size::Amount(_), None) => return Err(refusal::Purchase::NoPrice { symbol: symbol.to_owned() }.into()),
        (Size::Amount(amount), Some(price)) => {
            let from = book.account.user.preferred_currency;
            let shares = purchase::shares_for(Money::new(amount, from), price, &book.fx, book.today).map_err(out_of_range)?;
            shares.ok_or(refusal::Purchase::NoRate { from, to: price.currency })?
        }
    };
    if shares > Decimal::ZERO { Ok(shares) } else { Err(refusal::Purchase::OutOfRange.into()) }
}

fn out_of_range(_: Overflow) -> Error {
    refusal::Purchase::OutOfRange.into()
}

/// What only goes wrong with the purchase.
pub(crate) fn refused(error: Error) -> Error {
    match error {
        Error::Overflow(overflow) => out_of_range(overflow),
        Error::Ledger { cause: Unreplayable::Replay(ReplayError::Overflow), .. } => refusal::Purchase::OutOfRange.into(),
        Error::Ledger { cause: Unreplayable::Replay(ReplayError::MissingRate { from, to, .. }), .. } => {
            refusal::Purchase::NoRate { from, to }.into()
        }
        other => other,
    }
}
