//! `tosa`: operations on tensors of a small, fixed set.

mod assembly;
mod directives;
mod enums;

pub use enums::*;

use std::sync::Arc;

use super::common::cases::Cases;
use mlirbc_ir::interfaces::{Constant, Loop, LoopRegions};
use mlirbc_ir::{Attribute, AttributeData, Dialect, OpId, OpRef, Result, Rewriter, Type};
use mlirbc_rewrite::{DialectInliner, DialectRewrite};
use mlirbc_text::DialectAssembly;

/// The dialect's name.
const NAME: &str = "tosa";

/// Its attributes that are cases of enums.
const CASES: Cases = Cases(enums::ENUM_ATTRIBUTES);

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined!("tosa").inliner(Loops))
        .directive("VariableOpTypeOrInitialValue", directives::VARIABLE)
        .interface::<dyn Loop>("while_loop", Arc::new(LoopRegions(&[1])))
        .interface::<dyn Constant>("const", Arc::new(Values))
        .interface::<dyn Constant>("const_shape", Arc::new(Values))
        .materialize(materialize)
}

/// Constants hold elements.
struct Values;

impl Constant for Values {
    fn value(&self, op: OpRef<'_>) -> Result<Option<Attribute>> {
        op.attribute("values")
    }
}

fn materialize(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    let data = &rw.context()[value];
    if !matches!(data, AttributeData::DenseElements { .. } | AttributeData::DenseResource { .. }) {
        return Ok(None);
    }
    let is_shape = rw.context().type_parameters(ty, NAME, "shape").is_some();
    let name = if is_shape { "tosa.const_shape" } else { "tosa.const" };
    rw.build(name).attribute("values", value).result_type(ty).create().map(Some)
}

/// Of what has regions, these two alone may have calls inlined in them.
struct Loops;

impl DialectInliner for Loops {
    fn inlines_into(&self, into: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(into.is("tosa.cond_if") || into.is("tosa.while_loop"))
    }

    fn inlines_operation(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }
}
