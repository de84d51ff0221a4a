//! One figure of a book.

use ledger::Money;
use ledger::explain::{Node, Source, Unit};

use super::positions::Explained;
use super::question::{Figure, Question};
use super::{compared, payments, received, target};
use crate::Error;
use crate::book::Book;
use crate::book::evidence::StockData;
use crate::stocks::stock::Price;

/// How many sources of income are shown on their own beside the rest.
pub const BIGGEST: usize = 8;

pub(super) async fn of_book(
    book: &mut Book<'_>,
    question: &Question,
    price: Option<Price>,
    rates: Source,
) -> Result<Option<Node>, Error> {
    match question.figure {
        Figure::Received | Figure::ReceivedGross => return received::received(book, question, &rates).await,
        Figure::ReceivedGrowth => return received::growth(book, &rates).await.map(Some),
        Figure::Upcoming => return payments::upcoming(book, question, &rates).await.map(Some),
        Figure::Payment | Figure::NetPayment => return payments::payment(book, question, &rates).await,
        Figure::DuePayment | Figure::Recorded | Figure::Difference => {
            return compared::compared(book, question, &rates).await;
        }
        Figure::ToTargetYield | Figure::ToTargetPrice => return target::distance(book, question, &rates).await,
        _ => {}
    }
    // The share of a position needs all of them.
    let loaded = question.symbol.as_deref().filter(|_| question.figure != Figure::ShareOfIncome);
    let mut explained = Explained::load(book, loaded, rates).await?;
    let Some(symbol) = question.symbol.as_deref() else {
        let years = question.years.unwrap_or_default();
        let node = match question.figure {
            Figure::ProjectedIncome => explained.projected(question.figure.as_str(), false, years, question.drip)?,
            Figure::ProjectedNetIncome => explained.projected(question.figure.as_str(), true, years, question.drip)?,
            Figure::LikelyLow => return Ok(explained.likely()?.map(|[low, _]| low)),
            Figure::LikelyHigh => return Ok(explained.likely()?.map(|[_, high]| high)),
            Figure::MonthIncome => return explained.month(question.month.unwrap_or(1)),
            Figure::BiggestMonths => return explained.biggest_months(),
            Figure::RestOfIncome => explained.rest_of_income(BIGGEST)?,
            Figure::RestShare => return explained.rest_share(BIGGEST),
            Figure::NetAnnualIncome => explained.net_annual_income()?,
            Figure::Growth => explained.growth_rate()?,
            Figure::Value => explained.value()?,
            Figure::MonthlyAverage => explained.monthly_average()?,
            Figure::CurrentYield => explained.current_yield()?,
            _ => explained.annual_income()?,
        };
        return Ok(Some(node));
    };
    if question.figure == Figure::ShareOfIncome {
        return explained.share_of_income(symbol, question.position.as_deref());
    }
    if let Some(position) = &question.position {
        explained.keep_portfolio(position);
    }
    let node = match question.figure {
        Figure::ForwardRate
        | Figure::Growth
        | Figure::Streak
        | Figure::Safety
        | Figure::ExDividendDate
        | Figure::Price
        | Figure::Yield
        | Figure::AverageYield
        | Figure::AboveAverage
        | Figure::ValueScore
        | Figure::MomentumScore
        | Figure::RatingScore
        | Figure::YearTotal
        | Figure::PerShare
        | Figure::AdjustedPayment
        | Figure::GrowthFiveYears => {
            return of_stock(book, question, symbol, &explained, price).await;
        }
        Figure::Expected => return payments::expected(book, symbol, &explained).await,
        _ if explained.is_empty() => return Ok(None),
        Figure::Withholding => explained.withholding()?,
        Figure::AverageCost => explained.average_cost()?,
        Figure::YieldOnCost => explained.yield_on_cost()?,
        Figure::Shares => explained.all_shares()?,
        Figure::Value => explained.value()?,
        Figure::NetIncome => explained.net_income()?,
        _ => explained.income()?,
    };
    Ok(Some(node))
}

/// From the user's own dividends if market data knows none; the safety rating always from market data.
async fn of_stock(
    book: &mut Book<'_>,
    question: &Question,
    symbol: &str,
    explained: &Explained,
    price: Option<Price>,
) -> Result<Option<Node>, Error> {
    let figure = question.figure;
    let held = explained.stock_data().filter(|_| !figure.is_of_market() && price.is_none());
    if let Some(data) = held {
        return Ok(stock_figure(book, question, data, &explained.rates));
    }
    let seen = !explained.is_empty() || book.sees(symbol).await?;
    let profile = if seen { book.profile(symbol).await? } else { None };
    if let Some(profile) = profile {
        let data = book.market_data(&profile).await?;
        let data = if let Some(price) = price { data.priced(price.amount, price.as_of) } else { data };
        return Ok(stock_figure(book, question, &data, &explained.rates));
    }
    let unknown = |unit| Node::unknown(figure.as_str(), unit, "no_data");
    Ok((!explained.is_empty()).then(|| match figure {
        Figure::Safety => Node::text("safety", ledger::Safety::Unknown.as_str()),
        Figure::Growth | Figure::GrowthFiveYears => unknown(Unit::Fraction),
        Figure::Streak => unknown(Unit::Years),
        Figure::ExDividendDate => unknown(Unit::Date),
        Figure::Yield | Figure::AverageYield | Figure::AboveAverage => unknown(Unit::Percent),
        Figure::ValueScore | Figure::MomentumScore | Figure::RatingScore => unknown(Unit::Count),
        _ => unknown(Unit::Money(book.account.user.preferred_currency)),
    }))
}

/// `None` if the question names no year or payment of the stock.
fn stock_figure(book: &Book<'_>, question: &Question, data: &StockData, rates: &Source) -> Option<Node> {
    let stock = data.explained(&book.fx, book.today, rates);
    let per_share = || Some(Money::new(question.per_share?, question.currency?));
    Some(match question.figure {
        Figure::AboveAverage => stock.above_average(),
        Figure::ValueScore => stock.value_score(),
        Figure::MomentumScore => stock.momentum_score(),
        Figure::RatingScore => stock.rating_score(),
        Figure::YearTotal => stock.year_total(question.year?)?.rounded(10),
        Figure::PerShare => stock.per_share(question.ex_date?, per_share()?)?.rounded(10),
        Figure::AdjustedPayment => stock.paid(question.ex_date?, per_share()?)?.rounded(10),
        Figure::Growth => stock.growth(),
        Figure::GrowthFiveYears => stock.growth_5y(),
        Figure::Streak => stock.streak(),
        Figure::Safety => stock.safety(),
        Figure::ExDividendDate => stock.ex_dividend_date(),
        Figure::Yield => stock.yield_pct(),
        Figure::AverageYield => stock.average_yield_pct(),
        Figure::Price => stock.price().unwrap_or_else(|| Node::unknown("price", Unit::Money(stock.currency()), "no_price")),
        _ => stock.forward_rate().rounded(10),
    })
}
