//! `linalg`: structured operations on tensors and buffers.

use super::defined;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::operation::OpRef;
use crate::text::DialectAssembly;
use crate::text::directives::INDEX_LIST;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined("linalg")
        .directive("DynamicIndexList", INDEX_LIST)
        .result_name("broadcast", "broadcasted")
        .result_name("map", "mapped")
        .result_name("pack", "pack")
        .result_name("reduce", "reduced")
        .result_name("transpose", "transposed")
        .result_name("unpack", "unpack")
        .argument_names("generic", |op, _, count, set| argument_names(op, count, "out", set))
        .argument_names("map", |op, _, count, set| argument_names(op, count, "init", set))
        .argument_names("reduce", |op, _, count, set| argument_names(op, count, "init", set))
}

/// Arguments stand for elements of the inputs, and then of the outputs.
fn argument_names(op: OpRef<'_>, count: usize, output: &str, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let Ok(ranges) = op.operand_ranges() else { return Ok(()) };
    let inputs = ranges.first().map_or(0, |range| range.len());
    for at in 0..count {
        set(at, if at < inputs { "in" } else { output }.as_bytes());
    }
    Ok(())
}
