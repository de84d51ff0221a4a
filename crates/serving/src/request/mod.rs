//! What a request says, before anybody acts on it.

pub mod address;
pub mod auth;
pub mod facts;
pub mod fields;
pub mod params;
pub mod validation;
