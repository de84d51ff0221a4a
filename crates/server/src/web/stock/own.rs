//! The user's own positions in the stock.

use app::portfolios::positions::Position;
use app::stocks::stock_page;

use crate::web::format::Html;
use crate::web::visit::Visitor;

pub struct Own {
    pub positions: Vec<Row>,
    /// Whether rows show their portfolio.
    pub named: bool,
    pub received: Option<String>,
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
    let row = |position: &Position| Row {
        portfolio: position.holding.portfolio.clone(),
        shares: f.shares(position.holding.shares),
        average_cost: f.cost(&position.holding.average_cost),
        income: position.income.as_ref().map(|income| f.money(income)),
        share: position.share_pct.map(|pct| f.pct(pct)),
    };
    let received = own.received.as_ref().map(|received| {
        let (net, gross) = (f.money_text(&received.total.net), f.money_text(&received.total.gross));
        visitor.texts.stock.received(&net, &gross)
    });
    let positions: Vec<Row> = own.positions.iter().map(row).collect();
    Own { named: positions.iter().any(|row| row.portfolio.is_some()), positions, received }
}
