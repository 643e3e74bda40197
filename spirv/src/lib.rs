//! draft
pub mod grammar;
