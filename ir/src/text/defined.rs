//! The text of types that a dialect's definitions describe in full: what stands in brackets is their parameters, in order, with commas
//! between. `!emitc.ptr<i32>` is a value with a parameter, though the dialect brings no text for it.

use hashbrown::HashMap;

use super::{DialectPrinter, Elision, Parser};
use crate::dialect::Dialect;
use crate::ods::{AttrOrTypeDef, Element, ParameterKind, Syntax, Term};
use crate::parameter::{DialectValue, Parameter};

/// The definition of the type of that mnemonic, where its format is of this kind.
pub(super) fn definition<'d>(dialect: &'d Dialect, mnemonic: &[u8]) -> Option<&'d AttrOrTypeDef> {
    dialect.defined_types(all).get(std::str::from_utf8(mnemonic).ok()?)
}

/// All of a dialect, by mnemonic. What has no parameters is none.
fn all(dialect: &Dialect) -> HashMap<Box<str>, AttrOrTypeDef> {
    let mut all = HashMap::new();
    for definition in dialect.tables().iter().flat_map(|table| table.type_definitions()) {
        if let Some((of, mnemonic)) = definition.name.split_once('.')
            && of == dialect.name()
            && is_in_order(&definition)
        {
            let mnemonic = mnemonic.into();
            all.entry(mnemonic).or_insert(definition);
        }
    }
    all
}

fn is_in_order(definition: &AttrOrTypeDef) -> bool {
    let Syntax::Format(format) = &definition.syntax else { return false };
    let mut next = 0;
    shows_next(&format.elements, definition, &mut next)
        && next > 0
        && next == definition.parameters.len()
        && matches!(format.elements.iter().find_map(first_literal), Some("<"))
}

fn first_literal(element: &Element) -> Option<&str> {
    match element {
        Element::Literal(text) => Some(text),
        Element::Optional { then, .. } => then.first().and_then(first_literal),
        Element::Space | Element::NoSpace => None,
        _ => Some(""),
    }
}

/// Whether elements show parameters from the `next` on, each of a kind that has one text.
fn shows_next(elements: &[Element], definition: &AttrOrTypeDef, next: &mut usize) -> bool {
    elements.iter().all(|element| match element {
        Element::Literal(text) => matches!(text.as_str(), "<" | ">" | ","),
        Element::Space | Element::NoSpace => true,
        Element::Parameter(_) | Element::Qualified(_) => {
            let is_next = place(element) == Some(*next);
            *next += 1;
            is_next
                && definition.parameters.get(*next - 1).is_some_and(|known| match &known.kind {
                    // Without being qualified, what is of a class may leave out its name.
                    ParameterKind::Type(class) | ParameterKind::Attribute(class) => {
                        class.is_empty() || matches!(element, Element::Qualified(_))
                    }
                    ParameterKind::Integer { width, .. } => *width <= 64,
                    ParameterKind::Bool | ParameterKind::String => true,
                    _ => false,
                })
        }
        // A group of one parameter, which has a value where it is not there.
        Element::Optional { then, otherwise, anchor } => {
            let (at, first) = (*next, then.first());
            let decides = then.get(anchor.position as usize).and_then(place);
            otherwise.is_empty()
                && !anchor.in_otherwise
                && matches!(first, Some(Element::Literal(_)))
                && decides == Some(at)
                && shows_next(then, definition, next)
                && *next == at + 1
                && default(definition, at).is_some()
        }
        _ => false,
    })
}

/// Which parameter an element shows.
fn place(element: &Element) -> Option<usize> {
    match element {
        Element::Parameter(at) => Some(*at as usize),
        Element::Qualified(of) => place(of),
        _ => None,
    }
}

/// What a parameter is where it is not given.
fn default(definition: &AttrOrTypeDef, at: usize) -> Option<Parameter> {
    let parameter = definition.parameters.get(at)?;
    let default = match (&parameter.kind, parameter.default.as_ref()?) {
        (ParameterKind::Integer { signed: true, .. }, Term::Integer(value)) => Parameter::Signed(*value),
        (ParameterKind::Integer { .. }, Term::Integer(value)) => Parameter::Unsigned(u64::try_from(*value).ok()?),
        (ParameterKind::Bool, Term::Bool(value)) => Parameter::Bool(*value),
        (ParameterKind::String, Term::Text(text)) => Parameter::String(text.as_bytes().into()),
        _ => return None,
    };
    holds(&parameter.kind, &default).then_some(default)
}

fn holds(kind: &ParameterKind, parameter: &Parameter) -> bool {
    match (kind, parameter) {
        (&ParameterKind::Integer { width, signed: true }, Parameter::Signed(value)) => {
            width >= 64 || value >> width.saturating_sub(1) == value >> 63
        }
        (&ParameterKind::Integer { width, signed: false }, Parameter::Unsigned(value)) => {
            width >= 64 || value >> width == 0
        }
        (ParameterKind::Bool, Parameter::Bool(_))
        | (ParameterKind::String, Parameter::String(_))
        | (ParameterKind::Type(_), Parameter::Type(_))
        | (ParameterKind::Attribute(_), Parameter::Attribute(_)) => true,
        _ => false,
    }
}

/// Parses what stands behind the mnemonic. `None` where it is written in another way.
pub(super) fn parse(definition: &AttrOrTypeDef, parser: &mut Parser<'_>) -> Option<Box<[Parameter]>> {
    let Syntax::Format(format) = &definition.syntax else { return None };
    let mut parameters = Vec::with_capacity(definition.parameters.len());
    parse_elements(&format.elements, definition, parser, &mut parameters)?;
    Some(parameters.into())
}

fn parse_elements(
    elements: &[Element],
    definition: &AttrOrTypeDef,
    parser: &mut Parser<'_>,
    parameters: &mut Vec<Parameter>,
) -> Option<()> {
    for element in elements {
        match element {
            Element::Literal(text) => literal(text, parameters, parser).then_some(())?,
            Element::Parameter(_) | Element::Qualified(_) => {
                let kind = &definition.parameters.get(parameters.len())?.kind;
                parameters.push(parse_parameter(kind, parser).filter(|parameter| holds(kind, parameter))?);
            }
            Element::Optional { then, .. } => match then.split_first() {
                Some((Element::Literal(text), rest)) if literal(text, parameters, parser) => {
                    parse_elements(rest, definition, parser, parameters)?;
                }
                _ => parameters.push(default(definition, parameters.len())?),
            },
            _ => {}
        }
    }
    Some(())
}

/// Takes a literal. The bracket that opens stands directly behind the mnemonic.
fn literal(text: &str, parameters: &[Parameter], parser: &mut Parser<'_>) -> bool {
    match text.as_bytes() {
        [b'<'] if parameters.is_empty() => parser.eat_next(b'<'),
        [byte] => parser.eat(*byte),
        _ => false,
    }
}

fn parse_parameter(kind: &ParameterKind, parser: &mut Parser<'_>) -> Option<Parameter> {
    match kind {
        ParameterKind::Integer { signed: true, .. } => parser.signed().map(Parameter::Signed),
        ParameterKind::Integer { .. } => parser.unsigned().map(Parameter::Unsigned),
        ParameterKind::Bool => match parser.word() {
            b"true" => Some(Parameter::Bool(true)),
            b"false" => Some(Parameter::Bool(false)),
            _ => None,
        },
        ParameterKind::String => parser.string().ok().map(|text| Parameter::String(text.as_ref().into())),
        ParameterKind::Type(_) => parser.ty().ok().map(Parameter::Type),
        ParameterKind::Attribute(_) => parser.attribute().ok().map(Parameter::Attribute),
        _ => None,
    }
}

/// Prints what stands behind the mnemonic. False, with nothing printed, where the parameters are others.
pub(super) fn print(definition: &AttrOrTypeDef, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
    let Syntax::Format(format) = &definition.syntax else { return false };
    if !are_parameters(definition, &value.parameters) {
        return false;
    }
    print_elements(&format.elements, definition, &value.parameters, printer);
    true
}

/// Whether a type of the definition may have these.
fn are_parameters(definition: &AttrOrTypeDef, parameters: &[Parameter]) -> bool {
    let pairs = definition.parameters.iter().zip(parameters);
    definition.parameters.len() == parameters.len() && { pairs }.all(|(known, parameter)| holds(&known.kind, parameter))
}

fn print_elements(
    elements: &[Element],
    definition: &AttrOrTypeDef,
    parameters: &[Parameter],
    printer: &mut DialectPrinter<'_>,
) {
    for element in elements {
        match element {
            Element::Literal(text) => {
                printer.text(if text == "," { ", " } else { text.as_str() });
            }
            Element::Parameter(_) | Element::Qualified(_) => {
                if let Some(parameter) = place(element).and_then(|at| parameters.get(at)) {
                    print_parameter(parameter, printer);
                }
            }
            Element::Optional { then, .. } => {
                let is_default = |at: usize| default(definition, at).as_ref() == parameters.get(at);
                if !then.iter().find_map(place).is_some_and(is_default) {
                    print_elements(then, definition, parameters, printer);
                }
            }
            _ => {}
        }
    }
}

fn print_parameter(parameter: &Parameter, printer: &mut DialectPrinter<'_>) {
    match parameter {
        Parameter::Bool(value) => printer.text(value.to_string()),
        Parameter::Unsigned(value) => printer.text(value.to_string()),
        Parameter::Signed(value) => printer.text(value.to_string()),
        Parameter::String(value) => printer.string(value),
        Parameter::Type(ty) => printer.ty(*ty),
        Parameter::Attribute(attribute) => printer.attribute(*attribute, Elision::Never),
        // No kind that is taken holds these.
        Parameter::None | Parameter::Double(_) | Parameter::List(_) => printer,
    };
}
