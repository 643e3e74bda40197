//! The names that operations give their results.

use crate::hooks::ResultNames;
use mlirbc_ir::{OpRef, Result};

/// Calls `set` with the number of a result and the name that the operation gives it, as its dialect `brought` it. Gives whether
/// operations of this name name any.
pub(super) fn result_names(
    op: OpRef<'_>,
    brought: Option<ResultNames>,
    set: &mut dyn FnMut(usize, &[u8]),
) -> Result<bool> {
    let Some(definition) = op.definition() else { return Ok(false) };
    if let Some(ResultNames::First(name)) = brought {
        set(0, name.as_bytes());
        return Ok(true);
    }
    let details = definition.details();
    let is_auto = details.results.len() > 1 && !details.interfaces.iter().any(|known| known == "OpAsmOpInterface");
    if is_auto {
        // Several kinds of results are called as the definition calls them.
        if let Ok(ranges) = op.result_ranges() {
            for (result, range) in details.results.iter().zip(ranges) {
                if !range.is_empty() && !result.name.is_empty() {
                    set(range.start, result.name.as_bytes());
                }
            }
        }
        return Ok(true);
    }
    match brought {
        Some(ResultNames::By(names)) => names(op, set).map(|()| true),
        _ => Ok(false),
    }
}
