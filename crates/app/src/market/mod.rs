//! Market data: how it is fetched, loaded, kept current and monitored.

mod backtest;
pub mod choice;
pub(crate) mod day_price;
mod dividends;
pub mod live;
mod load;
mod overview;
mod ownership;
pub(crate) mod profile;
pub(crate) mod rates;
pub(crate) mod refresh;
pub mod sources;
mod splits;
mod status;
mod track;
pub mod traded;

pub use backtest::{folder_records, stored_records};
pub use dividends::{Choice, remove_dividend};
pub use load::{Loaded, load_folder, load_texts};
pub use overview::{Overview, ProviderCondition, ProviderOverview, overview};
pub use status::{Status, StockStatus, Vitals, status, stock_status, vitals};
pub use track::set_tracked;
