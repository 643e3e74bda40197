//! Attributes that text shows as words.

use mlirbc_ir::text::{
    NotCustom, OpParser, OpPrinter, OpState, Printed, parse_attribute, print_attribute, split_symbol,
};
use mlirbc_ir::{AttributeData, Result};

/// Their names, their mnemonics, and the enums of their cases.
pub(in crate::llvm) const LINKAGE: (&str, &str, &str) = ("linkage", "linkage", "LLVM::linkage::Linkage");
pub(super) const CONVENTION: (&str, &str, &str) = ("CConv", "cconv", "LLVM::cconv::CConv");
pub(super) const TAIL_CALL: (&str, &str, &str) = ("TailCallKind", "tailcallkind", "LLVM::tailcallkind::TailCallKind");

/// The case that an attribute of this name and enum holds.
pub(in crate::llvm) fn case(
    printer: &OpPrinter<'_, '_>,
    (name, mnemonic, enumeration): (&str, &str, &str),
) -> Printed<Option<String>> {
    let Some(value) = printer.get(name) else { return Ok(None) };
    let text = print_attribute(printer.context(), value)?;
    let (dialect, found, rest) = split_symbol(text.as_bytes()).ok_or(NotCustom::UseGeneric)?;
    let case = rest.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")).ok_or(NotCustom::UseGeneric)?;
    let cases = printer.enumeration(enumeration).ok_or(NotCustom::UseGeneric)?;
    let known = cases.cases.iter().find(|known| known.text.as_bytes() == case).ok_or(NotCustom::UseGeneric)?;
    if (dialect, found) == (b"llvm", mnemonic.as_bytes()) {
        Ok(Some(known.text.clone()))
    } else {
        Err(NotCustom::UseGeneric)
    }
}

/// An attribute whose name and enum are these: of the case that is next, or of this one.
pub(in crate::llvm) fn keyword<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    (name, mnemonic, enumeration): (&str, &str, &str),
    usual: &str,
) -> Result<()> {
    let cases = parser.enumeration(enumeration);
    let word = parser.text().peek_word();
    let is_case = cases.is_some_and(|cases| cases.cases.iter().any(|case| case.text.as_bytes() == word));
    let found = if is_case && !word.is_empty() { parser.text().word() } else { usual.as_bytes() };
    let text = [b"#llvm.", mnemonic.as_bytes(), b"<", found, b">"].concat();
    let value = parse_attribute(parser.context(), &text)?;
    parser.set(op, name, value);
    Ok(())
}

/// The words of integer attributes that name cases of enums, each with a space behind it.
pub(super) fn words(printer: &mut OpPrinter<'_, '_>, names: &[&str]) -> Printed {
    let definition = printer.definition()?;
    for name in names {
        let attribute =
            definition.attributes().iter().find(|attribute| attribute.name == *name).ok_or(NotCustom::UseGeneric)?;
        let Some(value) = printer.get(name) else { continue };
        let AttributeData::Integer { value, .. } = &printer.context()[value] else { return Err(NotCustom::UseGeneric) };
        let cases = attribute.constraint.enumeration.as_ref().and_then(|name| printer.enumeration(name));
        let text = cases.and_then(|cases| cases.text_of(value.to_i64()?)).ok_or(NotCustom::UseGeneric)?;
        if !text.is_empty() {
            printer.text(text);
            printer.text(" ");
        }
    }
    Ok(())
}

/// The word for a case of the enum of an attribute, or its case 0.
pub(super) fn word<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, name: &str) {
    let definition = op.definition().clone();
    let attribute = definition.attributes().iter().find(|attribute| attribute.name == name);
    let enumeration = attribute.and_then(|attribute| attribute.constraint.enumeration.as_ref());
    let cases = enumeration.and_then(|name| parser.enumeration(name));
    let word = parser.text().peek_word();
    let case = cases.as_ref().and_then(|cases| {
        cases.cases.iter().find(|case| !case.text.is_empty() && case.text.as_bytes() == word).map(|case| case.value)
    });
    if case.is_some() {
        parser.text().word();
    }
    let value = parser.context().integer(64, case.unwrap_or(0));
    parser.set(op, name, value);
}

pub(super) fn print_comdat(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if let Some(comdat) = printer.get("comdat") {
        printer.text(" comdat(");
        printer.attribute(comdat)?;
        printer.text(")");
    }
    Ok(())
}

pub(super) fn parse_comdat<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<()> {
    if parser.text().eat_word(b"comdat") {
        parser.text().expect(b'(')?;
        let symbol = parser.text().attribute()?;
        parser.set(op, "comdat", symbol);
        parser.text().expect(b')')?;
    }
    Ok(())
}

/// `fastcc `, where it is not the usual convention.
pub(super) fn print_convention(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let text = case(printer, CONVENTION)?.ok_or(NotCustom::UseGeneric)?;
    if text != "ccc" {
        printer.text(text);
        printer.text(" ");
    }
    Ok(())
}

/// A calling convention, if one is next.
pub(super) fn parse_convention<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<()> {
    keyword(parser, op, CONVENTION, "ccc")
}

/// The dictionary of all attributes but these, sizes of segments and flags of which none is set.
pub(super) fn dictionary(printer: &mut OpPrinter<'_, '_>, elided: &[&str]) -> Printed {
    let flags = printer.get("fastmathFlags");
    let flags = flags.map(|flags| print_attribute(printer.context(), flags)).transpose()?;
    if flags.as_deref() == Some("#llvm.fastmath<none>") {
        printer.dictionary(&[elided, &["fastmathFlags"]].concat())
    } else {
        printer.dictionary(elided)
    }
}
