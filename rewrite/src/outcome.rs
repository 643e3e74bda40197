//! What patterns say of what they did.

use std::fmt;

use mlirbc_ir::Error;

/// What a pattern did: `Ok` where it changed something.
pub type Outcome = Result<(), NoMatch>;

/// Why a pattern changed nothing.
#[derive(Debug)]
pub enum NoMatch {
    /// It is not for this operation, for this reason. A pattern that says so has changed nothing.
    Reason(&'static str),
    /// It cannot go on: what runs it stops with this error.
    Error(Error),
}

impl From<Error> for NoMatch {
    fn from(error: Error) -> Self {
        NoMatch::Error(error)
    }
}

impl fmt::Display for NoMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoMatch::Reason(reason) => f.write_str(reason),
            NoMatch::Error(error) => error.fmt(f),
        }
    }
}
