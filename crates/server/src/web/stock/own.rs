//! The user's own positions in the stock.

use app::explain::{Figure, Question};
use app::portfolios::holdings::HoldingSummary;
use app::portfolios::positions::Position;
use app::stocks::stock_page;

use crate::web::format::Html;
use crate::web::visit::Visitor;

pub struct Own {
    pub positions: Vec<Row>,
    /// Whether rows show their portfolio.
    pub named: bool,
    pub received: Option<Html>,
}

pub struct Row {
    pub portfolio: Option<String>,
    pub shares: Html,
    pub average_cost: Html,
    pub income: Option<Html>,
    pub share: Option<Html>,
}

pub fn own(visitor: &Visitor, own: &stock_page::Own) -> Own {
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
    Own { named: positions.iter().any(|row| row.portfolio.is_some()), positions, received }
}
