//! The directives of `tosa`'s formats.

use mlirbc_ir::{AttributeData, DYNAMIC, Result, TypeData};
use mlirbc_text::{
    Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed, dense_integers,
};

/// `= dense<...> : tensor<...>`, or `: tensor<...>`: shape and element of a variable, and perhaps its value.
pub(super) const VARIABLE: Directive = Directive::new(print_variable, parse_variable);

fn print_variable(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let shape = arguments.required(printer, 0)?;
    let context = printer.context();
    let sizes = dense_integers(context, shape).ok_or(NotCustom::UseGeneric)?;
    if sizes.iter().any(|&size| size < -1) {
        return Err(NotCustom::UseGeneric);
    }
    let sizes = sizes.into_iter().map(|size| if size < 0 { DYNAMIC } else { size }).collect();
    let element = arguments.ty(printer, 1)?;
    let ty = TypeData::RankedTensor { shape: sizes, element, encoding: None };
    // What is no element of a tensor stands alone in the generic form.
    ty.verify(context).map_err(|_| NotCustom::UseGeneric)?;
    let ty = context.ty(ty);
    match arguments.attribute(printer, 2)? {
        None => {
            printer.text(": ");
            printer.ty(ty)
        }
        Some(value) => match context[value] {
            AttributeData::DenseElements { ty: of, .. } | AttributeData::DenseResource { ty: of, .. } if of == ty => {
                printer.text("= ");
                printer.attribute(value)
            }
            _ => Err(NotCustom::UseGeneric),
        },
    }
}

fn parse_variable<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let context = parser.context();
    let ty = if parser.text().eat(b'=') {
        let value = parser.text().attribute()?;
        state.set_attribute(parser, op, 2, value)?;
        match context[value] {
            AttributeData::DenseElements { ty, .. } | AttributeData::DenseResource { ty, .. } => ty,
            _ => return Err(parser.text().error("the elements of a tensor were expected")),
        }
    } else {
        parser.text().colon_type()?
    };
    let TypeData::RankedTensor { shape, element, encoding: None } = &context[ty] else {
        return Err(parser.text().error("the type of a ranked tensor was expected"));
    };
    let sizes: Vec<i64> = shape.iter().map(|&size| if size == DYNAMIC { -1 } else { size }).collect();
    let mut data: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
    if sizes.windows(2).all(|pair| pair[0] == pair[1]) {
        // All the same: a splat.
        data.truncate(8);
    }
    let count: Box<[i64]> = Box::new([sizes.len() as i64]);
    let ty = context.ty(TypeData::RankedTensor { shape: count, element: context.index_type(), encoding: None });
    let shape = context.attribute(AttributeData::DenseElements { ty, data: data.into() });
    let element = context.attribute(AttributeData::Type(*element));
    state.set_attribute(parser, op, 0, shape)?;
    state.set_attribute(parser, op, 1, element)
}
