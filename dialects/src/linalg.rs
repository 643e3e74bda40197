//! `linalg`: structured operations on tensors and buffers.

mod assembly;
mod bodies;
mod contractions;
mod effects;
mod enums;
mod maps;

pub use enums::*;

use super::common::cases::Cases;
use mlirbc_ir::ods::CppClasses;
use mlirbc_ir::verify::{Checker, rules};
use mlirbc_ir::{Dialect, OpRef, Result, Type};
use mlirbc_rewrite::{DialectRewrite, InlineEverywhere};
use mlirbc_text::DialectAssembly;
use mlirbc_text::directives::INDEX_LIST;

/// The dialect's name.
const NAME: &str = "linalg";

/// Its attributes that are cases of enums.
const CASES: Cases = Cases(enums::ENUM_ATTRIBUTES);

/// The dialect.
pub(super) fn dialect() -> Dialect {
    contractions::attach(effects::attach(assembly::attach(defined!("linalg").inliner(InlineEverywhere))))
        .extension(CppClasses::new().attribute("linalg::IteratorTypeAttr", "iterator_type"))
        .verify_op("yield", verify_yield)
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

/// What a structured operation yields are elements of its outputs.
fn verify_yield(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let Some(parent) = op.parent_op()? else { return Ok(()) };
    let Some(definition) = parent.definition() else { return Ok(()) };
    if !definition.details().interfaces.iter().any(|interface| interface == "LinalgOp") {
        return Ok(());
    }
    let Some(outputs) = parent.operand_ranges().ok().and_then(|ranges| ranges.last().cloned()) else { return Ok(()) };
    let outputs = rules::types_of(parent, parent.operands().get(outputs).unwrap_or_default().iter().copied())?;
    let elements: Option<Vec<Type>> = outputs.into_iter().map(|ty| checker.element_or_self(ty)).collect();
    let Some(elements) = elements else { return Ok(()) };
    checker.expect_types_of("the yielded values", op, op.operands().iter().copied(), &elements)
}
