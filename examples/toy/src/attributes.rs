//! `!toy.canvas<640>`, `#toy.colour<red = 1, green = 2, blue = 3>`, `#toy.torn` and `#toy.curve<1 -> 2 -> 5>`.

use std::sync::Arc;

use mlirbc::ir::fields::{DialectFields, Field, FieldKind, FieldsDef};
use mlirbc::ir::ods::{Predicate, TermClass, TypeConstraint};
use mlirbc::ir::text::{DialectPrinter, DialectText, Parser};
use mlirbc::ir::{Context, DialectValue, Parameter};
use mlirbc::{Attribute, Error, Result, Type};

/// All attributes and types whose text is names and values: text, checks and bytecode follow from this. A dialect that has no others
/// hands it to `Dialect::fields` and has no [`Text`].
pub(crate) const FIELDS: DialectFields = DialectFields { attributes: &[COLOUR, TORN], types: &[CANVAS] };

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

/// A canvas that is torn. What is done to it leaves it torn.
const TORN: FieldsDef = FieldsDef { mnemonic: "torn", code: Some(1), fields: &[] };

/// Numbers that grow: no fields, but a list with arrows between.
const CURVE: &[u8] = b"curve";

/// The text of attributes and types. That of a curve is code; bytecode has it as text.
pub(crate) struct Text;

impl DialectText for Text {
    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        if context.bytes(value.mnemonic) != CURVE {
            return FIELDS.verify_attribute(context, value);
        }
        match points(value) {
            Some(points) if points.is_sorted_by(|left, right| left < right) => Ok(()),
            _ => Err(Error::verification("the points of a curve do not grow")),
        }
    }

    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        FIELDS.verify_type(context, value)
    }

    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        if printer.context().bytes(value.mnemonic) != CURVE {
            return FIELDS.print_attribute(value, printer);
        }
        let Some(points) = points(value) else { return false };
        let points: Vec<String> = points.iter().map(u64::to_string).collect();
        printer.text("<").text(points.join(" -> ")).text(">");
        true
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        FIELDS.print_type(value, printer)
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        if mnemonic != CURVE {
            return FIELDS.parse_attribute(mnemonic, parser);
        }
        parser.expect(b'<')?;
        let mut points = vec![Parameter::Unsigned(point(parser)?)];
        while parser.eat_arrow() {
            points.push(Parameter::Unsigned(point(parser)?));
        }
        parser.expect(b'>')?;
        Ok(Some(points.into()))
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        FIELDS.parse_type(mnemonic, parser)
    }

    fn has_type(&self, mnemonic: &[u8]) -> bool {
        FIELDS.has_type(mnemonic)
    }
}

fn point(parser: &mut Parser<'_>) -> Result<u64> {
    parser.unsigned().ok_or_else(|| parser.error("a point of a curve is a number"))
}

fn points(curve: &DialectValue) -> Option<Vec<u64>> {
    let point = |parameter: &Parameter| match parameter {
        Parameter::Unsigned(point) => Some(*point),
        _ => None,
    };
    curve.parameters.iter().map(point).collect()
}

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

/// A function of the dialect's own, by its name in C++, and what types it tells: definitions in TableGen may call it in a predicate, and an
/// importer that knows the dialect understands that.
pub(crate) const WIDE: [&str; 2] = ["isWideCanvas", "a canvas that is wide enough to hang"];

/// What functions of the dialect's own tell: asked by verification.
pub(crate) fn tell(context: &Context, ty: Type, function: &str) -> Option<bool> {
    let is_wide = |canvas: Canvas| canvas.width(context) >= 8;
    (function == WIDE[0]).then(|| Canvas::of(context, ty).is_some_and(is_wide))
}

/// The constraint that the function is asked for. An importer makes the same of `isWideCanvas($_self)`.
pub(crate) fn wide() -> Arc<TypeConstraint> {
    let [function, what] = WIDE.map(str::to_owned);
    TypeConstraint::new("", Predicate::is(TermClass::Told { function, what }))
}

/// The attribute `#toy.colour<red = ..., green = ..., blue = ...>`.
pub fn colour(context: &Context, rgb: [u8; 3]) -> Attribute {
    COLOUR.make_attribute(context, "toy", rgb.map(|part| Parameter::Unsigned(part.into())))
}

/// The attribute `#toy.torn`.
pub(crate) fn torn(context: &Context) -> Attribute {
    TORN.make_attribute(context, "toy", [])
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
