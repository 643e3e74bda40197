//! Whether what an assembly format writes can be read again: the rules by which `mlir-tblgen` refuses a format.

mod adjacent;
mod ambiguous;
mod types;

use super::constraint::{Multiplicity, ValueDef};
use super::definition::{OpDef, OpDetails};
use super::format::{Anchor, Element, Format};
use crate::error::{Error, Result};
use types::Types;

/// Who must be able to read what the format writes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Reader {
    /// Some parser that TableGen makes: types may follow from code that the definition names.
    TableGen,
    /// The parser of this crate, which knows no code.
    Own,
    /// The same with a dialect's code that finds the types of results.
    Dialect,
}

impl Reader {
    fn is_own(self) -> bool {
        self != Reader::TableGen
    }
}

/// Checks that the format binds each operand, region and successor of the operation once, and that each type is in it or
/// follows from one that is.
///
/// # Errors
/// [`ErrorKind::Malformed`](crate::ErrorKind::Malformed), which says what is missing, comes twice or stands where it cannot.
pub(crate) fn check(format: &Format, op: &OpDef, details: &OpDetails, reader: Reader) -> Result<()> {
    let mut bound = Bound::new(details, reader);
    bound.list(&format.elements, Place::default())?;
    bound.complete()?;
    adjacent::check(&format.elements, details, reader)?;
    if reader.is_own() {
        ambiguous::check(&format.elements, op, details)?;
    }
    bound.types.check(op, reader, bound.operands.all)
}

fn wrong(message: impl Into<String>) -> Error {
    Error::malformed(message)
}

/// What an element stands in.
#[derive(Clone, Copy, Default)]
struct Place {
    /// A group that may be left out.
    group: bool,
    /// A clause of a list of clauses.
    clause: bool,
    /// The arguments of a directive.
    argument: bool,
}

/// What of a definition a format binds: shows, so that a parser gets it from there.
struct Bound<'d> {
    details: &'d OpDetails,
    reader: Reader,
    operands: Bindings,
    attributes: Bindings,
    natives: Bindings,
    regions: Bindings,
    successors: Bindings,
    types: Types<'d>,
    dictionary: bool,
    properties: bool,
}

/// Which of a kind are bound.
struct Bindings {
    each: Vec<bool>,
    /// Whether one directive binds all, though there may be none.
    all: bool,
}

impl Bindings {
    fn new(count: usize) -> Self {
        Bindings { each: vec![false; count], all: false }
    }

    /// Binds one, which must not have been bound before.
    fn bind(&mut self, at: usize, what: &str, name: &str) -> Result<()> {
        once(&mut self.each[at], || format!("{what} `{name}`"))
    }

    /// Binds all of them.
    fn bind_all(&mut self, what: &str) -> Result<()> {
        once(&mut self.all, || format!("`{what}`"))?;
        self.each.iter_mut().try_for_each(|bound| once(bound, || format!("one of the {what}")))
    }

    fn are_bound(&self) -> bool {
        self.each.iter().all(|bound| *bound)
    }
}

fn once(bound: &mut bool, what: impl FnOnce() -> String) -> Result<()> {
    match std::mem::replace(bound, true) {
        false => Ok(()),
        true => Err(wrong(format!("{} comes twice", what()))),
    }
}

/// Whether it is one of several or may be absent.
fn varies(value: &ValueDef) -> bool {
    value.multiplicity != Multiplicity::One
}

impl<'d> Bound<'d> {
    fn new(details: &'d OpDetails, reader: Reader) -> Self {
        Bound {
            reader,
            operands: Bindings::new(details.operands.len()),
            attributes: Bindings::new(details.attributes.len()),
            natives: Bindings::new(details.natives.len()),
            regions: Bindings::new(details.regions.len()),
            successors: Bindings::new(details.successors.len()),
            types: Types::new(details),
            dictionary: false,
            properties: false,
            details,
        }
    }

    fn list(&mut self, elements: &[Element], place: Place) -> Result<()> {
        elements.iter().try_for_each(|element| self.element(element, place))
    }

    fn element(&mut self, element: &Element, place: Place) -> Result<()> {
        let details = self.details;
        if place.group && !place.argument && !fits_group(element) {
            return Err(wrong(
                "a group that may be left out holds literals, variables, types and directives of its own",
            ));
        }
        match element {
            Element::Literal(_) | Element::Space | Element::NoSpace | Element::Newline if place.argument => {
                Err(wrong("a literal is no argument of a directive"))
            }
            Element::Literal(text) if !is_literal(text) => {
                Err(wrong(format!("`{text}` is no keyword and none of the punctuation that a format may have")))
            }
            Element::Literal(_) | Element::Space | Element::NoSpace | Element::Newline => Ok(()),
            Element::Text(_) if place.argument => Ok(()),
            Element::Text(_) => Err(wrong("a string is only an argument of a directive")),
            Element::Operand(at) => {
                let operand = &details.operands[*at as usize];
                self.may_be_absent(operand, "operand", place)?;
                self.operands.bind(*at as usize, "operand", &operand.name)
            }
            Element::Attribute(at) => {
                let attribute = &details.attributes[*at as usize];
                if place.clause && !attribute.optional && attribute.default.is_none() {
                    return Err(wrong(format!(
                        "attribute `{}` is always there, but its clause is not",
                        attribute.name
                    )));
                }
                self.attributes.bind(*at as usize, "attribute", &attribute.name)
            }
            Element::Native(at) => self.natives.bind(*at as usize, "property", &details.natives[*at as usize].name),
            Element::Region(at) => self.regions.bind(*at as usize, "region", &details.regions[*at as usize].name),
            Element::Successor(_) if place.clause => Err(wrong("a clause holds no successors")),
            Element::Successor(at) => {
                self.successors.bind(*at as usize, "successor", &details.successors[*at as usize].name)
            }
            Element::Operands => self.operands.bind_all("operands"),
            Element::Regions => self.regions.bind_all("regions"),
            Element::Successors => self.successors.bind_all("successors"),
            Element::Result(_) | Element::Results => Err(wrong("of results only the types can be written")),
            Element::AttrDict | Element::AttrDictWithKeyword if place.clause && self.reader.is_own() => {
                Err(wrong("`attr-dict` must always be written, but a clause is not"))
            }
            Element::AttrDict | Element::AttrDictWithKeyword => once(&mut self.dictionary, || "`attr-dict`".into()),
            Element::PropDict => once(&mut self.properties, || "`prop-dict`".into()),
            Element::Type(of) => self.ty(of, place),
            Element::FunctionalType(..) if place.argument => {
                Err(wrong("`functional-type` is no argument of a directive"))
            }
            Element::FunctionalType(inputs, results) => {
                self.ty(inputs, place)?;
                self.ty(results, place)
            }
            Element::Ref(of) if place.argument => self.is_bound(of),
            Element::Ref(_) => Err(wrong("`ref` is only for the arguments of a directive")),
            Element::Qualified(of) if matches!(**of, Element::Attribute(_) | Element::Type(_)) => {
                self.element(of, place)
            }
            Element::Qualified(_) => Err(wrong("only attributes and types can be `qualified`")),
            Element::Custom { .. } | Element::Optional { .. } | Element::Clauses(_) if place.argument => {
                Err(wrong("directives and groups do not stand among the arguments of a directive"))
            }
            Element::Custom { arguments, .. } => self.list(arguments, Place { argument: true, ..place }),
            Element::Optional { then, otherwise, anchor } => {
                self.group(then, otherwise, *anchor)?;
                let place = Place { group: true, ..place };
                self.list(then, place)?;
                self.list(otherwise, place)
            }
            Element::Clauses(clauses) => self.clauses(clauses, place),
            Element::Parameter(_) | Element::Parameters | Element::Struct(_) => {
                Err(wrong("operations have no parameters"))
            }
        }
    }

    /// Where something may be left out, what it shows must be able to be absent.
    fn may_be_absent(&self, value: &ValueDef, what: &str, place: Place) -> Result<()> {
        if varies(value) || !place.clause && (!place.group || place.argument) {
            return Ok(());
        }
        let place = if place.clause { "clause" } else { "group" };
        Err(wrong(format!("{what} `{}` is always there, but its {place} is not", value.name)))
    }

    /// Binds the types of what an element stands for.
    fn ty(&mut self, of: &Element, place: Place) -> Result<()> {
        let details = self.details;
        match of {
            Element::Operand(at) => {
                self.may_be_absent(&details.operands[*at as usize], "operand", place)?;
                self.types.operand(*at as usize)
            }
            Element::Result(at) => {
                self.may_be_absent(&details.results[*at as usize], "result", place)?;
                self.types.result(*at as usize)
            }
            Element::Operands | Element::Results if place.argument || place.group => {
                Err(wrong("in a group and as an argument, types are those of one operand or result"))
            }
            Element::Operands => self.types.operands(),
            Element::Results => self.types.results(),
            _ => Err(wrong("only operands and results have types")),
        }
    }

    /// What is referred to must have been read before.
    fn is_bound(&self, of: &Element) -> Result<()> {
        let found = match of {
            Element::Operand(at) => self.operands.each[*at as usize],
            Element::Attribute(at) => self.attributes.each[*at as usize],
            Element::Native(at) => self.natives.each[*at as usize],
            Element::Region(at) => self.regions.each[*at as usize],
            Element::Successor(at) => self.successors.each[*at as usize],
            Element::Type(of) => self.types.is_bound(of),
            Element::Operands => self.operands.are_bound(),
            Element::Regions => self.regions.are_bound(),
            Element::Successors => self.successors.are_bound(),
            Element::AttrDict | Element::AttrDictWithKeyword => self.dictionary,
            _ => false,
        };
        if found { Ok(()) } else { Err(wrong("`ref` is of something that does not stand before it")) }
    }

    /// A group must say by its first element whether it is there, and its anchor must be able to be absent.
    fn group(&self, then: &[Element], otherwise: &[Element], anchor: Anchor) -> Result<()> {
        let first = then.iter().find(|element| !is_space(element));
        let begins = match first {
            Some(Element::Qualified(of)) => matches!(**of, Element::Attribute(_)),
            Some(
                Element::Literal(_)
                | Element::Operand(_)
                | Element::Attribute(_)
                | Element::Native(_)
                | Element::Region(_)
                | Element::Custom { .. },
            ) => true,
            _ => false,
        };
        if !begins {
            return Err(wrong("a group that may be left out must begin with a literal, a variable or a directive"));
        }
        let list = if anchor.in_otherwise { otherwise } else { then };
        list.get(anchor.position as usize).map_or(Ok(()), |element| self.anchor(element))
    }

    /// What decides whether a group is written must be able to be absent.
    fn anchor(&self, element: &Element) -> Result<()> {
        let details = self.details;
        let value = |value: &ValueDef| (varies(value), value.name.clone());
        let (may_be_absent, name) = match element {
            Element::Operand(at) => value(&details.operands[*at as usize]),
            Element::Result(at) => value(&details.results[*at as usize]),
            Element::Attribute(at) => {
                let attribute = &details.attributes[*at as usize];
                (attribute.optional || attribute.default.is_some(), attribute.name.clone())
            }
            Element::Native(at) => {
                let native = &details.natives[*at as usize];
                (native.default.is_some(), native.name.clone())
            }
            // A region is absent where it has no blocks.
            Element::Region(_) => return Ok(()),
            Element::Type(of) | Element::Qualified(of) => return self.anchor(of),
            Element::FunctionalType(inputs, results) => {
                self.anchor(inputs)?;
                return self.anchor(results);
            }
            Element::Custom { arguments, .. } => {
                let mut arguments = arguments.iter().filter(|argument| !matches!(argument, Element::Ref(_)));
                return arguments.try_for_each(|argument| self.anchor(argument));
            }
            _ => return Err(wrong("only what may be absent can be the anchor of a group")),
        };
        match may_be_absent {
            true => Ok(()),
            false => Err(wrong(format!("`{name}` is always there, and cannot be the anchor of a group"))),
        }
    }

    fn clauses(&mut self, clauses: &[Vec<Element>], place: Place) -> Result<()> {
        let mut keywords: Vec<&str> = Vec::new();
        for clause in clauses {
            let Some(Element::Literal(keyword)) = clause.first() else {
                return Err(wrong("a clause must begin with a literal"));
            };
            if self.reader.is_own() && keywords.contains(&keyword.as_str()) {
                return Err(wrong(format!("two clauses begin with `{keyword}`")));
            }
            keywords.push(keyword);
            self.list(clause, Place { clause: true, ..place })?;
        }
        Ok(())
    }

    /// Whether all is bound that has no place in the dictionary of attributes.
    fn complete(&self) -> Result<()> {
        let details = self.details;
        if !self.dictionary {
            return Err(wrong("`attr-dict` is missing"));
        }
        let missing = |bound: &Bindings, what: &str, all: &str, name: &dyn Fn(usize) -> String| {
            let Some(at) = bound.each.iter().position(|bound| !bound) else { return Ok(()) };
            Err(wrong(match name(at).as_str() {
                "" => format!("{what} {at}, which has no name, is missing: `{all}` writes all"),
                name => format!("{what} `{name}` is missing: `${name}` writes it"),
            }))
        };
        missing(&self.operands, "operand", "operands", &|at| details.operands[at].name.clone())?;
        missing(&self.regions, "region", "regions", &|at| details.regions[at].name.clone())?;
        missing(&self.successors, "successor", "successors", &|at| details.successors[at].name.clone())
    }
}

/// Whether a group that may be left out can have the element.
fn fits_group(element: &Element) -> bool {
    let dictionary = matches!(element, Element::AttrDict | Element::AttrDictWithKeyword | Element::PropDict);
    let all = matches!(element, Element::Operands | Element::Regions | Element::Successors);
    !dictionary && !all && !matches!(element, Element::Successor(_) | Element::Clauses(_))
}

fn is_space(element: &Element) -> bool {
    matches!(element, Element::Space | Element::NoSpace | Element::Newline)
}

/// Whether a lexer takes the text for one keyword or for punctuation.
fn is_literal(text: &str) -> bool {
    let mut characters = text.chars();
    match (characters.next(), text.len()) {
        (Some(only), 1) => only.is_ascii_alphabetic() || "_:,=<>()[]{}?+-*".contains(only),
        (Some(first), _) if first.is_ascii_alphabetic() || first == '_' => {
            characters.all(|next| next.is_ascii_alphanumeric() || matches!(next, '_' | '$' | '.'))
        }
        _ => matches!(text, "->" | "..."),
    }
}
