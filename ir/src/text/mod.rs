//! MLIR text: printing and parsing.

/// How a dialect prints and parses its attributes and types.
pub trait DialectText: Send + Sync {}
