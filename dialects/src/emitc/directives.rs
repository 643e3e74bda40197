//! The directives of `emitc`'s formats.

use mlirbc_ir::{AttributeData, Context, Result, Type, TypeData};
use mlirbc_text::{Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed};

use super::{ARRAY, NAME, array};

/// `type = value`
pub(super) const TYPE_AND_VALUE: Directive = Directive::new(print_value, parse_value);

/// The type of the value of a global of this type: an array has elements of a tensor.
fn initializer_type(context: &Context, ty: Type) -> Type {
    match context.type_parameters(ty, NAME, ARRAY.mnemonic).and_then(array) {
        Some((shape, element)) => context.ty(TypeData::RankedTensor { shape, element, encoding: None }),
        None => ty,
    }
}

fn print_value(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let ty = arguments.ty(printer, 0)?;
    printer.ty(ty)?;
    let Some(value) = arguments.attribute(printer, 1)? else { return Ok(()) };
    let wanted = initializer_type(printer.context(), ty);
    match &printer.context()[value] {
        AttributeData::Integer { ty, .. }
        | AttributeData::Float { ty, .. }
        | AttributeData::DenseElements { ty, .. } => {
            if *ty != wanted {
                return Err(NotCustom::UseGeneric);
            }
        }
        AttributeData::Text { .. } | AttributeData::Dialect(_) => {}
        _ => return Err(NotCustom::UseGeneric),
    }
    printer.text(" = ");
    printer.bare(value)
}

fn parse_value<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut DirectiveState<'_, 'a>) -> Result<()> {
    let ty = parser.text().ty()?;
    let attribute = parser.context().attribute(AttributeData::Type(ty));
    state.set_attribute(parser, op, 0, attribute)?;
    if !parser.text().eat(b'=') {
        return Ok(());
    }
    let ty = initializer_type(parser.context(), ty);
    let value = parser.typed_attribute(ty)?;
    state.set_attribute(parser, op, 1, value)
}
