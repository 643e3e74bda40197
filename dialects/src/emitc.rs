//! `emitc`: C and C++ to be emitted.

mod assembly;
mod directives;
mod enums;

pub use enums::*;

use std::sync::Arc;

use super::common::branches::{If, Switch};
use super::common::values::{Own, Values};
use super::scf::directives::SWITCH_CASES;
use mlirbc_ir::interfaces::{Call, NamedCall, RegionBranch};
use mlirbc_ir::{Attribute, AttributeData, Dialect, OpId, Parameter, Result, Rewriter, Type};
use mlirbc_rewrite::DialectRewrite;
use mlirbc_text::DialectAssembly;

/// The dialect's name.
const NAME: &str = "emitc";

/// An array of C: `!emitc.array<4x2xf32>`.
const ARRAY: Own = Own {
    mnemonic: "array",
    holds: |_, parameters| array(parameters).is_some(),
    print: |parameters, printer| {
        if let Some((shape, element)) = array(parameters) {
            let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
            printer.text("<").text(sizes).ty(element).text(">");
        }
    },
    parse: |parser| {
        if !parser.eat_next(b'<') {
            return None;
        }
        let shape = parser.shape().ok()??;
        let shape: Box<[Parameter]> = shape.iter().map(|&size| Parameter::Signed(size)).collect();
        let parameters = [Parameter::List(shape), Parameter::Type(parser.ty().ok()?)];
        (parser.eat(b'>') && array(&parameters).is_some()).then(|| parameters.into())
    },
};

/// The sizes and the element type of an array: at least one size, and all over 0.
fn array(parameters: &[Parameter]) -> Option<(Box<[i64]>, Type)> {
    let [Parameter::List(shape), Parameter::Type(element)] = parameters else { return None };
    let size = |size: &Parameter| match size {
        Parameter::Signed(size @ 1..) => Some(*size),
        _ => None,
    };
    let shape: Box<[i64]> = shape.iter().map(size).collect::<Option<_>>()?;
    (!shape.is_empty()).then_some((shape, *element))
}

/// The dialect.
pub(super) fn dialect() -> Dialect {
    const SCOPES: [&str; 7] = ["do", "expression", "file", "for", "func", "if", "switch"];
    let dialect = assembly::attach(defined!("emitc"))
        .interface::<dyn Call>("call", Arc::new(NamedCall { callee: "callee", arguments: "operands" }))
        .materialize(materialize)
        .interface::<dyn RegionBranch>("if", Arc::new(If))
        .interface::<dyn RegionBranch>("switch", Arc::new(Switch))
        .text(Values { own_types: &[ARRAY], ..Values::NONE })
        .directive("EmitCFieldOpTypeAndInitialValue", directives::TYPE_AND_VALUE)
        .directive("EmitCGlobalOpTypeAndInitialValue", directives::TYPE_AND_VALUE)
        .directive("SwitchCases", SWITCH_CASES);
    SCOPES.iter().fold(dialect, |dialect, scope| dialect.default_dialect(scope))
}

/// `emitc.constant`, of a value of that type, or of words of C, which have none.
fn materialize(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    let data = &rw.context()[value];
    if data.ty() != Some(ty) && !matches!(data, AttributeData::Dialect(_)) {
        return Ok(None);
    }
    rw.build("emitc.constant").attribute("value", value).result_type(ty).create().map(Some)
}
