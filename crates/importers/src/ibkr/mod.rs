//! Interactive Brokers: Flex queries, the Activity Statement and the Transaction History. Each is first converted to the same
//! field names and then read by the same rules.

mod accruals;
mod book;
mod carried;
mod cash;
mod corporate;
mod entry;
pub mod flex;
pub mod history;
mod instrument;
mod learned;
mod levels;
mod paired;
mod positions;
mod rates;
mod sections;
pub mod statement;
mod trades;
mod transfers;
mod wording;

use book::Book;
use entry::Part;

use crate::Parsed;
use crate::reading::{Order, day};

impl Book {
    /// The records of a report.
    pub fn read(mut self) -> Parsed {
        if let Err(problem) = self.learn_days() {
            return Parsed { refusal: Some(problem), ..Parsed::default() };
        }
        // Beside transactions, the positions are what these have led to.
        if self.parts.iter().any(|part| *part != Part::OpenPositions) {
            self.entries.retain(|entry| entry.part != Part::OpenPositions);
        }
        self.learn_currencies();
        let mut parsed = Parsed { rows: self.entries.len() as u64, ..Parsed::default() };
        let counted = levels::counted(&self, &mut parsed);
        let of = |part: Part| counted.iter().copied().filter(move |entry| entry.part == part);
        trades::read(&self, of(Part::Trades), &mut parsed);
        let ex_dates = accruals::changes(of(Part::ChangeInAccruals), &mut parsed);
        cash::read(&self, of(Part::Cash), &ex_dates, &mut parsed);
        let exchanges = corporate::read(of(Part::Corporate), &mut parsed);
        transfers::read(&self, of(Part::Transfers), &mut parsed);
        positions::read(&self, of(Part::OpenPositions), &mut parsed);
        carried::carry(&mut parsed.records, &exchanges);
        if self.parts.contains(&Part::OpenAccruals) {
            parsed.accruals = Some(accruals::open(&self, of(Part::OpenAccruals), &mut parsed));
            parsed.as_of = self.statements.iter().filter_map(|statement| day("", &statement.until, Order::DayFirst).ok()).max();
        }
        learned::exchanges(&mut parsed);
        parsed
    }
}
