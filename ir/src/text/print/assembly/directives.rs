//! The directives of assembly formats that stand for code.

use super::format::{self, is_present, values};
use super::op::{OpPrinter, Printed, Stop};
use crate::attribute::{Attribute, AttributeData};
use crate::ods::Element;
use crate::text::assembly::program::Program;
use crate::types::DYNAMIC;

/// The directives that both sides know.
const KNOWN: &[&str] = &["DynamicIndexList"];

/// Whether both sides know the directive.
pub(in crate::text) fn is_known(name: &str) -> bool {
    KNOWN.contains(&name)
}

pub(super) fn print(printer: &mut OpPrinter<'_, '_>, program: &Program, name: &str, arguments: &[Element]) -> Printed {
    match name {
        "DynamicIndexList" => dynamic_index_list(printer, program, arguments),
        _ => Err(Stop::Unfit),
    }
}

/// The attribute that an argument stands for.
pub(super) fn attribute(printer: &OpPrinter<'_, '_>, program: &Program, argument: &Element) -> Printed<Option<Attribute>> {
    match argument {
        Element::Attribute(at) => Ok(printer.get(&program.details.attributes[*at as usize].name)),
        Element::Ref(of) | Element::Qualified(of) => attribute(printer, program, of),
        _ => Err(Stop::Unfit),
    }
}

/// `[1, %a, [4]]`: numbers, values where one is not known, brackets where one is scalable.
fn dynamic_index_list(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let values = values(printer, arguments.first().ok_or(Stop::Unfit)?)?;
    let numbers = attribute(printer, program, arguments.get(1).ok_or(Stop::Unfit)?)?;
    let numbers = match numbers {
        Some(numbers) => super::op::integers(printer.context(), numbers).ok_or(Stop::Unfit)?,
        None => Vec::new(),
    };
    let mut scalable = Vec::new();
    let mut typed = false;
    for argument in &arguments[2..] {
        match argument {
            Element::Type(_) => typed = true,
            Element::Attribute(_) | Element::Ref(_) => {
                if let Some(flags) = attribute(printer, program, argument)? {
                    scalable = super::op::integers(printer.context(), flags).ok_or(Stop::Unfit)?;
                }
            }
            _ => return Err(Stop::Unfit),
        }
    }
    index_list(printer, &numbers, &values, &scalable, typed)
}

pub(super) fn index_list(
    printer: &mut OpPrinter<'_, '_>,
    numbers: &[i64],
    values: &[crate::body::Value],
    scalable: &[i64],
    typed: bool,
) -> Printed {
    if numbers.iter().filter(|&&number| number == DYNAMIC).count() != values.len() {
        return Err(Stop::Unfit);
    }
    printer.text("[");
    let mut values = values.iter();
    for (at, &number) in numbers.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        let bracket = scalable.get(at).is_some_and(|&flag| flag != 0);
        if bracket {
            printer.text("[");
        }
        if number == DYNAMIC {
            let value = *values.next().ok_or(Stop::Unfit)?;
            printer.value(value);
            if typed {
                printer.text(" : ");
                printer.value_type(value)?;
            }
        } else {
            printer.number(number);
        }
        if bracket {
            printer.text("]");
        }
    }
    printer.text("]");
    Ok(())
}

#[allow(unused_imports)]
use {AttributeData as _, format as _, is_present as _};
