//! From bytes to cells, numbers and dates: shared by all formats.

mod day;
mod encoding;
mod exchange;
pub mod fields;
mod figure;
pub mod json;
mod opened;
mod sheet;
mod spelling;
mod table;
pub mod trade_text;
pub mod us_security;
mod words;
mod workbook;
mod xml;

pub use day::{Order, day, moment};
pub use exchange::{listing, suffix, suffix_of_mic};
pub use figure::{Decimals, figure};
pub use opened::{BYTES_MAX, Opened};
pub use sheet::{Row, Sheet};
pub use spelling::{folded, label, without_accent};
pub use table::{Line, Table};
pub use words::Words;
pub use xml::{Element, Elements, Step};
