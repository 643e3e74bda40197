//! Aliases: short names that stand for attributes, types and locations.

use std::ops::Range;

use hashbrown::HashMap;

use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::context::Context;
use crate::module::Location;
use crate::types::Type;

/// What can have an alias. A place in a file is the same thing whether it is uniqued or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(hidden)]
pub enum Aliasable {
    /// An attribute, or a location that is no place in a file.
    Attribute(Attribute),
    /// A type.
    Type(Type),
    /// A place in a file: its name, line and column.
    Place(Identifier, u32, u32),
}

impl Aliasable {
    /// An attribute or location.
    pub fn attribute(context: &Context, attribute: Attribute) -> Self {
        match context[attribute] {
            AttributeData::FileLocation { file, start, end } if start == end => {
                Aliasable::Place(file, start.0, start.1)
            }
            _ => Aliasable::Attribute(attribute),
        }
    }

    /// The location of an operation.
    pub fn location(context: &Context, location: Location) -> Self {
        match location {
            Location::File { file, line, column } => Aliasable::Place(file, line, column),
            Location::Attribute(attribute) => Aliasable::attribute(context, attribute),
        }
    }
}

/// Aliases by what they stand for, each with its `#` or `!`.
#[derive(Default, Clone, Debug)]
pub struct Aliases {
    /// All of them, one after the other.
    names: Vec<u8>,
    places: HashMap<Aliasable, Range<usize>>,
}

impl Aliases {
    /// The alias of this, where it has one.
    #[inline]
    pub fn get(&self, of: Aliasable) -> Option<&[u8]> {
        self.places.get(&of).map(|place| &self.names[place.clone()])
    }
}

impl<'a> FromIterator<(Aliasable, &'a [u8])> for Aliases {
    fn from_iter<I: IntoIterator<Item = (Aliasable, &'a [u8])>>(aliases: I) -> Self {
        let mut names = Vec::new();
        let place = |(of, name): (Aliasable, &[u8])| {
            let start = names.len();
            names.extend_from_slice(name);
            (of, start..names.len())
        };
        let places = aliases.into_iter().map(place).collect();
        Aliases { names, places }
    }
}
