//! Where a parser could not tell whether something is there, or goes on: what follows begins as it does.

use super::adjacent::takes_a_colon;
use super::{Reader, is_space, varies, wrong};
use crate::error::Result;
use crate::ods::constraint::{AttributeDef, Multiplicity, ValueDef};
use crate::ods::definition::{OpDef, OpDetails};
use crate::ods::format::Element;
use crate::ods::traits::Traits;

/// What a piece of text can begin with.
#[derive(Clone, Copy, PartialEq)]
enum Lead<'e> {
    Value,
    Block,
    Type,
    /// A number, or a keyword that stands for one.
    Number,
    /// An attribute of any kind.
    Any,
    /// What begins with this text.
    Text(&'e str),
    /// Nothing more of the operation.
    End,
}

use Lead::{Any, Block, End, Number, Text, Type, Value};

/// Checks that each element that may be absent, and each list, ends where something begins that is not part of it.
pub(super) fn check(elements: &[Element], op: &OpDef, details: &OpDetails) -> Result<()> {
    let region = elements.iter().position(|element| matches!(element, Element::Region(_) | Element::Regions));
    let late = |element: &Element| matches!(element, Element::Successor(_) | Element::Successors);
    if region.is_some_and(|region| elements[region..].iter().any(late)) {
        return Err(wrong("successors stand before regions"));
    }
    Ambiguity { op, details }.list(elements, &[End])
}

struct Ambiguity<'d> {
    op: &'d OpDef,
    details: &'d OpDetails,
}

impl Ambiguity<'_> {
    fn list<'e>(&self, elements: &'e [Element], behind: &[Lead<'e>]) -> Result<()> {
        for (at, element) in elements.iter().enumerate() {
            let next = self.leads(&elements[at + 1..], behind);
            self.element(element, &next)?;
        }
        Ok(())
    }

    fn element<'e>(&self, element: &'e Element, next: &[Lead<'e>]) -> Result<()> {
        match element {
            Element::Optional { then, otherwise, .. } => {
                let holds = |element: &Element| matches!(element, Element::Region(at) if !self.details.regions[*at as usize].variadic);
                if then.iter().chain(otherwise).any(holds) {
                    return Err(wrong("a region is always there, but its group is not"));
                }
                let absent = self.leads(otherwise, next);
                self.apart(&self.leads(then, &[]), &absent, "a group that may be left out")?;
                self.list(then, next)?;
                self.list(otherwise, next)
            }
            Element::Clauses(clauses) => {
                let mut all: Vec<Lead<'e>> = self.leads(std::slice::from_ref(element), &[]);
                self.apart(&all, next, "a list of clauses")?;
                all.extend(next);
                clauses.iter().try_for_each(|clause| self.list(clause, &all))
            }
            _ => {
                let (own, lists) = self.own(element);
                if self.may_be_absent(element) {
                    self.apart(&own, next, "what may be absent")?;
                }
                if takes_a_colon(element, self.details, Reader::Own) && next.contains(&Text(":")) {
                    return Err(wrong("an attribute would take the `:` behind it for that of its type"));
                }
                if own == [Value] && next.contains(&Any) {
                    return Err(wrong("a value cannot be told from the attribute behind it: `%a #b`"));
                }
                if lists && next.contains(&Text(",")) {
                    return Err(wrong("a list cannot be told from the comma behind it"));
                }
                Ok(())
            }
        }
    }

    fn apart(&self, own: &[Lead<'_>], next: &[Lead<'_>], what: &str) -> Result<()> {
        match own.iter().any(|own| next.iter().any(|next| self.alike(*own, *next))) {
            true => {
                Err(wrong(format!("{what} begins as what follows it can: a literal between would tell them apart")))
            }
            false => Ok(()),
        }
    }

    /// Whether a parser that looks for the first could take the second for it.
    fn alike(&self, own: Lead<'_>, next: Lead<'_>) -> bool {
        match (own, next) {
            // Behind an operation comes another one or, where it ends a block, the next block.
            (Value, End) => !self.op.traits.contains(Traits::TERMINATOR),
            (Block, End) => true,
            (Any, Number | Type | Any) | (Number | Type, Any) => true,
            (Any, Text(text)) | (Text(text), Any) => text.starts_with(['"', '[', '{', '@', '-', '(']),
            (Type, Text(text)) | (Text(text), Type) => text == "(",
            (own, next) => own == next,
        }
    }

    /// What these elements can begin with, and what follows where all can be absent.
    fn leads<'e>(&self, elements: &'e [Element], behind: &[Lead<'e>]) -> Vec<Lead<'e>> {
        let mut found = Vec::new();
        for element in elements {
            match element {
                Element::Optional { then, otherwise, .. } => {
                    found.extend(self.leads(then, &[]));
                    let others = self.leads(otherwise, &[]);
                    let is_there = !others.is_empty();
                    found.extend(others);
                    if is_there {
                        return found;
                    }
                    continue;
                }
                Element::Clauses(clauses) => {
                    found.extend(clauses.iter().filter_map(|clause| match clause.first() {
                        Some(Element::Literal(text)) => Some(Text(text)),
                        _ => None,
                    }));
                    continue;
                }
                _ => found.extend(self.own(element).0),
            }
            if !self.may_be_absent(element) {
                return found;
            }
        }
        found.extend(behind);
        found
    }

    /// What an element begins with, and whether it is a list with commas.
    fn own<'e>(&self, element: &'e Element) -> (Vec<Lead<'e>>, bool) {
        let details = self.details;
        let value = |value: &ValueDef, lead: Lead<'e>| match &value.multiplicity {
            Multiplicity::Groups(_) => (vec![Text("(")], true),
            Multiplicity::Variadic => (vec![lead], true),
            _ => (vec![lead], false),
        };
        match element {
            Element::Literal(text) => (vec![Text(text)], false),
            Element::Operand(at) => value(&details.operands[*at as usize], Value),
            Element::Operands => (vec![Value], details.operands.iter().any(varies)),
            Element::Type(of) => match &**of {
                Element::Operand(at) => value(&details.operands[*at as usize], Type),
                Element::Result(at) => value(&details.results[*at as usize], Type),
                _ => (vec![Type], true),
            },
            Element::FunctionalType(..) => (vec![Text("(")], false),
            Element::Attribute(at) => (vec![attribute(&details.attributes[*at as usize])], false),
            Element::Qualified(of) => self.own(of),
            Element::Native(_) => (vec![Number], false),
            Element::Region(at) => (vec![Text("{")], details.regions[*at as usize].variadic),
            Element::Regions => (vec![Text("{")], true),
            Element::Successor(at) => (vec![Block], details.successors[*at as usize].variadic),
            Element::Successors => (vec![Block], true),
            Element::AttrDict => (vec![Text("{")], false),
            Element::AttrDictWithKeyword => (vec![Text("attributes")], false),
            _ => (Vec::new(), false),
        }
    }

    /// Whether an element can be nothing in text.
    fn may_be_absent(&self, element: &Element) -> bool {
        let details = self.details;
        match element {
            Element::Operand(at) => varies(&details.operands[*at as usize]),
            Element::Type(of) => match &**of {
                Element::Operand(at) => varies(&details.operands[*at as usize]),
                Element::Result(at) => varies(&details.results[*at as usize]),
                Element::Operands => details.operands.iter().all(varies),
                Element::Results => details.results.iter().all(varies),
                _ => false,
            },
            Element::Operands => details.operands.iter().all(varies),
            Element::Region(at) => details.regions[*at as usize].variadic,
            Element::Regions => details.regions.iter().all(|region| region.variadic),
            Element::Successor(at) => details.successors[*at as usize].variadic,
            Element::Successors => details.successors.iter().all(|successor| successor.variadic),
            Element::AttrDict | Element::AttrDictWithKeyword | Element::PropDict => true,
            element => is_space(element),
        }
    }
}

/// What an attribute of that definition begins with.
fn attribute(definition: &AttributeDef) -> Lead<'static> {
    let constraint = &definition.constraint;
    match constraint.storage.as_str() {
        // A keyword for an integer.
        _ if constraint.enumeration.is_some() && constraint.value_type.is_some() => Number,
        "StringAttr" if constraint.name == "SymbolNameAttr" => Text("@"),
        "StringAttr" => Text("\""),
        "SymbolRefAttr" | "FlatSymbolRefAttr" => Text("@"),
        "ArrayAttr" => Text("["),
        "DictionaryAttr" => Text("{"),
        "IntegerAttr" | "FloatAttr" | "BoolAttr" => Number,
        "TypeAttr" => Type,
        storage if storage.starts_with("Dense") && storage.ends_with("ArrayAttr") => Text("["),
        _ => Any,
    }
}
