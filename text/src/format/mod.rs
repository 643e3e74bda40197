//! What printing and parsing of custom assembly share: the formats of definitions as programs, and what of an operation's
//! text is not in its definition.

pub(super) mod program;
pub(super) mod written;

use mlirbc_ir::ods::{EnumDef, Predicate, Term, TermClass, Traits};
use mlirbc_ir::text::is_bare_keyword;

/// Whether an enum's value stands in an operation's format without quotes.
pub(super) fn is_keyword(cases: &EnumDef, value: i64) -> bool {
    cases.cases.iter().any(|case| {
        case.value == value
            && (cases.bits.is_none() || value > 0 && value & (value - 1) == 0)
            && is_bare_keyword(&case.text)
    })
}

/// Whether text leaves out the terminator where nothing but its name is to be said of it.
pub(super) fn has_implicit_terminator(traits: Traits) -> bool {
    traits.contains(Traits::IMPLICIT_TERMINATOR)
}

/// The type of a dialect that is the only one to fit.
pub(super) fn dialect_type(predicate: &Predicate) -> Option<&str> {
    match predicate {
        Predicate::Is(Term::This, TermClass::DialectType(name)) => Some(name),
        Predicate::All(of) => dialect_type(of.first()?),
        _ => None,
    }
}
