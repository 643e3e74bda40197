//! What functions of dialects' own tell of types.

use std::sync::Arc;

use super::hooks::TypeTests;
use crate::context::Context;
use crate::dialect::Dialect;
use crate::ods::CppClasses;
use crate::types::Type;

/// The tests of types that one dialect brings, and the functions that it says they answer for.
pub(super) struct ToldBy {
    tests: TypeTests,
    classes: Arc<CppClasses>,
}

impl ToldBy {
    /// Of those dialects that bring some.
    pub(super) fn those_of(dialects: Vec<Arc<Dialect>>) -> Vec<ToldBy> {
        let of = |dialect: &Arc<Dialect>| {
            Some(ToldBy { tests: *dialect.get::<TypeTests>()?, classes: dialect.get().unwrap_or_default() })
        };
        dialects.iter().filter_map(of).collect()
    }

    /// Whether a function holds of a type. `None` where that is not known.
    pub(super) fn tell(&self, context: &Context, ty: Type, function: &str) -> Option<bool> {
        self.tests.0(context, ty, function)
    }

    /// Whether the dialect says that the function is its own.
    pub(super) fn names(&self, function: &str) -> bool {
        self.classes.has_function(function)
    }
}
