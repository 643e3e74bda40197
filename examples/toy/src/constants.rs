//! Constants: `toy.blank`, a canvas of one colour, or a torn one.

use std::sync::Arc;

use mlirbc::ir::interfaces::Constant;
use mlirbc::ir::ods::{AttributeConstraint, OpDef, OpTable, Traits, TypeConstraint};
use mlirbc::ir::{Context, Dialect, OpId, Rewriter};
use mlirbc::rewrite::DialectRewrite;
use mlirbc::text::DialectAssembly;
use mlirbc::{Attribute, OpRef, Result, Type};

use crate::attributes::{Canvas, rgb, torn};
use crate::palette::{DialectPalette, Palette};

pub(crate) fn attach(toy: Dialect) -> Result<Dialect> {
    let blank = OpDef::builder("toy.blank")
        .traits(Traits::CONSTANT_LIKE)
        .attribute("of", &AttributeConstraint::any())
        .result("canvas", &TypeConstraint::any())
        .interface("NoMemoryEffect")
        // What neither this crate nor MLIR knows says something to who asks for it.
        .other_trait("toy::Drawable")
        .format("$of `as` type($canvas) attr-dict");
    Ok(toy
        .ops(OpTable::from_definitions([blank.finish()?]))
        .interface::<dyn Constant>("blank", Arc::new(Blank))
        .materialize(materialize)
        .poison("torn")
        .result_names("blank", colour_name)
        .colour("white", [255, 255, 255])
        .colour("red", [255, 0, 0]))
}

/// Whether a constant is of this dialect.
fn is_blank(context: &Context, value: Attribute) -> bool {
    rgb(context, value).is_some() || value == torn(context)
}

/// What a blank canvas is: not its attribute `value`, as of most constants.
struct Blank;

impl Constant for Blank {
    fn value(&self, op: OpRef<'_>) -> Result<Option<Attribute>> {
        Ok(op.attribute("of")?.filter(|&of| is_blank(op.module().context(), of)))
    }
}

/// A colour or what is torn, as a canvas.
fn materialize(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    if !is_blank(rw.context(), value) || Canvas::of(rw.context(), ty).is_none() {
        return Ok(None);
    }
    rw.build("toy.blank").attribute("of", value).result_type(ty).create().map(Some)
}

/// `%red`, where the colour has a name.
fn colour_name(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let colour = op.attribute("of")?.and_then(|of| rgb(context, of));
    if let Some(name) = colour.and_then(|colour| Palette::of(context)?.name(colour)) {
        set(0, name.as_bytes());
    }
    Ok(())
}
