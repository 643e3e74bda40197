//! Attributes, types and locations in messages, and wherever a program prints one.

use std::fmt::{self, Display, Formatter};

use super::print::{Elision, Printer};
use crate::attribute::Attribute;
use crate::context::Context;
use crate::module::Location;
use crate::types::Type;

/// The most bytes of text that a message shows of one attribute or type.
const LONGEST: u64 = 1 << 20;

/// The text of an attribute, type or location, as [`Context::show`] gives it.
#[derive(Clone, Copy)]
pub struct Shown<'c> {
    context: &'c Context,
    what: Showable,
}

/// What has a text in a context: see [`Context::show`].
#[derive(Clone, Copy, Debug)]
pub enum Showable {
    /// An attribute.
    Attribute(Attribute),
    /// A type.
    Type(Type),
    /// A location.
    Location(Location),
}

impl From<Attribute> for Showable {
    fn from(attribute: Attribute) -> Self {
        Showable::Attribute(attribute)
    }
}

impl From<Type> for Showable {
    fn from(ty: Type) -> Self {
        Showable::Type(ty)
    }
}

impl From<Location> for Showable {
    fn from(location: Location) -> Self {
        Showable::Location(location)
    }
}

impl Context {
    /// An attribute, type or location to be printed, as `mlir-opt` prints it without aliases. Its text is never empty: where it is over
    /// 1 MiB long, or there is none, it says so.
    ///
    /// ```
    /// # use mlirbc_ir::{Context, OpRef};
    /// # let context = Context::new();
    /// println!("{} has the type {}", context.show(context.unit()), context.show(context.none_type()));
    /// # fn with(context: &Context, op: OpRef<'_>) -> mlirbc_ir::Result<()> {
    /// println!("{} at {}", op.name(), context.show(op.location()?)); // cf.br at loc("arith.mlir":6:5)
    /// # Ok(())
    /// # }
    /// ```
    pub fn show(&self, what: impl Into<Showable>) -> Shown<'_> {
        Shown { context: self, what: what.into() }
    }
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        let mut printer = Printer::new(self.context, &mut text).with_limit(LONGEST);
        let (printed, what) = match self.what {
            Showable::Attribute(attribute) => (printer.attribute(attribute, Elision::Never), "an attribute"),
            Showable::Type(ty) => (printer.ty(ty), "a type"),
            Showable::Location(location) => {
                (printer.attribute(location.attribute(self.context), Elision::Never), "a location")
            }
        };
        match printed.and_then(|()| printer.finish().map(drop)) {
            Ok(()) => f.write_str(&String::from_utf8_lossy(&text)),
            Err(error) => write!(f, "{what} that cannot be shown ({})", error.message()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::TypeData;

    #[test]
    fn what_is_too_long_is_said_to_be() {
        let context = Context::new();
        let mut ty = context.integer_type(8);
        assert_eq!(context.show(ty).to_string(), "i8");
        assert_eq!(context.show(context.integer(8, -3)).to_string(), "-3 : i8");
        for _ in 0..64 {
            ty = context.ty(TypeData::Tuple([ty, ty].into()));
        }
        let shown = context.show(ty).to_string();
        assert!(shown.starts_with("a type that cannot be shown (") && shown.len() < 200, "{shown}");
    }
}
