//! Attributes that text shows as words.

use crate::common::cases::{attribute_of, case_of};
use crate::llvm::{CConv, FastmathFlags, NAME};
use mlirbc_ir::ods::Enumeration;
use mlirbc_ir::{AttributeData, Result};
use mlirbc_text::{NotCustom, OpParser, OpPrinter, OpState, Printed};

/// The name of an attribute and its mnemonic.
type Word = (&'static str, &'static str);

pub(in crate::llvm) const LINKAGE: Word = ("linkage", "linkage");
pub(super) const CONVENTION: Word = ("CConv", "cconv");
pub(super) const TAIL_CALL: Word = ("TailCallKind", "tailcallkind");

/// The case that an attribute of this name holds.
pub(in crate::llvm) fn case<E: Enumeration>(printer: &OpPrinter<'_, '_>, (name, mnemonic): Word) -> Printed<Option<E>> {
    let Some(value) = printer.get(name) else { return Ok(None) };
    case_of(printer.context(), value, NAME, mnemonic).ok_or(NotCustom::UseGeneric).map(Some)
}

/// An attribute of this name: of the case that is next, or of this one.
pub(in crate::llvm) fn keyword<'a, E: Enumeration>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    (name, mnemonic): Word,
    usual: E,
) {
    let word = std::str::from_utf8(parser.text().peek_word()).unwrap_or_default();
    let case = E::from_text(word).filter(|_| !word.is_empty());
    if case.is_some() {
        parser.text().word();
    }
    let value = attribute_of(parser.context(), NAME, mnemonic, case.unwrap_or(usual));
    parser.set(op, name, value);
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
    let convention: CConv = case(printer, CONVENTION)?.ok_or(NotCustom::UseGeneric)?;
    if convention != CConv::C {
        printer.text(convention.name());
        printer.text(" ");
    }
    Ok(())
}

/// A calling convention, if one is next.
pub(super) fn parse_convention<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) {
    keyword(parser, op, CONVENTION, CConv::C);
}

/// The dictionary of all attributes but these, sizes of segments and flags of which none is set.
pub(super) fn dictionary(printer: &mut OpPrinter<'_, '_>, elided: &[&str]) -> Printed {
    let flags = printer.get("fastmathFlags");
    let flags = flags.and_then(|flags| case_of(printer.context(), flags, NAME, "fastmath"));
    if flags == Some(FastmathFlags::NONE) {
        printer.dictionary(&[elided, &["fastmathFlags"]].concat())
    } else {
        printer.dictionary(elided)
    }
}
