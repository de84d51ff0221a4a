//! Market data: providers behind one trait, each in its folder, and the checks that keep their mistakes out of users' figures.

mod ability;
pub mod alphavantage;
mod blank;
mod chain;
pub mod ecb;
pub mod eodhd;
mod failure;
mod fault;
mod figure;
pub mod files;
pub mod fmp;
mod http_client;
mod keyed;
mod provider;
mod registry;
mod split_ratio;
mod suffix;
pub mod validation;
pub mod yahoo;

pub use ability::Ability;
pub use chain::{Found, Market, Quotes};
pub use failure::Failure;
pub use fault::{Denial, Detail, Fault, Offer};
pub use http_client::{Budget, Health, HttpClient, Response, Urgency};
pub use provider::{Announcement, Dividend, DividendUnit, Match, NextDividend, Profile, Quote, Rate, Split};
pub use registry::{Config, ConfigError, NAMES, needs_key, open};
