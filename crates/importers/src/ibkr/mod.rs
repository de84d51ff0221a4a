//! Interactive Brokers: Flex queries, the Activity Statement and the Transaction History. Each is first converted to the same
//! field names and then read by the same rules.

mod accruals;
mod book;
mod cancelled;
mod carried;
mod cash;
mod corporate;
mod entry;
mod exchange;
pub mod flex;
mod flex_csv;
mod flex_xml;
pub mod history;
mod instrument;
mod learned;
mod levels;
mod paired;
mod rates;
mod sections;
pub mod statement;
mod trades;
mod transfers;
mod wording;
