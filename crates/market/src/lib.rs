//! Market data: providers behind one trait, each in its folder, and the checks that keep their mistakes out of users' figures.

mod ability;
mod alphavantage;
mod blank;
mod chain;
mod ecb;
mod eodhd;
mod failure;
mod fault;
mod figure;
pub mod files;
mod fmp;
#[doc(hidden)]
pub mod fuzzed;
mod http_client;
mod keyed;
mod provider;
mod registry;
mod split_ratio;
mod suffix;
pub mod validation;
mod yahoo;

pub use ability::Ability;
pub use chain::{Found, Market, Quotes};
pub use failure::Failure;
pub use fault::{Denial, Detail, Fault, Offer};
pub use http_client::{Budget, Health, Urgency};
pub use provider::{Announcement, Dividend, DividendUnit, Match, NextDividend, Profile, Quote, Rate, Split};
pub use registry::{Config, ConfigError, NAMES, open};
