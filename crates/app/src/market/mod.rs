//! Market data: how the operator loads, manages and monitors it.

mod load;
mod ownership;
mod status;
mod track;
mod watch;

pub use load::{Loaded, load_folder, load_texts};
pub use status::{Status, StockStatus, Vitals, status, stock_status, vitals};
pub use track::set_tracked;
pub(crate) use watch::{Seen, load_watched};
