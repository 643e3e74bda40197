//! `!toy.canvas<640>` and `#toy.colour<red = 1, green = 2, blue = 3>`.

use mlirbc::ir::fields::{DialectFields, Field, FieldKind, FieldsDef};
use mlirbc::ir::{Context, Parameter};
use mlirbc::{Attribute, Type};

/// All attributes and types: text, checks and bytecode follow from this.
pub(crate) const FIELDS: DialectFields = DialectFields { attributes: &[COLOUR], types: &[CANVAS] };

/// The type's parameters.
const CANVAS: FieldsDef = FieldsDef {
    mnemonic: "canvas",
    code: Some(0),
    fields: &[Field::required("width", FieldKind::Unsigned(32)).unnamed()],
};

/// The attribute's parameters.
const COLOUR: FieldsDef = FieldsDef {
    mnemonic: "colour",
    code: Some(0),
    fields: &[
        Field::required("red", FieldKind::Unsigned(8)),
        Field::required("green", FieldKind::Unsigned(8)),
        Field::required("blue", FieldKind::Unsigned(8)),
    ],
};

/// The type `!toy.canvas<width>`: a handle that knows what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canvas(Type);

impl Canvas {
    /// The canvas of that width.
    pub fn new(context: &Context, width: u32) -> Self {
        Canvas(CANVAS.make_type(context, "toy", [Parameter::Unsigned(width.into())]))
    }

    /// A type that is a canvas.
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        CANVAS.of_type(context, "toy", ty).map(|_| Canvas(ty))
    }

    /// How wide it is.
    pub fn width(self, context: &Context) -> u32 {
        match CANVAS.of_type(context, "toy", self.0) {
            Some([Parameter::Unsigned(width)]) => *width as u32,
            // Made in another context.
            _ => 0,
        }
    }
}

impl From<Canvas> for Type {
    fn from(canvas: Canvas) -> Type {
        canvas.0
    }
}

/// The attribute `#toy.colour<red = ..., green = ..., blue = ...>`.
pub fn colour(context: &Context, rgb: [u8; 3]) -> Attribute {
    COLOUR.make_attribute(context, "toy", rgb.map(|part| Parameter::Unsigned(part.into())))
}

/// Red, green and blue of an attribute that is a colour.
pub(crate) fn rgb(context: &Context, attribute: Attribute) -> Option<[u8; 3]> {
    match COLOUR.of_attribute(context, "toy", attribute)? {
        &[Parameter::Unsigned(r), Parameter::Unsigned(g), Parameter::Unsigned(b)] => Some([r as u8, g as u8, b as u8]),
        _ => None,
    }
}

/// Colours are printed by an alias.
pub(crate) fn alias(mnemonic: &[u8]) -> Option<Vec<u8>> {
    (mnemonic == b"colour").then(|| mnemonic.to_vec())
}
