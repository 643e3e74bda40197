//! The operations of `emitc` that have printers of their own.

use super::op::{NotCustom, OpPrinter, Printed};
use crate::attribute::AttributeData;
use crate::types::TypeData;

pub(in crate::text) fn include(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let name = printer.need("include")?;
    let AttributeData::String { value: name, ty: None } = &printer.context()[name] else {
        return Err(NotCustom::UseGeneric);
    };
    // The name is not escaped, and nothing else is shown.
    let plain = |&byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    let known = |name: &[u8]| matches!(name, b"include" | b"is_standard_include");
    let context = printer.context();
    if !name.iter().all(plain) || printer.all_attributes().iter().any(|entry| !known(context.bytes(entry.0))) {
        return Err(NotCustom::UseGeneric);
    }
    let standard = printer.get("is_standard_include").is_some();
    printer.text(if standard { " <\"" } else { " \"" });
    printer.text(name);
    printer.text(if standard { "\">" } else { "\"" });
    Ok(())
}

/// A region whose terminator is not shown, which must be nothing but its name.
fn region(printer: &mut OpPrinter<'_, '_>, number: usize) -> Printed {
    printer.body(number, false, false)
}

pub(in crate::text) fn if_op(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let condition = printer.at(0)?;
    printer.text(" ");
    printer.value(condition);
    printer.text(" ");
    region(printer, 0)?;
    if !printer.is_empty_region(1)? {
        printer.text(" else ");
        region(printer, 1)?;
    }
    printer.dictionary(&[])
}

pub(in crate::text) fn for_op(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let &[argument] = printer.region_argument_types(0)?.as_slice() else { return Err(NotCustom::UseGeneric) };
    printer.text(" ");
    printer.region_argument_name(0, 0)?;
    for (at, word) in [" = ", " to ", " step "].into_iter().enumerate() {
        printer.text(word);
        let value = printer.at(at)?;
        printer.value(value);
    }
    printer.text(" ");
    let ty = printer.to.module.ty(argument)?;
    for at in 0..3 {
        if printer.type_of(printer.at(at)?)? != ty {
            return Err(NotCustom::UseGeneric);
        }
    }
    if printer.context()[ty] != TypeData::Index {
        printer.text(" : ");
        printer.ty(ty)?;
        printer.text(" ");
    }
    region(printer, 0)?;
    printer.dictionary(&[])
}

pub(in crate::text) fn do_op(printer: &mut OpPrinter<'_, '_>) -> Printed {
    for number in 0..2 {
        if !printer.region_argument_types(number)?.is_empty() {
            return Err(NotCustom::UseGeneric);
        }
    }
    // Text gives the body a block in any case, and the condition none without operations.
    let no_operations = printer.terminator(1)?.is_none() && !printer.is_empty_region(1)?;
    if printer.is_empty_region(0)? || no_operations {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.region(0, false, true);
    printer.text(" while ");
    printer.region(1, false, true);
    printer.dictionary_with_keyword(&[])
}
