//! `vector`: vectors of several dimensions.

mod assembly;
mod enums;
pub(crate) mod folds;
mod types;

pub use enums::*;

use std::sync::Arc;

use super::common::cases::{Cases, case_of};
use super::common::effects::OfMemory;
use super::common::speculation::OnTensors;
use mlirbc_ir::interfaces::{Effect, MemoryEffects, Speculatable, Speculation};
use mlirbc_ir::text::integers;
use mlirbc_ir::verify::OpTypes;
use mlirbc_ir::{Context, Dialect, OpRef, Result, TypeData};
use mlirbc_rewrite::{DialectRewrite, InlineOperations};
use mlirbc_text::DialectAssembly;
use mlirbc_text::directives::INDEX_LIST;

/// The dialect's name.
const NAME: &str = "vector";

/// Its attributes that are cases of enums.
const CASES: Cases = Cases(enums::ENUM_ATTRIBUTES);

/// The dialect.
pub(super) fn dialect() -> Dialect {
    folds::attach(assembly::attach(defined!("vector").inliner(InlineOperations)))
        .interface::<dyn MemoryEffects>("transfer_read", Arc::new(OfMemory(Effect::Read, "base")))
        .interface::<dyn MemoryEffects>("transfer_write", Arc::new(OfMemory(Effect::Write, "base")))
        .interface::<dyn Speculatable>("transfer_read", Arc::new(OnTensors(Speculation::Always)))
        .interface::<dyn Speculatable>("transfer_write", Arc::new(OnTensors(Speculation::Always)))
        .directive("DynamicIndexList", INDEX_LIST)
        .result_name("vscale", "vscale")
        .infer_types("shuffle", shuffled)
        .infer_types("to_elements", elements)
}

/// How an operation makes one element of several; `None` where it does not say.
///
/// # Errors
/// Where its attributes cannot be read.
pub fn combining_kind(op: OpRef<'_>) -> Result<Option<CombiningKind>> {
    let kind = op.attribute("kind")?;
    Ok(kind.and_then(|kind| case_of(op.module().context(), kind, NAME, "kind")))
}

/// The results are the elements of the operand, where there are as many names as it has.
fn elements(context: &Context, types: &mut OpTypes) {
    if let Some(&[ty, ..]) = types.operand(0)
        && let Some(element) = context[ty].element()
        && let count = types.named_results()
        && context[ty].element_count() == Some(count as u64)
    {
        types.set_result(0, vec![element; count]);
    }
}

/// The result has as many rows as the mask has numbers, each as a row of the first operand.
fn shuffled(context: &Context, types: &mut OpTypes) {
    if let Some(&[first]) = types.operand(0)
        && let TypeData::Vector { shape, element, .. } = &context[first]
        && let Some(mask) = types.attribute(0).and_then(|mask| integers(context, mask))
    {
        let rows = [mask.len() as i64].into_iter().chain(shape.iter().skip(1).copied());
        let shape = rows.collect();
        types.set_result(0, [context.ty(TypeData::Vector { shape, scalable: Box::default(), element: *element })]);
    }
}
