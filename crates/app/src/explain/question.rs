//! The figures that can be explained.

use jiff::civil::Date;
use ledger::{Currency, Decimal};

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
    Shares,
    Price,
    Yield,
    AverageYield,
    GrowthFiveYears,
    YieldOnCost,
    ShareOfIncome,
    Payment,
    NetPayment,
    Upcoming,
    MonthlyAverage,
    CurrentYield,
    Received,
    ReceivedGross,
    ReceivedGrowth,
}

impl Figure {
    /// Those that the API explains.
    pub const API: [Figure; 13] = [
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

    /// Those that only the pages explain.
    pub const PAGES: [Figure; 15] = [
        Figure::Shares,
        Figure::Price,
        Figure::Yield,
        Figure::AverageYield,
        Figure::GrowthFiveYears,
        Figure::YieldOnCost,
        Figure::ShareOfIncome,
        Figure::Payment,
        Figure::NetPayment,
        Figure::Upcoming,
        Figure::MonthlyAverage,
        Figure::CurrentYield,
        Figure::Received,
        Figure::ReceivedGross,
        Figure::ReceivedGrowth,
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
            Figure::Shares => "shares",
            Figure::Price => "price",
            Figure::Yield => "yield_pct",
            Figure::AverageYield => "average_yield_pct",
            Figure::GrowthFiveYears => "growth_5y",
            Figure::YieldOnCost => "yield_on_cost",
            Figure::ShareOfIncome => "share_of_income",
            Figure::Payment => "payment",
            Figure::NetPayment => "net_payment",
            Figure::Upcoming => "upcoming",
            Figure::MonthlyAverage => "monthly_average",
            Figure::CurrentYield => "current_yield",
            Figure::Received => "received",
            Figure::ReceivedGross => "received_gross",
            Figure::ReceivedGrowth => "received_growth",
        }
    }

    /// Of the API.
    pub fn parse(word: &str) -> Option<Figure> {
        Figure::API.into_iter().find(|figure| figure.as_str() == word)
    }

    /// Of the API or the pages.
    pub fn of_page(word: &str) -> Option<Figure> {
        Figure::API.into_iter().chain(Figure::PAGES).find(|figure| figure.as_str() == word)
    }

    /// Whether it is the figure of a symbol; `None` if it can be, but does not have to.
    pub fn of_symbol(self) -> Option<bool> {
        match self {
            Figure::AnnualIncome
            | Figure::NetAnnualIncome
            | Figure::Upcoming
            | Figure::MonthlyAverage
            | Figure::CurrentYield
            | Figure::ReceivedGrowth => Some(false),
            Figure::Growth | Figure::Value | Figure::Received | Figure::ReceivedGross => None,
            _ => Some(true),
        }
    }
}

/// Which figure, and of what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    pub figure: Figure,
    /// In capitals.
    pub symbol: Option<String>,
    /// The portfolio that is selected.
    pub portfolio: Option<String>,
    /// The portfolio of a position or payment, if several are selected.
    pub position: Option<String>,
    /// Of a payment.
    pub ex_date: Option<Date>,
    pub per_share: Option<Decimal>,
    /// Of upcoming payments: how many days ahead, and of which currency.
    pub days: Option<i32>,
    pub currency: Option<Currency>,
    /// At the live price, if there is one.
    pub live: bool,
    /// Of dividends received, both included.
    pub from: Option<Date>,
    pub to: Option<Date>,
}

impl Question {
    pub fn of(figure: Figure) -> Question {
        Question {
            figure,
            symbol: None,
            portfolio: None,
            position: None,
            ex_date: None,
            per_share: None,
            days: None,
            currency: None,
            live: false,
            from: None,
            to: None,
        }
    }

    /// Another figure of the same.
    pub fn about(&self, figure: Figure) -> Question {
        Question { figure, ..self.clone() }
    }

    /// Another figure, of a stock.
    pub fn of_stock(&self, figure: Figure, symbol: &str) -> Question {
        Question { symbol: Some(symbol.to_owned()), ..self.about(figure) }
    }

    /// `portfolio` is that of the position, if several are selected.
    pub fn of_position(&self, figure: Figure, symbol: &str, portfolio: Option<&str>) -> Question {
        Question { position: portfolio.map(str::to_owned), ..self.of_stock(figure, symbol) }
    }
}
