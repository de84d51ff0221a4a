//! How a figure came about, as a tree of its inputs.

mod positions;

use ledger::Overflow;
use ledger::explain::{self, Node, Source, Unit};
use uuid::Uuid;

use crate::book::Book;
use crate::book::evidence::StockData;
use crate::income::upcoming;
use crate::{App, Error};
use positions::Explained;

/// A figure that can be explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Figure {
    Income,
    NetIncome,
    ForwardRate,
    Withholding,
    Growth,
    Streak,
    Safety,
    AverageCost,
    Expected,
    ExDividendDate,
    AnnualIncome,
    NetAnnualIncome,
    Value,
}

impl Figure {
    pub const ALL: [Figure; 13] = [
        Figure::Income,
        Figure::NetIncome,
        Figure::ForwardRate,
        Figure::Withholding,
        Figure::Growth,
        Figure::Streak,
        Figure::Safety,
        Figure::AverageCost,
        Figure::Expected,
        Figure::ExDividendDate,
        Figure::AnnualIncome,
        Figure::NetAnnualIncome,
        Figure::Value,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Figure::Income => "income",
            Figure::NetIncome => "net_income",
            Figure::ForwardRate => "forward_rate",
            Figure::Withholding => "withholding",
            Figure::Growth => "growth",
            Figure::Streak => "streak",
            Figure::Safety => "safety",
            Figure::AverageCost => "average_cost",
            Figure::Expected => "expected",
            Figure::ExDividendDate => "ex_dividend_date",
            Figure::AnnualIncome => "annual_income",
            Figure::NetAnnualIncome => "net_annual_income",
            Figure::Value => "value",
        }
    }

    pub fn parse(word: &str) -> Option<Figure> {
        Figure::ALL.into_iter().find(|figure| figure.as_str() == word)
    }

    /// Whether it is the figure of a symbol; `None` if it can be, but does not have to.
    pub fn of_symbol(self) -> Option<bool> {
        match self {
            Figure::AnnualIncome | Figure::NetAnnualIncome => Some(false),
            Figure::Growth | Figure::Value => None,
            _ => Some(true),
        }
    }
}

/// `None` if the symbol is unknown, or if the figure needs an open position and there is none.
pub async fn explain(
    app: &App,
    user_id: Uuid,
    figure: Figure,
    symbol: Option<&str>,
    portfolio: Option<&str>,
) -> Result<Option<Node>, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let rates = book.rates_source().await?;
    let explained = Explained::load(&mut book, symbol, rates).await?;
    let Some(symbol) = symbol else {
        let node = match figure {
            Figure::NetAnnualIncome => explained.net_annual_income()?,
            Figure::Growth => explained.growth_rate()?,
            Figure::Value => explained.value()?,
            _ => explained.annual_income()?,
        };
        return Ok(Some(node));
    };
    let node = match figure {
        Figure::ForwardRate | Figure::Growth | Figure::Streak | Figure::Safety | Figure::ExDividendDate => {
            return of_stock(&mut book, figure, symbol, &explained).await;
        }
        Figure::Expected => return expected(&mut book, symbol, &explained).await,
        _ if explained.is_empty() => return Ok(None),
        Figure::Withholding => explained.withholding()?,
        Figure::AverageCost => explained.average_cost()?,
        Figure::Value => explained.value()?,
        Figure::NetIncome => explained.net_income()?,
        _ => explained.income()?,
    };
    Ok(Some(node))
}

/// From the user's own dividends if market data knows none; the safety rating always from market data.
async fn of_stock(book: &mut Book<'_>, figure: Figure, symbol: &str, explained: &Explained) -> Result<Option<Node>, Error> {
    let held = explained.stock_data().filter(|_| figure != Figure::Safety);
    if let Some(data) = held {
        return Ok(Some(stock_figure(book, figure, data, &explained.rates)));
    }
    let seen = !explained.is_empty() || book.sees(symbol).await?;
    let profile = if seen { book.profile(symbol).await? } else { None };
    if let Some(profile) = profile {
        let data = book.market_data(&profile).await?;
        return Ok(Some(stock_figure(book, figure, &data, &explained.rates)));
    }
    let unknown = |unit| Node::unknown(figure.as_str(), unit, "no_data");
    Ok((!explained.is_empty()).then(|| match figure {
        Figure::Safety => Node::text("safety", ledger::Safety::Unknown.as_str()),
        Figure::Growth => unknown(Unit::Fraction),
        Figure::Streak => unknown(Unit::Years),
        Figure::ExDividendDate => unknown(Unit::Date),
        _ => unknown(Unit::Money(book.account.user.preferred_currency)),
    }))
}

fn stock_figure(book: &Book<'_>, figure: Figure, data: &StockData, rates: &Source) -> Node {
    let stock = data.explained(&book.fx, book.today, rates);
    match figure {
        Figure::Growth => stock.growth(),
        Figure::Streak => stock.streak(),
        Figure::Safety => stock.safety(),
        Figure::ExDividendDate => stock.ex_dividend_date(),
        _ => stock.forward_rate().rounded(10),
    }
}

/// How far ahead the next payment is looked for: further than any regular payer's gap.
const DAYS_AHEAD: i32 = 400;

/// The next payment of the symbol, in all portfolios that it is paid to.
async fn expected(book: &mut Book<'_>, symbol: &str, explained: &Explained) -> Result<Option<Node>, Error> {
    let upcoming = upcoming::of_book(book, DAYS_AHEAD).await?;
    let mut items = upcoming.items.into_iter().filter(|item| item.symbol == symbol && item.owned.is_some()).peekable();
    let Some((ex_date, currency)) = items.peek().map(|item| (item.ex_date, item.per_share.currency)) else {
        let unit = Unit::Money(explained.currency().unwrap_or(book.account.user.preferred_currency));
        return Ok((!explained.is_empty()).then(|| Node::unknown("expected", unit, "none_expected")));
    };
    let mut payments = Vec::new();
    for item in items.filter(|item| (item.ex_date, item.per_share.currency) == (ex_date, currency)) {
        payments.push(positions::payment(book, &item, &explained.rates).await?.ok_or(Overflow)?);
    }
    Ok(Some(explain::total("expected", currency, payments).ok_or(Overflow)?))
}
