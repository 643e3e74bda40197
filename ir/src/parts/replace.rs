//! Attributes and types rebuilt around others.

use std::collections::HashMap;

use super::{Held, Part, change_attribute, change_type, of_part};
use crate::attribute::Attribute;
use crate::context::Context;
use crate::types::Type;

/// Puts other attributes in the place of some, wherever attributes and types hold them. It remembers what it met.
pub(crate) struct Replacer<'c, F> {
    context: &'c Context,
    /// What stands in the place of an attribute, which is not gone into then.
    replace: F,
    /// What stands in the place of a type, in which all has been replaced.
    retype: Option<&'c dyn Fn(Type) -> Type>,
    known: HashMap<Part, Part>,
}

impl<'c, F: FnMut(Attribute) -> Option<Attribute>> Replacer<'c, F> {
    pub(crate) fn new(context: &'c Context, replace: F) -> Self {
        Replacer { context, replace, retype: None, known: HashMap::new() }
    }

    /// Puts other types in the place of some, too.
    pub(crate) fn types(self, retype: &'c dyn Fn(Type) -> Type) -> Self {
        Replacer { retype: Some(retype), ..self }
    }

    /// The attribute with all replaced that it holds; the same one where that is nothing.
    pub(crate) fn attribute(&mut self, attribute: Attribute) -> Attribute {
        self.visit(Part::Attribute(attribute));
        self.attribute_for(attribute)
    }

    fn visit(&mut self, part: Part) {
        let mut waiting = vec![(part, false)];
        let mut held = Vec::new();
        while let Some((part, held_is_known)) = waiting.pop() {
            if held_is_known {
                let rebuilt = match (self.rebuilt(part), self.retype) {
                    (Part::Type(ty), Some(retype)) => Part::Type(retype(ty)),
                    (rebuilt, _) => rebuilt,
                };
                self.known.insert(part, rebuilt);
                continue;
            }
            if self.known.contains_key(&part) {
                continue;
            }
            if let Part::Attribute(attribute) = part
                && let Some(other) = (self.replace)(attribute)
            {
                self.known.insert(part, Part::Attribute(other));
                continue;
            }
            // Meanwhile it stands for itself: what leads back to it ends there.
            self.known.insert(part, part);
            waiting.push((part, true));
            of_part(self.context, part, &mut held);
            waiting.extend(held.drain(..).map(|part| (part, false)));
        }
    }

    /// The attribute or type with what stands in the place of all that it holds.
    fn rebuilt(&self, part: Part) -> Part {
        let mut held = Vec::new();
        of_part(self.context, part, &mut held);
        if held.iter().all(|part| self.known.get(part).is_none_or(|other| other == part)) {
            return part;
        }
        match part {
            Part::Attribute(attribute) => {
                let mut data = self.context[attribute].clone();
                change_attribute(&mut data, &mut |held| self.change(held));
                Part::Attribute(self.context.attribute(data))
            }
            Part::Type(ty) => {
                let mut data = self.context[ty].clone();
                change_type(&mut data, &mut |held| self.change(held));
                Part::Type(self.context.ty(data))
            }
        }
    }

    fn attribute_for(&self, attribute: Attribute) -> Attribute {
        match self.known.get(&Part::Attribute(attribute)) {
            Some(Part::Attribute(other)) => *other,
            _ => attribute,
        }
    }

    fn type_for(&self, ty: Type) -> Type {
        match self.known.get(&Part::Type(ty)) {
            Some(Part::Type(other)) => *other,
            _ => ty,
        }
    }

    /// Puts what stands in the place of something there.
    fn change(&self, held: Held<&mut Attribute, &mut Type>) {
        match held {
            Held::Attribute(attribute) => *attribute = self.attribute_for(*attribute),
            Held::Type(ty) => *ty = self.type_for(*ty),
        }
    }
}
