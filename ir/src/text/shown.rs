//! Attributes and types in messages.

use std::fmt::{self, Display, Formatter};

use super::print::{Elision, Printer};
use crate::attribute::Attribute;
use crate::context::Context;
use crate::types::Type;

/// The most bytes of text that a message shows of one attribute or type.
const LONGEST: u64 = 1 << 20;

/// An attribute or type as a message shows it: see [`show_type`] and [`show_attribute`].
#[derive(Clone, Copy)]
pub struct Shown<'c> {
    context: &'c Context,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    Attribute(Attribute),
    Type(Type),
}

/// The text of a type for a message, which is never empty: where the text is over 1 MiB long, the message says so.
pub fn show_type(context: &Context, ty: Type) -> Shown<'_> {
    Shown { context, what: What::Type(ty) }
}

/// The text of an attribute for a message, in the same way.
pub fn show_attribute(context: &Context, attribute: Attribute) -> Shown<'_> {
    Shown { context, what: What::Attribute(attribute) }
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        let mut printer = Printer::new(self.context, &mut text).with_limit(LONGEST);
        let (printed, what) = match self.what {
            What::Attribute(attribute) => (printer.attribute(attribute, Elision::Never), "an attribute"),
            What::Type(ty) => (printer.ty(ty), "a type"),
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
        assert_eq!(show_type(&context, ty).to_string(), "i8");
        assert_eq!(show_attribute(&context, context.integer(8, -3)).to_string(), "-3 : i8");
        for _ in 0..64 {
            ty = context.ty(TypeData::Tuple([ty, ty].into()));
        }
        let shown = show_type(&context, ty).to_string();
        assert!(shown.starts_with("a type that cannot be shown (") && shown.len() < 200, "{shown}");
    }
}
