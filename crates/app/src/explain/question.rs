//! The figures that can be explained.

use jiff::civil::Date;
use ledger::{Currency, Decimal};
use uuid::Uuid;

use crate::entries::Draft;
use crate::income::what_if::Size;

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
    ProjectedIncome,
    ProjectedNetIncome,
    LikelyLow,
    LikelyHigh,
    MonthIncome,
    BiggestMonths,
    RestOfIncome,
    RestShare,
    DuePayment,
    Recorded,
    Difference,
    MissingNet,
    ValueScore,
    MomentumScore,
    RatingScore,
    YearTotal,
    PerShare,
    AdjustedPayment,
    AboveAverage,
    ToTargetYield,
    ToTargetPrice,
    AddedIncome,
    AddedNetIncome,
    PurchaseCost,
    PurchaseYield,
    BoughtShares,
    SuggestedNet,
    ImportNetIncome,
    EntryAmount,
    EntryTax,
    EntryNet,
    ReinvestedShares,
    ReinvestedPrice,
    ReinvestedCost,
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
    pub const PAGES: [Figure; 49] = [
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
        Figure::ProjectedIncome,
        Figure::ProjectedNetIncome,
        Figure::LikelyLow,
        Figure::LikelyHigh,
        Figure::MonthIncome,
        Figure::BiggestMonths,
        Figure::RestOfIncome,
        Figure::RestShare,
        Figure::DuePayment,
        Figure::Recorded,
        Figure::Difference,
        Figure::MissingNet,
        Figure::ValueScore,
        Figure::MomentumScore,
        Figure::RatingScore,
        Figure::YearTotal,
        Figure::PerShare,
        Figure::AdjustedPayment,
        Figure::AboveAverage,
        Figure::ToTargetYield,
        Figure::ToTargetPrice,
        Figure::AddedIncome,
        Figure::AddedNetIncome,
        Figure::PurchaseCost,
        Figure::PurchaseYield,
        Figure::BoughtShares,
        Figure::SuggestedNet,
        Figure::ImportNetIncome,
        Figure::EntryAmount,
        Figure::EntryTax,
        Figure::EntryNet,
        Figure::ReinvestedShares,
        Figure::ReinvestedPrice,
        Figure::ReinvestedCost,
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
            Figure::ProjectedIncome => "projected_income",
            Figure::ProjectedNetIncome => "projected_net_income",
            Figure::LikelyLow => "likely_low",
            Figure::LikelyHigh => "likely_high",
            Figure::MonthIncome => "month_income",
            Figure::BiggestMonths => "biggest_months",
            Figure::RestOfIncome => "rest_of_income",
            Figure::RestShare => "rest_share",
            Figure::DuePayment => "due_payment",
            Figure::Recorded => "recorded",
            Figure::Difference => "difference",
            Figure::MissingNet => "missing_net",
            Figure::ValueScore => "value_score",
            Figure::MomentumScore => "momentum_score",
            Figure::RatingScore => "rating_score",
            Figure::YearTotal => "year_total",
            Figure::PerShare => "per_share",
            Figure::AdjustedPayment => "adjusted_payment",
            Figure::AboveAverage => "above_average",
            Figure::ToTargetYield => "to_target_yield",
            Figure::ToTargetPrice => "to_target_price",
            Figure::AddedIncome => "added_income",
            Figure::AddedNetIncome => "added_net_income",
            Figure::PurchaseCost => "purchase_cost",
            Figure::PurchaseYield => "purchase_yield",
            Figure::BoughtShares => "bought_shares",
            Figure::SuggestedNet => "suggested_net",
            Figure::ImportNetIncome => "import_net_income",
            Figure::EntryAmount => "entry_amount",
            Figure::EntryTax => "entry_tax",
            Figure::EntryNet => "entry_net",
            Figure::ReinvestedShares => "reinvested_shares",
            Figure::ReinvestedPrice => "reinvested_price",
            Figure::ReinvestedCost => "reinvested_cost",
        }
    }

    /// Of a form alone.
    pub fn is_of_form(self) -> bool {
        let of_purchase = [Figure::ReinvestedShares, Figure::ReinvestedPrice, Figure::ReinvestedCost];
        [Figure::EntryAmount, Figure::EntryTax, Figure::EntryNet].contains(&self) || of_purchase.contains(&self)
    }

    /// Of a position at the end of a day.
    pub(super) fn is_of_position(self) -> bool {
        [Figure::Shares, Figure::AverageCost, Figure::Income, Figure::YieldOnCost].contains(&self)
    }

    /// Whether it never comes from the user's own dividends.
    pub(super) fn is_of_market(self) -> bool {
        let of_page = [Figure::AboveAverage, Figure::ValueScore, Figure::MomentumScore, Figure::RatingScore];
        let of_payments = [Figure::Safety, Figure::YearTotal, Figure::PerShare, Figure::AdjustedPayment];
        of_page.contains(&self) || of_payments.contains(&self)
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
            | Figure::ReceivedGrowth
            | Figure::ProjectedIncome
            | Figure::ProjectedNetIncome
            | Figure::LikelyLow
            | Figure::LikelyHigh
            | Figure::MonthIncome
            | Figure::BiggestMonths
            | Figure::RestOfIncome
            | Figure::RestShare
            | Figure::MissingNet
            | Figure::AddedIncome
            | Figure::AddedNetIncome
            | Figure::PurchaseCost
            | Figure::PurchaseYield
            | Figure::BoughtShares
            | Figure::ImportNetIncome => Some(false),
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
    /// The same, or the recorded amount.
    pub per_share: Option<Decimal>,
    /// Of upcoming payments: how many days ahead, and of which currency.
    pub days: Option<i32>,
    pub currency: Option<Currency>,
    /// Of the projection: after how many years, and whether dividends are reinvested.
    pub years: Option<u32>,
    pub drip: bool,
    /// From 1 to 12.
    pub month: Option<i8>,
    /// A dividend year.
    pub year: Option<i16>,
    /// At the live price, if there is one.
    pub live: bool,
    /// Of dividends received, both included. Of a position: at the end of this day, instead of today.
    pub from: Option<Date>,
    pub to: Option<Date>,
    /// As if this was recorded.
    pub supposed: Option<Supposed>,
    /// Of the securities of an import.
    pub import: Option<Uuid>,
}

/// What is not recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Supposed {
    /// A purchase today. The symbol is in capitals.
    Purchase { symbol: String, size: Size },
    /// What was typed into a form. `editing` is the sequence of the transaction that it changes.
    Entry { editing: Option<i64>, draft: Box<Draft> },
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
            years: None,
            drip: false,
            month: None,
            year: None,
            live: false,
            from: None,
            to: None,
            supposed: None,
            import: None,
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
