//! Who views a page, what they send, and where they are sent.

pub mod cookies;
pub mod form_token;
pub mod forms;
pub mod links;
pub mod notice;
pub mod page_error;
pub mod visitor;

pub use forms::Form;
pub use notice::Notice;
pub use page_error::PageError;
pub use visitor::{Confirmed, SignedIn, Visitor};
