//! `vhlo.func_v1 @name(%arg0: type) -> (types) {...} {attributes}`

use mlirbc_ir::{AttributeData, Parameter, Result, Type};
use mlirbc_text::function::parse;
use mlirbc_text::{Continuation, CustomAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed, Signature};

use super::forms::code;
use super::types::{attribute_parts, make, make_attribute, parts, type_list};

pub(super) const FUNCTION: CustomAssembly = CustomAssembly { print: print_function, parse: parse_function };

/// The codes of attributes that hold a string and a type.
const STRING: usize = 14;
const TYPE: usize = 17;

/// The types that the operation's type says.
fn signature<'m>(printer: &OpPrinter<'_, 'm>) -> Printed<[&'m [Parameter]; 2]> {
    let context = printer.context();
    let Some((TYPE, &[Parameter::Type(ty)])) = attribute_parts(context, printer.need("function_type")?) else {
        return Err(NotCustom::UseGeneric);
    };
    match parts(context, ty) {
        Some((code::FUNCTION, [Parameter::List(inputs), Parameter::List(results)])) => Ok([inputs, results]),
        _ => Err(NotCustom::UseGeneric),
    }
}

fn print_function(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let context = printer.context();
    let Some((STRING, &[Parameter::Attribute(name)])) = attribute_parts(context, printer.need("sym_name")?) else {
        return Err(NotCustom::UseGeneric);
    };
    let AttributeData::String { value: name, .. } = &context[name] else { return Err(NotCustom::UseGeneric) };
    let [inputs, results] = signature(printer)?;
    // Text says what a function takes by the arguments of its body.
    let arguments = printer.region_argument_types(0)?;
    let same = arguments.len() == inputs.len()
        && arguments.iter().zip(inputs).all(|(&ty, input)| {
            let module = printer.op().module();
            module.ty(ty).is_ok_and(|ty| Parameter::Type(ty) == *input)
        });
    if !same {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.symbol(name);
    printer.region_arguments(0)?;
    printer.text(" -> (");
    for (at, result) in results.iter().enumerate() {
        printer.text(if at == 0 { "" } else { ", " });
        if let Parameter::Type(ty) = result {
            printer.ty(*ty)?;
        }
    }
    printer.text(") ");
    printer.region(0, false, true);
    printer.dictionary(&["sym_name", "function_type"])
}

fn parse_function<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let context = parser.context();
    let name = parser.text().symbol_name()?;
    let name = make_attribute(context, STRING, [Parameter::Attribute(name.attribute())]);
    parser.set(op, "sym_name", name);
    let signature = parse::Signature::parse(parser, false)?;
    if signature.has_argument_attributes(parser) || signature.arguments.len() != signature.inputs.len() {
        return Err(parser.text().error("arguments of a function have names here, and no attributes"));
    }
    set_type(parser, op, &signature)?;
    parser.text().expect(b'{')?;
    Ok(Continuation::Region(
        signature.arguments,
        Box::new(|parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            parser.optional_dictionary(op)?;
            Ok(Continuation::Done)
        }),
    ))
}

fn set_type<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, signature: &Signature<'a>) -> Result<()> {
    let context = parser.context();
    let list = |types: &[Type]| type_list(types.iter().copied());
    let ty = make(context, code::FUNCTION, [list(&signature.inputs), list(&signature.results)]);
    let ty = make_attribute(context, TYPE, [Parameter::Type(ty)]);
    parser.set(op, "function_type", ty);
    Ok(())
}
