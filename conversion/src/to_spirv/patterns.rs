//! Patterns that share a type converter.

use mlirbc_ir::OpId;
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern, ConversionPatterns};
use mlirbc_rewrite::{NoMatch, Outcome};

use super::SpirvTypeConverter;
use super::emit::Emit;
use crate::common::{Look, Rw, element};

/// Patterns into SPIR-V, all with one type converter.
#[derive(Clone, Debug)]
pub struct SpirvPatterns {
    to: SpirvTypeConverter,
    patterns: ConversionPatterns,
}

/// A function that converts operations.
pub(crate) type Convert = fn(&SpirvTypeConverter, &mut Rw<'_, '_>, OpId, &Adaptor) -> Outcome;

impl SpirvPatterns {
    /// None yet.
    pub fn new(to: &SpirvTypeConverter) -> Self {
        SpirvPatterns { to: to.clone(), patterns: ConversionPatterns::new() }
    }

    /// The type converter.
    pub fn to(&self) -> &SpirvTypeConverter {
        &self.to
    }

    /// All patterns.
    pub fn into_patterns(self) -> ConversionPatterns {
        self.patterns
    }

    /// Adds a pattern of your own for operations of that name.
    #[must_use]
    pub fn pattern(self, operation: &str, pattern: ConversionPattern) -> Self {
        let pattern = pattern.types(self.to.types());
        SpirvPatterns { patterns: self.patterns.on(operation, pattern), ..self }
    }

    /// Adds a function as a pattern.
    #[must_use]
    pub(crate) fn on(self, operation: &'static str, convert: Convert) -> Self {
        self.with(operation, 1, convert)
    }

    /// Adds a function that knows more as a pattern of that benefit.
    #[must_use]
    pub(crate) fn with(
        self,
        operation: &'static str,
        benefit: u16,
        convert: impl Fn(&SpirvTypeConverter, &mut Rw<'_, '_>, OpId, &Adaptor) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        let to = self.to.clone();
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| convert(&to, rw, op, operands);
        self.pattern(operation, ConversionPattern::of(operation, convert).benefit(benefit))
    }

    /// Adds patterns for operations that become another one of the same operands.
    #[must_use]
    pub(crate) fn elementwise(self, names: &[(&'static str, &'static str)]) -> Self {
        names.iter().fold(self, |set, &(from, to)| {
            set.with(from, 1, move |_, rw, op, operands| elementwise(rw, op, operands, to).map(drop))
        })
    }
}

/// Operations that read the bits of their operands as numbers without a sign: with more bits than there were, these are others.
const UNSIGNED: [&str; 6] = [
    "spirv.UDiv",
    "spirv.UMod",
    "spirv.UGreaterThan",
    "spirv.UGreaterThanEqual",
    "spirv.ULessThan",
    "spirv.ULessThanEqual",
];

/// Whether an operation of that name would see more bits of a value of type `from` than there are, since that became `to`.
pub(crate) fn sees_other_bits(rw: &Rw<'_, '_>, name: &str, (from, to): (mlirbc_ir::Type, mlirbc_ir::Type)) -> bool {
    let context = rw.context();
    UNSIGNED.contains(&name) && element(context, from) != context.index_type() && from != to
}

/// Becomes an operation of that name with the same operands.
pub(crate) fn elementwise(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, name: &str) -> Result<OpId, NoMatch> {
    let was = rw.result_type(op)?;
    let ty = rw.convert_type(was)?;
    if sees_other_bits(rw, name, (was, ty)) {
        return Err(NoMatch::Reason("bitwidth emulation is not implemented yet on unsigned op"));
    }
    let made = rw.emit(name, &operands.all()?, ty)?;
    rw.replace(op, [made])?;
    rw.body().defining_operation(made).ok_or(NoMatch::Reason("an operation has no result"))
}
