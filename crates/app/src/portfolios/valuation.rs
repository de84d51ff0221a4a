//! What the open positions are worth at stored prices, and what they cost.

use std::collections::BTreeSet;

use ledger::Valuation;
use ledger::valuation::{Totals, Valued};
use uuid::Uuid;

use crate::book::Book;
use crate::portfolios::positions::{self, Position, Positions};
use crate::{App, Error};

#[derive(Clone, Debug)]
pub struct ValuedPositions {
    pub positions: Positions,
    /// Of each row of the positions.
    pub rows: Vec<Valuation>,
    pub totals: Totals,
    /// Symbols without a price, ascending, each once.
    pub unpriced: Vec<String>,
    /// Symbols whose cost is unknown, ascending, each once.
    pub without_cost: Vec<String>,
}

pub async fn list(app: &App, user_id: Uuid, portfolio: Option<&str>) -> Result<ValuedPositions, Error> {
    let mut book = Book::open(app, user_id, portfolio).await?;
    let positions = positions::of_book(&mut book).await?;
    let valued = |row: &Position| Valued {
        shares: row.holding.shares,
        price: row.price,
        cost: row.holding.cost_known.then_some(row.cost),
        income: row.income.map(|income| income.amount),
        is_convertible: !positions.unconverted.iter().any(|(symbol, _)| *symbol == row.holding.symbol),
    };
    let valued: Vec<Valued> = positions.rows.iter().map(valued).collect();
    let (rows, totals) = ledger::valuation::valuation(&valued, positions.currency, &book.fx, book.today)?;
    let without = |lacks: fn(&Valuation) -> bool| {
        let symbols = positions.rows.iter().zip(&rows).filter(|(_, row)| lacks(row)).map(|(row, _)| row.holding.symbol.clone());
        symbols.collect::<BTreeSet<_>>().into_iter().collect()
    };
    let (unpriced, without_cost) = (without(|row| row.own.value.is_none()), without(|row| row.own.cost.is_none()));
    Ok(ValuedPositions { positions, rows, totals, unpriced, without_cost })
}
