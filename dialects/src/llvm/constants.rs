//! Constants (`LLVMDialect.cpp` of MLIR).

use std::sync::Arc;

use mlirbc_ir::interfaces::Constant;
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, AttributeData, Context, Dialect, NumberKind, OpId, OpRef, Result, Rewriter, Type};
use mlirbc_rewrite::DialectRewrite;

use super::NAME;
use crate::common::{constants, dense};

/// Attributes that stand for what an operation without attributes gives, and its name.
const EMPTY: [(&str, &str); 3] =
    [("poison", "llvm.mlir.poison"), ("undef", "llvm.mlir.undef"), ("zero", "llvm.mlir.zero")];

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let dialect = EMPTY.into_iter().fold(dialect, |dialect, (mnemonic, _)| {
        dialect.interface::<dyn Constant>(&format!("mlir.{mnemonic}"), Arc::new(Empty(mnemonic)))
    });
    dialect.interface::<dyn Constant>("mlir.addressof", Arc::new(Address)).materialize(materialize)
}

/// The address of a global or a function.
struct Address;

impl Constant for Address {
    fn value(&self, op: OpRef<'_>) -> Result<Option<Attribute>> {
        op.attribute("global_name")
    }
}

/// What is told by the type alone.
struct Empty(&'static str);

impl Constant for Empty {
    fn value(&self, op: OpRef<'_>) -> Result<Option<Attribute>> {
        let context = op.module().context();
        let Some(result) = op.results().next() else { return Ok(None) };
        let zero = match self.0 {
            "zero" => zero(context, op.type_of(result)?),
            _ => None,
        };
        Ok(zero.or_else(|| Some(context.dialect_attribute(NAME, self.0, []))))
    }
}

/// The number 0, or elements that are.
fn zero(context: &Context, ty: Type) -> Option<Attribute> {
    match NumberKind::of(context, ty) {
        Some(number) => context.numbers(ty, &[ApInt::zero(number.width())]).ok(),
        None => {
            let number = NumberKind::of(context, context[ty].element()?)?;
            dense::splat(context, ApInt::zero(number.width()), ty)
        }
    }
}

fn materialize(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    let context = rw.context();
    if matches!(&context[value], AttributeData::SymbolRef { nested, .. } if nested.is_empty()) {
        return match context.type_parameters(ty, NAME, "ptr") {
            Some(_) => {
                rw.build("llvm.mlir.addressof").attribute("global_name", value).result_type(ty).create().map(Some)
            }
            None => Ok(None),
        };
    }
    for (mnemonic, name) in EMPTY {
        if context.attribute_parameters(value, NAME, mnemonic).is_some() {
            return rw.build(name).result_type(ty).create().map(Some);
        }
    }
    if !constants::can_be_constant(context, value, ty) {
        return Ok(None);
    }
    rw.build("llvm.mlir.constant").attribute("value", value).result_type(ty).create().map(Some)
}
