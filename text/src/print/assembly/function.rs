//! Functions, and what looks like one.

use super::op::{NotCustom, OpPrinter, Printed};
use mlirbc_ir::{Attribute, AttributeData, NamedAttribute, Type, TypeData};

/// Prints `private`, `public` or `nested`.
///
/// # Errors
/// Where the word is another.
pub fn visibility(printer: &mut OpPrinter<'_, '_>, word: &[u8]) -> Printed {
    if !matches!(word, b"private" | b"public" | b"nested") {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(word);
    Ok(())
}

/// Prints the symbol that `sym_name` says.
///
/// # Errors
/// [`NotCustom::UseGeneric`] where there is none.
pub fn name(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let name = printer.string("sym_name")?.ok_or(NotCustom::UseGeneric)?;
    printer.symbol(name);
    Ok(())
}

/// The types that `function_type` names: of the arguments and of the results.
///
/// # Errors
/// [`NotCustom::UseGeneric`] where it holds no function type.
pub fn signature<'m>(printer: &OpPrinter<'_, 'm>) -> Printed<(&'m [Type], &'m [Type])> {
    let ty = printer.type_in(printer.need("function_type")?)?;
    match &printer.context()[ty] {
        TypeData::Function { inputs, results } => Ok((inputs, results)),
        _ => Err(NotCustom::UseGeneric),
    }
}

/// Prints ` {...}`, where there is a body.
///
/// # Errors
/// Where the body could not be decoded.
pub fn body(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if !printer.is_empty_region(0)? {
        printer.text(" ");
        printer.region(0, false, true);
    }
    Ok(())
}

/// The dictionaries of an array, one for each of so many arguments or results. `None` where there is no such attribute.
///
/// # Errors
/// [`NotCustom::UseGeneric`] where there are more or fewer.
pub fn dictionaries<'m>(
    printer: &OpPrinter<'_, 'm>,
    name: &str,
    count: usize,
) -> Printed<Option<Vec<&'m [NamedAttribute]>>> {
    let Some(array) = printer.get(name) else { return Ok(None) };
    let context = printer.context();
    let entries = |&item: &Attribute| match &context[item] {
        AttributeData::Dictionary(entries) => Ok(&**entries),
        _ => Err(NotCustom::UseGeneric),
    };
    let all: Vec<&[NamedAttribute]> = printer.array(array)?.iter().map(entries).collect::<Printed<_>>()?;
    if all.len() == count { Ok(Some(all)) } else { Err(NotCustom::UseGeneric) }
}

/// Prints `(%arg0: type {attributes}, ...) -> (type {attributes})`: MLIR's `call_interface_impl::printFunctionSignature`.
///
/// # Errors
/// [`NotCustom::UseGeneric`] where the region's arguments have other types, or `arg_attrs` and `res_attrs` do not fit.
pub fn arguments(printer: &mut OpPrinter<'_, '_>, inputs: &[Type], results: &[Type], variadic: bool) -> Printed {
    first_arguments(printer, inputs, results, variadic, 0)
}

/// The same where the region has so many more arguments.
///
/// # Errors
/// [`NotCustom::UseGeneric`] where the region's arguments have other types.
pub fn first_arguments(
    printer: &mut OpPrinter<'_, '_>,
    inputs: &[Type],
    results: &[Type],
    variadic: bool,
    more: usize,
) -> Printed {
    let attributes = dictionaries(printer, "arg_attrs", inputs.len())?;
    let external = printer.is_empty_region(0)?;
    if !external {
        let types = printer.region_argument_types(0)?;
        let same = types.len().checked_sub(more) == Some(inputs.len())
            && types.iter().zip(inputs).all(|(&ty, &input)| printer.to.module.ty(ty).is_ok_and(|ty| ty == input));
        if !same {
            return Err(NotCustom::UseGeneric);
        }
    }
    printer.text("(");
    for (at, &ty) in inputs.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        let entries = attributes.as_ref().map_or(&[][..], |all| all[at]);
        if external {
            printer.ty(ty)?;
            printer.dictionary_of(entries, &|_| false, false)?;
        } else {
            printer.region_argument(0, at, entries, false)?;
        }
    }
    if variadic {
        printer.text(if inputs.is_empty() { "..." } else { ", ..." });
    }
    printer.text(")");
    if results.is_empty() {
        dictionaries(printer, "res_attrs", 0)?;
        return Ok(());
    }
    printer.text(" -> ");
    result_list(printer, results)
}

/// Prints `type`, or `(type {attributes}, type)`.
///
/// # Errors
/// Where `res_attrs` does not fit the results.
pub fn result_list(printer: &mut OpPrinter<'_, '_>, results: &[Type]) -> Printed {
    let attributes = dictionaries(printer, "res_attrs", results.len())?;
    let wrap = match (results, &attributes) {
        ([one], attributes) => {
            matches!(printer.context()[*one], TypeData::Function { .. })
                || attributes.as_ref().is_some_and(|all| !all[0].is_empty())
        }
        _ => true,
    };
    if wrap {
        printer.text("(");
    }
    for (at, &ty) in results.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        printer.ty(ty)?;
        if let Some(all) = &attributes {
            printer.dictionary_of(all[at], &|_| false, false)?;
        }
    }
    if wrap {
        printer.text(")");
    }
    Ok(())
}
