//! The operations: `toy.mix`, `toy.frame` and `toy.paint`.

use mlirbc::ir::interfaces::{Speculatable, Speculation};
use mlirbc::ir::ods::{AttributeConstraint, OpDef, OpTable, Predicate, Traits, TypeConstraint};

use mlirbc::ir::verify::Checker;
use mlirbc::{Error, OpRef, Result};

/// Their definitions. A dialect with definitions in TableGen loads them with `OpTable::from_json` instead.
pub(crate) fn table() -> Result<OpTable> {
    let any = TypeConstraint::any();
    let mix = OpDef::builder("toy.mix").operand("left", &any).operand("right", &any).result("mixed", &any);
    // One whose result is not used is not missed.
    let mix = mix.interface("NoMemoryEffect");
    let frame = OpDef::builder("toy.frame")
        .operand("on", &any)
        .region("body", Predicate::All(Vec::new()))
        .traits(Traits::NO_TERMINATOR | Traits::SINGLE_BLOCK);
    let paint = OpDef::builder("toy.paint")
        .operand("on", &any)
        .result("painted", &any)
        .attribute("colour", &AttributeConstraint::any())
        .attribute("opacity", &AttributeConstraint::integer(32))
        .inferred_results()
        .interface("NoMemoryEffect")
        .format("$on custom<Tone>($colour) `at` $opacity attr-dict `:` type($on)");
    Ok(OpTable::from_definitions([mix.custom_syntax().finish()?, frame.custom_syntax().finish()?, paint.finish()?]))
}

/// A canvas is painted at any place, but not where nothing is covered: that is for the painter to say.
pub(crate) struct Covers;

impl Speculatable for Covers {
    fn speculation(&self, op: OpRef<'_>) -> Result<Speculation> {
        let opacity = op.attribute("opacity")?.and_then(|opacity| op.module().context().integer_of(opacity));
        let covers = opacity.is_some_and(|opacity| !opacity.is_zero());
        Ok(if covers { Speculation::Always } else { Speculation::Never })
    }
}

/// Nothing is mixed with itself.
pub(crate) fn verify_mix(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let (left, right) = (op.operand("left")?, op.operand("right")?);
    if left == right {
        return Err(Error::verification("a canvas is mixed with itself"));
    }
    let types: Vec<_> = op.operands().iter().map(|&value| op.type_of(value)).collect::<Result<_>>()?;
    if let [left, right] = types[..] {
        checker.expect_types("the canvases on the right", &[right], &[left])?;
    }
    Ok(())
}

/// What is painted stays what it is.
pub(crate) fn verify_paint(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let on: Vec<_> = op.operands().iter().map(|&value| op.type_of(value)).collect::<Result<_>>()?;
    checker.expect_types_of("what is painted", op, op.results(), &on)
}

/// An interface of the dialect's own: what an operation costs. Code that has an [`OpRef`] asks with
/// `op.interface::<dyn Cost>()`.
pub trait Cost: Send + Sync {
    /// In cycles.
    fn cycles(&self, op: OpRef<'_>) -> u64;
}

pub(crate) struct PerOperand(pub(crate) u64);

impl Cost for PerOperand {
    fn cycles(&self, op: OpRef<'_>) -> u64 {
        self.0 * op.operands().len() as u64
    }
}
