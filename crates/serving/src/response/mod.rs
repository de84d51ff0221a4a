//! How a response is written.

pub mod compression;
pub mod cors;
pub mod error;
pub mod etag;
pub mod finish;
pub mod number;
pub mod page_headers;
pub mod refusal;
