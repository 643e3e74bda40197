//! Assembly of operations on memory: indices, types, and how to fetch ahead.

use mlirbc_ir::body::TypeRef;
use mlirbc_ir::{Result, Type, TypeData};
use mlirbc_text::{NotCustom, OpParser, OpPrinter, OpState, Printed, ValueName};

/// `: memref<...>`: the type and that of its elements.
pub(crate) fn parse_memref_type(parser: &mut OpParser<'_>) -> Result<(TypeRef, Type)> {
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    match parser.context()[parser.resolved(ty)?] {
        TypeData::MemRef { element, .. } => Ok((ty, element)),
        _ => Err(parser.text().error("the type of a memref was expected")),
    }
}

pub(crate) fn add_indices<'a>(parser: &OpParser<'a>, op: &mut OpState<'a>, indices: Vec<ValueName<'a>>) {
    for index in indices {
        op.add(index, parser.context().index_type().into());
    }
}

/// `, read, locality<3>, data`
pub(crate) fn print_prefetch_hints(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(if printer.flag("isWrite")? { ", write" } else { ", read" });
    let (TypeData::Integer { width: 32, .. }, locality) = printer.integer("localityHint")? else {
        return Err(NotCustom::UseGeneric);
    };
    printer.text(", locality<");
    printer.number(locality);
    printer.text(if printer.flag("isDataCache")? { ">, data" } else { ">, instr" });
    Ok(())
}

/// `, read, locality<3>, data`
pub(crate) fn parse_prefetch_hints<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<()> {
    parser.text().expect(b',')?;
    let write = either(parser, ["read", "write"])?;
    parser.text().expect(b',')?;
    parser.text().expect_word("locality")?;
    parser.text().expect(b'<')?;
    let start = parser.text().here();
    let locality = parser.text().signed().filter(|&locality| i32::try_from(locality).is_ok());
    let Some(locality) = locality else { return Err(parser.text().error_at(start, "expected a number of 32 bits")) };
    parser.text().expect(b'>')?;
    parser.text().expect(b',')?;
    let data = !either(parser, ["data", "instr"])?;
    let context = parser.context();
    parser.set(op, "isWrite", context.integer(1, write.into()));
    parser.set(op, "localityHint", context.integer(32, locality));
    parser.set(op, "isDataCache", context.integer(1, data.into()));
    Ok(())
}

/// One of two words: whether it is the second.
fn either(parser: &mut OpParser<'_>, words: [&str; 2]) -> Result<bool> {
    if parser.text().eat_word(words[0].as_bytes()) {
        return Ok(false);
    }
    if parser.text().eat_word(words[1].as_bytes()) {
        return Ok(true);
    }
    Err(parser.text().expected(&format!("`{}` or `{}`", words[0], words[1])))
}
