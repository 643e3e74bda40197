//! Neighbours in a format of which a parser could not tell where the one ends and the other begins.

use super::{Reader, is_space, varies, wrong};
use crate::error::Result;
use crate::ods::definition::OpDetails;
use crate::ods::format::Element;

/// Checks that no attribute is followed by a colon that it could take for that of its type, that no dictionary is followed by
/// a region, and that clauses end where something else begins.
pub(super) fn check(elements: &[Element], details: &OpDetails, reader: Reader) -> Result<()> {
    let colon = |element: &Element| matches!(element, Element::Literal(text) if text == ":");
    let attribute =
        Neighbours { details, reader, first: &|element| takes_a_colon(element, details, reader), second: &colon };
    if let Some(Element::Attribute(at)) = attribute.find(elements).map(unqualified) {
        let name = &details.attributes[*at as usize].name;
        return Err(wrong(format!("attribute `{name}` would take the `:` behind it for that of its type")));
    }
    let dictionary = |element: &Element| matches!(element, Element::AttrDict);
    let region = |element: &Element| match element {
        Element::Region(_) => true,
        Element::Regions => reader.is_own() && !details.regions.is_empty(),
        _ => false,
    };
    let dictionary = Neighbours { details, reader, first: &dictionary, second: &region };
    if dictionary.find(elements).is_some() {
        return Err(wrong("a region behind `attr-dict` would be taken for it: `attr-dict-with-keyword` is not"));
    }
    clauses(elements)
}

fn unqualified(element: &Element) -> &Element {
    match element {
        Element::Qualified(of) => of,
        element => element,
    }
}

/// Whether it is an attribute that is read in full, with a colon and a type where these follow.
pub(super) fn takes_a_colon(element: &Element, details: &OpDetails, reader: Reader) -> bool {
    let Element::Attribute(at) = unqualified(element) else { return false };
    let constraint = &details.attributes[*at as usize].constraint;
    let is_qualified = matches!(element, Element::Qualified(_));
    match constraint.value_type {
        None => is_qualified || constraint.storage == "Attribute",
        // What is qualified our parser reads with its type.
        Some(_) => is_qualified && reader.is_own(),
    }
}

/// Two kinds of elements of which the second must not follow the first, with nothing but what can be absent between.
struct Neighbours<'a> {
    details: &'a OpDetails,
    reader: Reader,
    first: &'a dyn Fn(&Element) -> bool,
    second: &'a dyn Fn(&Element) -> bool,
}

/// What follows an element.
#[derive(PartialEq)]
enum Next {
    /// The second kind.
    Found,
    /// Something that is always there.
    Other,
    /// Nothing, in this list.
    End,
}

impl Neighbours<'_> {
    /// The first element of two such.
    fn find<'e>(&self, elements: &'e [Element]) -> Option<&'e Element> {
        self.last(elements).err()
    }

    /// An element of the first kind that nothing but the end of the list follows; an error is one that the second follows.
    fn last<'e>(&self, elements: &'e [Element]) -> Result<Option<&'e Element>, &'e Element> {
        for (at, element) in elements.iter().enumerate() {
            let first = match element {
                element if (self.first)(element) => Some(element),
                Element::Optional { then, otherwise, .. } => {
                    let (then, otherwise) = (self.last(then)?, self.last(otherwise)?);
                    then.or(otherwise)
                }
                _ => None,
            };
            let Some(first) = first else { continue };
            match self.next(&elements[at + 1..], None) {
                Next::Found => return Err(first),
                Next::Other => {}
                Next::End => return Ok(Some(first)),
            }
        }
        Ok(None)
    }

    /// What stands first in the list. An element is always there where it tells that its group is.
    fn next(&self, elements: &[Element], guard: Option<&Element>) -> Next {
        for element in elements {
            if (self.second)(element) {
                return Next::Found;
            }
            if let Element::Optional { then, otherwise, .. } = element {
                if self.next(then, then.first()) == Next::Found || self.next(otherwise, None) == Next::Found {
                    return Next::Found;
                }
                continue;
            }
            if guard.is_some_and(|guard| std::ptr::eq(guard, element)) || !self.may_be_absent(element) {
                return Next::Other;
            }
        }
        Next::End
    }

    fn may_be_absent(&self, element: &Element) -> bool {
        match unqualified(element) {
            Element::Attribute(at) => {
                let attribute = &self.details.attributes[*at as usize];
                attribute.optional || attribute.default.is_some()
            }
            Element::Native(at) => self.details.natives[*at as usize].default.is_some(),
            Element::Operand(at) => varies(&self.details.operands[*at as usize]),
            Element::Successor(at) => self.details.successors[*at as usize].variadic,
            Element::Region(at) => self.details.regions[*at as usize].variadic,
            Element::AttrDict | Element::AttrDictWithKeyword => true,
            Element::Regions if self.reader.is_own() => self.details.regions.iter().all(|region| region.variadic),
            Element::Successors if self.reader.is_own() => self.details.successors.iter().all(|of| of.variadic),
            Element::Operands if self.reader.is_own() => self.details.operands.iter().all(varies),
            element => is_space(element),
        }
    }
}

/// Clauses come in any order, so what follows them must not begin as one of them does.
fn clauses(elements: &[Element]) -> Result<()> {
    let mut open: Vec<&str> = Vec::new();
    for element in elements {
        let begins: Vec<&str> = match element {
            Element::Clauses(clauses) => clauses.iter().filter_map(|clause| literal(clause.first()?)).collect(),
            element => literal(element).into_iter().collect(),
        };
        if let Some(keyword) = begins.iter().find(|keyword| open.contains(keyword)) {
            return Err(wrong(format!("`{keyword}` begins a clause and what follows the clauses")));
        }
        match element {
            Element::Clauses(_) => open.extend(begins),
            _ => open.clear(),
        }
    }
    Ok(())
}

fn literal(element: &Element) -> Option<&str> {
    match element {
        Element::Literal(text) => Some(text),
        _ => None,
    }
}
