//! Operations whose definition has an assembly format.

use std::ops::Range;

use super::op::{NotCustom, OpPrinter, Printed, is_segments};
use crate::directive::DirectiveArguments;
use crate::format::program::{Program, Step};
use crate::format::written::{Written, can_be_stripped};
use crate::format::{dialect_type, has_implicit_terminator, is_keyword};
use mlirbc_ir::number::ApInt;
use mlirbc_ir::ods::{
    AttributeDef, Element, EnumCase, Multiplicity, NativeDef, NativeProperty, Syntax, Term, Traits, ValueDef,
};
use mlirbc_ir::text::split_symbol;
use mlirbc_ir::verify::{attribute_default, dialect_attribute};
use mlirbc_ir::{Attribute, AttributeData, Parameter, Value};

/// Prints what follows the operation's name.
pub(super) fn print(printer: &mut OpPrinter<'_, '_>, program: &Program) -> Printed {
    for (native, shown) in program.details.natives.iter().zip(&program.shown_natives) {
        // Nothing else shows it.
        if !shown && printer.get(&native.name).is_some_and(|value| !is_zero(printer, native, value)) {
            return Err(NotCustom::UseGeneric);
        }
    }
    steps(printer, program, 0, program.steps.len())?;
    printer.ends_its_operands()
}

fn steps(printer: &mut OpPrinter<'_, '_>, program: &Program, from: usize, to: usize) -> Printed {
    let mut at = from;
    while at < to {
        match &program.steps[at] {
            Step::Literal(text, space) => {
                if *space {
                    printer.text(" ");
                }
                printer.text(text);
            }
            Step::Space => printer.text(" "),
            Step::Newline => printer.new_line(),
            Step::Element(element, space) => {
                if *space {
                    printer.text(" ");
                }
                // Types that end the text must be some, or what follows is taken for one.
                if let Element::Type(of) = element
                    && !program.is_one(of)
                    && program.steps[at + 1..].iter().all(|step| matches!(step, Step::Dictionary { .. }))
                    && values(printer, of)?.is_empty()
                {
                    return Err(NotCustom::UseGeneric);
                }
                self::element(printer, program, element)?;
            }
            Step::Dictionary { keyword } => dictionary(printer, program, *keyword)?,
            Step::Optional { anchor, inverted, middle, end, sets } => {
                fits_if_set(printer, program, sets.as_ref())?;
                let (then, otherwise) = (at + 1..*middle - 1, *middle..*end);
                let is_taken = is_present(printer, program, anchor)? != *inverted;
                let (taken, skipped) = if is_taken { (then, otherwise) } else { (otherwise, then) };
                let could_go_on = matches!(
                    program.steps.get(skipped.start),
                    Some(Step::Element(Element::Operand(_) | Element::Operands, _)) if !skipped.is_empty()
                );
                loses_nothing(printer, program, skipped)?;
                if could_go_on {
                    printer.operands_could_follow();
                }
                steps(printer, program, taken.start, taken.end)?;
                at = *end;
                continue;
            }
            Step::Jump(_) => {}
            Step::Clauses { clauses, end } => {
                for clause in clauses {
                    if is_any_present(printer, program, &clause.holds)? {
                        fits_if_set(printer, program, clause.sets.as_ref())?;
                        steps(printer, program, clause.start, clause.end)?;
                    }
                }
                at = *end;
                continue;
            }
        }
        at += 1;
    }
    Ok(())
}

/// What its group alone stands for must be what a parser sets.
fn fits_if_set(printer: &OpPrinter<'_, '_>, program: &Program, sets: Option<&Element>) -> Printed {
    let Some(Element::Attribute(number)) = sets else { return Ok(()) };
    let (definition, form) = program.attribute(*number);
    let value = printer.get(&definition.name);
    if value.is_none_or(|value| form.fits(&printer.to.checker, value)) { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

/// Whether everything that only these steps would show is absent, or need not be said.
fn loses_nothing(printer: &mut OpPrinter<'_, '_>, program: &Program, skipped: Range<usize>) -> Printed {
    for step in &program.steps[skipped.clone()] {
        let Step::Element(element, _) = step else { continue };
        let shown = match element {
            Element::Custom { arguments, .. } => arguments.as_slice(),
            element => std::slice::from_ref(element),
        };
        for part in shown.iter().filter(|part| is_said_once(part)) {
            let mut others = program.steps.iter().enumerate().filter(|(at, _)| !skipped.contains(at));
            let shows = |step: &Step| match step {
                Step::Element(element, _) => shows(element, part),
                _ => false,
            };
            if is_present(printer, program, part)? && !others.any(|(_, step)| shows(step)) {
                return Err(NotCustom::UseGeneric);
            }
        }
    }
    Ok(())
}

/// Whether the element is what it says, and not something about it.
fn is_said_once(element: &Element) -> bool {
    matches!(
        element,
        Element::Operand(_) | Element::Region(_) | Element::Successor(_) | Element::Attribute(_) | Element::Native(_)
    )
}

/// Whether the element shows all of that part.
fn shows(element: &Element, part: &Element) -> bool {
    let all = match part {
        Element::Operand(_) => matches!(element, Element::Operands),
        Element::Region(_) => matches!(element, Element::Regions),
        Element::Successor(_) => matches!(element, Element::Successors),
        Element::Attribute(_) => {
            let mut found = false;
            element.walk(&mut |inner| found |= inner == part);
            found
        }
        _ => false,
    };
    let is_argument = || matches!(element, Element::Custom { arguments, .. } if arguments.contains(part));
    all || element == part || is_argument()
}

/// Whether there is something of one of the elements to be written. All are looked at, so that an error in any of them is one.
pub(super) fn is_any_present(
    printer: &mut OpPrinter<'_, '_>,
    program: &Program,
    elements: &[Element],
) -> Printed<bool> {
    let mut present = false;
    for element in elements {
        present |= is_present(printer, program, element)?;
    }
    Ok(present)
}

/// Whether there is something of the element to be written.
pub(super) fn is_present(printer: &mut OpPrinter<'_, '_>, program: &Program, element: &Element) -> Printed<bool> {
    Ok(match element {
        Element::Operand(at) => !printer.operands(*at as usize)?.is_empty(),
        Element::Result(at) => !printer.results(*at as usize)?.is_empty(),
        Element::Operands => !printer.op.operands().is_empty(),
        Element::Results => printer.op.results().len() > 0,
        Element::Region(at) => {
            let mut range = regions_of(printer, program, *at as usize);
            match range.next() {
                None => false,
                Some(_) if program.details.regions[*at as usize].variadic => true,
                Some(first) => !printer.is_empty_region(first)?,
            }
        }
        Element::Regions => printer.region_count() > 0,
        Element::Successor(at) => !successors_of(printer, program, *at as usize).is_empty(),
        Element::Successors => !printer.successors().is_empty(),
        Element::Type(of) | Element::Ref(of) | Element::Qualified(of) => is_present(printer, program, of)?,
        Element::FunctionalType(inputs, _) => is_present(printer, program, inputs)?,
        Element::Attribute(at) => {
            let attribute = &program.details.attributes[*at as usize];
            match printer.get(&attribute.name) {
                None => false,
                Some(value) => !is_default(printer, attribute, value),
            }
        }
        Element::Native(at) => {
            let native = &program.details.natives[*at as usize];
            match printer.get(&native.name) {
                None => false,
                Some(value) => !is_zero(printer, native, value),
            }
        }
        Element::Custom { arguments, .. } => is_any_present(printer, program, arguments)?,
        _ => false,
    })
}

/// Whether the attribute is what text need not say.
pub(super) fn is_default(printer: &mut OpPrinter<'_, '_>, definition: &AttributeDef, value: Attribute) -> bool {
    let Some(default) = &definition.default else { return false };
    if definition.constraint.storage == "UnitAttr" {
        return false;
    }
    let key = (value, std::ptr::from_ref(definition).addr());
    if let Some(&known) = printer.to.defaults.get(&key) {
        return known;
    }
    let found = !is_another(printer, definition, value) && equals(printer, definition, default, value);
    printer.to.defaults.insert(key, found);
    found
}

/// Whether an attribute is none of the dialect and mnemonic that its definition asks for. Where that names none, only what a parser
/// makes is the default.
fn is_another(printer: &OpPrinter<'_, '_>, definition: &AttributeDef, value: Attribute) -> bool {
    let (context, checker) = (printer.context(), &printer.to.checker);
    let storage = definition.constraint.storage.as_str();
    let only = if storage.contains("::") { checker.only_attribute_of(storage) } else { None };
    let asked = only.as_deref().map_or_else(|| dialect_attribute(storage), dialect_attribute);
    let Some((dialect, mnemonic)) = asked else {
        let is_of_dialect = matches!(context[value], AttributeData::Dialect(_) | AttributeData::Text { .. });
        return is_of_dialect && attribute_default(checker, definition) != Some(value);
    };
    let found = match &context[value] {
        AttributeData::Dialect(held) => Some((context.bytes(held.dialect), context.bytes(held.mnemonic))),
        AttributeData::Text { text, .. } => split_symbol(text).map(|(dialect, mnemonic, _)| (dialect, mnemonic)),
        _ => None,
    };
    found != Some((dialect.as_bytes(), mnemonic.as_bytes()))
}

/// Whether the attribute is what the term stands for as the default of a definition.
fn equals(printer: &OpPrinter<'_, '_>, definition: &AttributeDef, default: &Term, value: Attribute) -> bool {
    let data = &printer.context()[value];
    let storage = definition.constraint.storage.as_str();
    // Text that leaves the default out reads back as the usual spelling.
    if let AttributeData::Text { text, .. } = data
        && text.windows(2).any(|pair| matches!(pair, b"< " | b" >" | b"  "))
    {
        return false;
    }
    let integer = |wanted: i64| match data {
        AttributeData::Integer { value, .. } => value.to_i64() == Some(wanted) || value.to_u64() == Some(wanted as u64),
        _ => printer.to.checker.attribute_value(value) == Some(i128::from(wanted)),
    };
    match default {
        Term::Integer(wanted) => integer(*wanted),
        Term::Bool(wanted) => match data {
            AttributeData::Integer { value, .. } => *value == ApInt::from_u64(1, u64::from(*wanted)),
            _ => false,
        },
        Term::Text(wanted) => matches!(data, AttributeData::String { value, .. } if **value == *wanted.as_bytes()),
        Term::Enumerant { enumeration, case } => {
            let cases = printer.to.checker.enumeration(enumeration);
            let is_written = |case: &EnumCase| match data {
                // Its definition may not say that it holds a case.
                AttributeData::Text { text, .. } => split_symbol(text).is_some_and(|(.., rest)| {
                    rest.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")) == Some(case.text.as_bytes())
                }),
                _ => false,
            };
            let case = cases.as_ref().and_then(|cases| cases.case(case));
            case.is_some_and(|case| integer(case.value) || is_written(case))
        }
        Term::List(wanted) => match data {
            // An empty list may stand for an attribute that is no list.
            AttributeData::Array(items) => wanted.is_empty() && items.is_empty() && storage == "ArrayAttr",
            AttributeData::Dictionary(items) => wanted.is_empty() && items.is_empty() && storage == "DictionaryAttr",
            AttributeData::Dialect(held) => {
                let is_empty = |parameter: &Parameter| match parameter {
                    Parameter::None => true,
                    Parameter::List(items) => items.is_empty(),
                    _ => false,
                };
                wanted.is_empty()
                    && (held.parameters.iter().all(is_empty) || printer.to.checker.attribute_value(value) == Some(0))
            }
            AttributeData::Text { text, .. } => {
                let rest = split_symbol(text).map(|(.., rest)| rest);
                wanted.is_empty()
                    && (rest == Some(b"".as_slice()) || printer.to.checker.attribute_value(value) == Some(0))
            }
            AttributeData::DenseArray { .. } => {
                let items = super::op::integers(printer.context(), value).unwrap_or_default();
                let same = |(wanted, item): (&Term, &i64)| match wanted {
                    Term::Integer(wanted) => wanted == item,
                    Term::Bool(wanted) => i64::from(*wanted) == *item,
                    _ => false,
                };
                items.len() == wanted.len() && wanted.iter().zip(&items).all(same)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a property is what text need not say.
fn is_zero(printer: &OpPrinter<'_, '_>, definition: &NativeDef, value: Attribute) -> bool {
    match &printer.context()[value] {
        AttributeData::Integer { value, .. } => {
            let wanted = match &definition.default {
                Some(Term::Integer(wanted)) => *wanted,
                Some(Term::Bool(wanted)) => i64::from(*wanted),
                Some(Term::Enumerant { enumeration, case }) => {
                    let cases = printer.to.checker.enumeration(enumeration);
                    cases.as_ref().and_then(|cases| cases.case(case)).map_or(0, |case| case.value)
                }
                _ => 0,
            };
            definition.default.is_some() && value.to_i64() == Some(wanted)
                || value.to_u64() == Some(0) && definition.default.is_none()
        }
        AttributeData::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// The regions that the definition's region of that number stands for.
pub(crate) fn regions_of(printer: &OpPrinter<'_, '_>, program: &Program, number: usize) -> std::ops::Range<usize> {
    let count = printer.region_count();
    match program.details.regions.get(number) {
        Some(region) if region.variadic => number.min(count)..count,
        _ => number.min(count)..(number + 1).min(count),
    }
}

fn successors_of(printer: &OpPrinter<'_, '_>, program: &Program, number: usize) -> std::ops::Range<usize> {
    let count = printer.successors().len();
    match program.details.successors.get(number) {
        Some(successor) if successor.variadic => number.min(count)..count,
        _ => number.min(count)..(number + 1).min(count),
    }
}

fn dictionary(printer: &mut OpPrinter<'_, '_>, program: &Program, keyword: bool) -> Printed {
    let all = printer.all_attributes();
    let mut elided: Vec<&[u8]> = Vec::new();
    for (attribute, shown) in program.details.attributes.iter().zip(&program.shown) {
        let value = printer.get(&attribute.name);
        if *shown || value.is_some_and(|value| elides_default(printer, attribute, value)) {
            elided.push(attribute.name.as_bytes());
        }
    }
    for operand in &program.details.operands {
        if let Multiplicity::Groups(segments) = &operand.multiplicity {
            elided.push(segments.as_bytes());
        }
    }
    let segments = printer.has_segments();
    printer.dictionary_of(&all, &|name| elided.contains(&name) || segments && is_segments(name), keyword)
}

/// Whether the dictionary leaves the attribute out, since it is the default.
fn elides_default(printer: &mut OpPrinter<'_, '_>, definition: &AttributeDef, value: Attribute) -> bool {
    definition.default.is_some() && is_default(printer, definition, value)
}

fn element(printer: &mut OpPrinter<'_, '_>, program: &Program, element: &Element) -> Printed {
    match element {
        Element::Operand(at) => {
            let values = printer.operands(*at as usize)?;
            match &program.details.operands[*at as usize].multiplicity {
                Multiplicity::Groups(segments) => {
                    let groups = printer.groups(values, segments)?;
                    for (at, group) in groups.into_iter().enumerate() {
                        printer.text(if at > 0 { ", (" } else { "(" });
                        printer.values(group);
                        printer.text(")");
                    }
                }
                _ => printer.values(values),
            }
            if values.is_empty() {
                printer.operands_could_follow();
            }
        }
        Element::Operands => {
            let values = printer.op.operands();
            printer.values(values);
            if values.is_empty() {
                printer.operands_could_follow();
            }
        }
        Element::Attribute(at) => attribute(printer, program, *at, false)?,
        Element::Native(at) => native(printer, &program.details.natives[*at as usize])?,
        Element::Region(_) | Element::Regions => {
            let range = match element {
                Element::Region(at) => regions_of(printer, program, *at as usize),
                _ => 0..printer.region_count(),
            };
            for (at, number) in range.enumerate() {
                if at > 0 {
                    printer.text(", ");
                }
                let implicit = has_implicit_terminator(program.definition.traits);
                let terminator = !implicit || printer.shows_terminator(number)?;
                // A parser makes the block that text does not show only where nothing else can be meant.
                let block = program.definition.traits.contains(Traits::SINGLE_BLOCK)
                    && program.definition.traits.contains(Traits::NO_TERMINATOR);
                let made = implicit || block;
                if made && printer.is_empty_region(number)? || !made && printer.is_empty_block(number)? {
                    return Err(NotCustom::UseGeneric);
                }
                printer.region(number, true, terminator);
            }
        }
        Element::Successor(_) | Element::Successors => {
            let range = match element {
                Element::Successor(at) => successors_of(printer, program, *at as usize),
                _ => 0..printer.successors().len(),
            };
            let blocks = &printer.successors()[range];
            for (at, &block) in blocks.iter().enumerate() {
                if at > 0 {
                    printer.text(", ");
                }
                printer.block(block);
            }
        }
        Element::Type(of) => types(printer, program, of, false)?,
        Element::FunctionalType(inputs, results) => {
            let inputs = values(printer, inputs)?;
            let results = values(printer, results)?;
            printer.functional(&inputs, &results)?;
        }
        Element::Qualified(of) => match &**of {
            Element::Attribute(at) => attribute(printer, program, *at, true)?,
            Element::Type(of) => types(printer, program, of, true)?,
            other => self::element(printer, program, other)?,
        },
        Element::Custom { name, arguments } => {
            let directive = program.directive(name).ok_or(NotCustom::UseGeneric)?;
            (directive.print)(printer, DirectiveArguments { program, arguments })?;
        }
        _ => return Err(NotCustom::UseGeneric),
    }
    Ok(())
}

/// The values that an element stands for.
pub(crate) fn values(printer: &mut OpPrinter<'_, '_>, element: &Element) -> Printed<Vec<Value>> {
    Ok(match element {
        Element::Operand(at) => printer.operands(*at as usize)?.to_vec(),
        Element::Result(at) => printer.results(*at as usize)?,
        Element::Operands => printer.op.operands().to_vec(),
        Element::Results => printer.op.results().collect(),
        Element::Type(of) | Element::Ref(of) | Element::Qualified(of) => values(printer, of)?,
        _ => return Err(NotCustom::UseGeneric),
    })
}

fn types(printer: &mut OpPrinter<'_, '_>, program: &Program, of: &Element, qualified: bool) -> Printed {
    let (of, qualified) = match of {
        Element::Qualified(of) => (&**of, true),
        of => (of, qualified),
    };
    let values = values(printer, of)?;
    let definition = match of {
        Element::Operand(at) => Some(&program.details.operands[*at as usize]),
        Element::Result(at) => Some(&program.details.results[*at as usize]),
        _ => None,
    };
    if let Some(ValueDef { multiplicity: Multiplicity::Groups(segments), .. }) = definition {
        for (at, group) in printer.groups(&values, segments)?.into_iter().enumerate() {
            printer.text(if at > 0 { ", (" } else { "(" });
            printer.value_types(group)?;
            printer.text(")");
        }
        return Ok(());
    }
    if let (Some(definition), [one], false) = (definition, values.as_slice(), qualified)
        && definition.multiplicity == Multiplicity::One
        && let Some(name) = stripped_type(printer, definition)
    {
        return stripped(printer, *one, &name);
    }
    printer.value_types(&values)
}

/// The type of a dialect that the constraint names, whose prefix text leaves out.
pub(super) fn stripped_type(printer: &OpPrinter<'_, '_>, definition: &ValueDef) -> Option<String> {
    let name = dialect_type(&definition.constraint.predicate)?;
    let found = printer.to.checker.type_definition(name)?;
    (!matches!(found.syntax, Syntax::Generic) && !found.parameters.is_empty()).then(|| name.to_owned())
}

fn stripped(printer: &mut OpPrinter<'_, '_>, value: Value, name: &str) -> Printed {
    let start = printer.out().len();
    printer.value_type(value)?;
    let out = printer.to.print.buffer();
    if let Some((dialect, mnemonic, rest)) = mlirbc_ir::text::split_symbol(&out[start..])
        && out[start] == b'!'
        && name.as_bytes() == [dialect, b".", mnemonic].concat()
        && !rest.is_empty()
    {
        let rest = rest.to_vec();
        out.truncate(start);
        out.extend_from_slice(&rest);
    }
    Ok(())
}

fn attribute(printer: &mut OpPrinter<'_, '_>, program: &Program, number: u32, qualified: bool) -> Printed {
    let (definition, form) = program.attribute(number);
    let value = printer.need(&definition.name)?;
    if qualified {
        return printer.attribute(value);
    }
    if !form.fits(&printer.to.checker, value) {
        return Err(NotCustom::UseGeneric);
    }
    match (&form.written, &printer.context()[value]) {
        (Written::Case { enumeration, .. }, AttributeData::Integer { value, .. }) => {
            let cases = printer.to.checker.enumeration(enumeration).ok_or(NotCustom::UseGeneric)?;
            let value = value.to_i64().ok_or(NotCustom::UseGeneric)?;
            let text = cases.text_of(value).ok_or(NotCustom::UseGeneric)?;
            let quote = if is_keyword(&cases, value) { "" } else { "\"" };
            [quote, &text, quote].into_iter().for_each(|part| printer.text(part));
            Ok(())
        }
        (Written::Symbol, AttributeData::String { value, .. }) => {
            printer.symbol(value);
            Ok(())
        }
        (Written::List(_), _) => printer.list(value),
        (Written::Untyped(_) | Written::String, _) => printer.bare(value),
        (Written::Stripped { dialect, mnemonic }, data)
            if can_be_stripped(&printer.to.checker, data, dialect, mnemonic) =>
        {
            printer.stripped(value)
        }
        _ => printer.attribute(value),
    }
}

fn native(printer: &mut OpPrinter<'_, '_>, definition: &NativeDef) -> Printed {
    let value = printer.need(&definition.name)?;
    let data = &printer.context()[value];
    match (&definition.native, &definition.enumeration, data) {
        (_, Some(enumeration), AttributeData::Integer { value, .. }) => {
            let cases = printer.to.checker.enumeration(enumeration).ok_or(NotCustom::UseGeneric)?;
            let text = cases.text_of(value.to_i64().ok_or(NotCustom::UseGeneric)?).ok_or(NotCustom::UseGeneric)?;
            if let Some(keyword) = &definition.keyword {
                printer.text(keyword);
                printer.text("<");
                printer.text(text);
                printer.text(">");
            } else {
                printer.text(text);
            }
        }
        (Some(NativeProperty::Bool | NativeProperty::Boolean), _, AttributeData::Integer { value, .. }) => {
            printer.text(if value.to_u64() == Some(0) { "false" } else { "true" });
        }
        (Some(NativeProperty::Integer { .. }), _, AttributeData::Integer { value, .. }) => {
            printer.number(value.to_i64().ok_or(NotCustom::UseGeneric)?);
        }
        (Some(NativeProperty::OptionalOf(_)), _, AttributeData::Array(items)) => {
            if let Some(&item) = items.first() {
                let AttributeData::Integer { value, .. } = &printer.context()[item] else {
                    return Err(NotCustom::UseGeneric);
                };
                printer.number(value.to_i64().ok_or(NotCustom::UseGeneric)?);
            }
        }
        (Some(NativeProperty::String), _, AttributeData::String { value, .. }) => printer.quoted(value),
        _ => return Err(NotCustom::UseGeneric),
    }
    Ok(())
}
