//! `amdgpu`: operations of AMD's processors.

mod enums;

pub use enums::*;

use super::common::sizes;
use mlirbc_ir::{AttributeData, Dialect, Error, Result};
use mlirbc_rewrite::{DialectRewrite, InlineOperations};
use mlirbc_text::directives::INDEX_LIST;
use mlirbc_text::{
    DialectAssembly, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed,
};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("amdgpu")
        .inliner(InlineOperations)
        .directive("DynamicIndexList", INDEX_LIST)
        .directive("MNKDimensionList", MNK)
}

/// `16x16x4`, where each size is an attribute of its own.
const MNK: Directive = Directive::new(print_mnk, parse_mnk);

fn print_mnk(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let mut numbers = Vec::new();
    for at in 0..arguments.len() {
        let size = arguments.required(printer, at)?;
        let AttributeData::Integer { value, .. } = &printer.context()[size] else { return Err(NotCustom::UseGeneric) };
        numbers.push(value.to_i64().filter(|&size| size >= 0).ok_or(NotCustom::UseGeneric)?);
    }
    sizes::print(printer, &numbers)
}

fn parse_mnk<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut DirectiveState<'_, 'a>) -> Result<()> {
    let wanted = state.arguments().len();
    let start = parser.text().here();
    let sizes = sizes::parse(parser)?;
    if sizes.len() != wanted || !sizes.iter().all(|size| (0..=i64::from(i32::MAX)).contains(size)) {
        return Err(parser.error_at(start, format!("expected {} with `x` between", Error::counted(wanted, "size"))));
    }
    for (at, size) in sizes.into_iter().enumerate() {
        let size = parser.context().integer(32, size);
        state.set_attribute(parser, op, at, size)?;
    }
    Ok(())
}
