//! The names that operations give their results.

use crate::hooks::{ResultNames, ResultNamesFn, TextHooks};
use mlirbc_ir::{OpRef, Result};

/// How the operations of one name call their results.
#[derive(Clone, Copy)]
pub(super) enum Naming {
    /// By numbers.
    Numbers,
    /// The first is always called that.
    First(&'static str),
    /// Several kinds of results, as the definition calls them.
    Defined,
    By(ResultNamesFn),
}

impl Naming {
    /// That of an operation and all others of its name.
    pub(super) fn of(op: OpRef<'_>) -> Self {
        let Some(definition) = op.definition() else { return Naming::Numbers };
        let brought = TextHooks::result_names(op.module().context(), &op.name());
        if let Some(ResultNames::First(name)) = brought {
            return Naming::First(name);
        }
        let details = definition.details();
        if details.results.len() > 1 && !details.interfaces.iter().any(|known| known == "OpAsmOpInterface") {
            return Naming::Defined;
        }
        match brought {
            Some(ResultNames::By(names)) => Naming::By(names),
            _ => Naming::Numbers,
        }
    }

    /// Calls `set` with the number of a result and the name that the operation gives it.
    pub(super) fn names(self, op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
        match self {
            Naming::Numbers => {}
            Naming::First(name) => set(0, name.as_bytes()),
            Naming::Defined => {
                if let (Some(definition), Ok(ranges)) = (op.definition(), op.result_ranges()) {
                    for (result, range) in definition.details().results.iter().zip(ranges) {
                        if !range.is_empty() && !result.name.is_empty() {
                            set(range.start, result.name.as_bytes());
                        }
                    }
                }
            }
            Naming::By(names) => names(op, set)?,
        }
        Ok(())
    }
}
