//! The user's own positions in the stock.

use app::automatic::Automatic;
use app::explain::{Figure, Question};
use app::portfolios::Portfolio;
use app::portfolios::holdings::HoldingSummary;
use app::portfolios::positions::Position;
use app::stocks::stock_page;

use crate::format::Html;
use crate::portfolios::reinvestment;
use crate::visit::Visitor;

pub struct Own {
    pub positions: Vec<Row>,
    /// Whether rows show their portfolio.
    pub named: bool,
    pub received: Option<Html>,
    /// What its dividends buy, in the portfolios that hold it.
    pub reinvestment: Option<Reinvestment>,
}

pub struct Reinvestment {
    /// With the rule, if all have the same.
    pub title: String,
    pub portfolios: Vec<OfPortfolio>,
}

pub struct OfPortfolio {
    pub name: String,
    /// Value, name and whether it is chosen.
    pub rules: Vec<(&'static str, String, bool)>,
}

pub struct Row {
    pub portfolio: Option<String>,
    pub shares: Html,
    pub average_cost: Html,
    pub income: Option<Html>,
    pub share: Option<Html>,
}

pub fn own(visitor: &Visitor, own: &stock_page::Own, portfolios: &[Portfolio]) -> Own {
    let f = visitor.format;
    let row = |position: &Position| {
        let HoldingSummary { symbol, portfolio, .. } = &position.holding;
        let about = |figure| Question::of(figure).of_position(figure, symbol, portfolio.as_deref());
        Row {
            portfolio: portfolio.clone(),
            shares: f.shares(position.holding.shares).explained(about(Figure::Shares)),
            average_cost: f.cost(&position.holding.average_cost).explained(about(Figure::AverageCost)),
            income: position.income.as_ref().map(|income| f.money(income).explained(about(Figure::Income))),
            share: position.share_pct.map(|pct| f.pct(pct).explained(about(Figure::ShareOfIncome))),
        }
    };
    let received = own.received.as_ref().map(|received| {
        let about = |figure| Question::of(figure).of_stock(figure, &received.symbol);
        let net = f.money(&received.total.net).explained(about(Figure::Received));
        let gross = f.money(&received.total.gross).explained(about(Figure::ReceivedGross));
        Html::sentence([net, gross], |[net, gross]| visitor.texts.stock.received(net, gross))
    });
    let positions: Vec<Row> = own.positions.iter().map(row).collect();
    Own {
        named: positions.iter().any(|row| row.portfolio.is_some()),
        reinvestment: reinvestment(visitor, own, portfolios),
        positions,
        received,
    }
}

/// `None` if nothing is recorded from market data in any portfolio that holds it.
fn reinvestment(visitor: &Visitor, own: &stock_page::Own, portfolios: &[Portfolio]) -> Option<Reinvestment> {
    let t = visitor.texts;
    let symbol = &own.positions.first()?.holding.symbol;
    let holds = |one: &&Portfolio| {
        let mut of = own.positions.iter().map(|position| position.holding.portfolio.as_ref());
        of.any(|name| name.is_none_or(|name| *name == one.name))
    };
    let holding: Vec<&Portfolio> = portfolios.iter().filter(holds).filter(|one| one.automatic != Automatic::Off).collect();
    let rule = reinvestment::applied(&t.portfolios, holding.first()?, symbol);
    let all_same = holding.iter().all(|one| reinvestment::applied(&t.portfolios, one, symbol) == rule);
    let of = |one: &&Portfolio| OfPortfolio { name: one.name.clone(), rules: reinvestment::of_stock(&t.portfolios, one, symbol) };
    Some(Reinvestment {
        title: if all_same { t.stock.reinvest(rule) } else { t.portfolios.reinvest_title.to_owned() },
        portfolios: holding.iter().map(of).collect(),
    })
}
