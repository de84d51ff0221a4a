//! Signing in and up, and new passwords.

pub mod reset;
pub mod sign_in;
pub mod sign_up;
pub mod unlock;
