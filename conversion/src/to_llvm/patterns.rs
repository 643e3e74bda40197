//! Patterns that share a type converter.

use std::sync::Arc;

use hashbrown::HashSet;
use mlirbc_ir::{BodyId, Identifier, OpId, OpRef, Result};
use mlirbc_rewrite::Outcome;
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern, ConversionPatterns};

use super::LlvmTypeConverter;
use super::declarations::Declarations;
use crate::common::Rw;

/// Patterns into `llvm`, all with one type converter.
#[derive(Clone, Debug)]
pub struct LlvmPatterns {
    to: To,
    patterns: ConversionPatterns,
}

/// What patterns know: what types become, and where they say what the module has to have.
#[derive(Clone, Debug)]
pub(crate) struct To {
    pub(crate) types: LlvmTypeConverter,
    pub(crate) declarations: Arc<Declarations>,
    pub(crate) bare: Arc<BarePointers>,
}

/// The functions that say that they take and give memory as pointers.
#[derive(Debug, Default)]
pub(crate) struct BarePointers {
    /// By name.
    pub(crate) names: HashSet<Identifier>,
    /// What is in them.
    pub(crate) bodies: HashSet<BodyId>,
}

/// What such functions say of themselves.
pub(crate) const BARE_POINTER: &str = "llvm.bareptr";

impl BarePointers {
    fn of(op: OpRef<'_>) -> Result<Self> {
        let mut found = BarePointers::default();
        for function in op.walk()?.filter(|op| op.is("func.func") || op.is("llvm.func")) {
            if function.attribute(BARE_POINTER)?.is_some() {
                found.names.extend(function.symbol_name()?);
                found.bodies.extend(function.body().region_body(function.id()));
            }
        }
        Ok(found)
    }
}

/// A function that converts operations.
pub(crate) type Convert = fn(&To, &mut Rw<'_, '_>, OpId, &Adaptor) -> Outcome;

impl LlvmPatterns {
    /// None yet.
    pub fn new(types: &LlvmTypeConverter) -> Self {
        let to = To { types: types.clone(), declarations: Arc::default(), bare: Arc::default() };
        LlvmPatterns { to, patterns: ConversionPatterns::new() }
    }

    /// None yet, for what is in an operation.
    pub(crate) fn inside(op: OpRef<'_>, types: &LlvmTypeConverter) -> Result<Self> {
        let mut set = Self::new(types);
        set.to.bare = Arc::new(BarePointers::of(op)?);
        Ok(set)
    }

    /// The type converter.
    pub fn types(&self) -> &LlvmTypeConverter {
        &self.to.types
    }

    pub(crate) fn declarations(&self) -> Arc<Declarations> {
        self.to.declarations.clone()
    }

    /// All patterns.
    pub fn into_patterns(self) -> ConversionPatterns {
        self.patterns
    }

    /// Adds a pattern of your own for operations of that name.
    #[must_use]
    pub fn pattern(self, operation: &str, pattern: ConversionPattern) -> Self {
        let pattern = pattern.types(self.to.types.types());
        LlvmPatterns { patterns: self.patterns.on(operation, pattern), ..self }
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
        convert: impl Fn(&To, &mut Rw<'_, '_>, OpId, &Adaptor) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        let to = self.to.clone();
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| convert(&to, rw, op, operands);
        self.pattern(operation, ConversionPattern::of(operation, convert).benefit(benefit))
    }

    /// Adds patterns that look at no types.
    #[must_use]
    pub(crate) fn also(self, add_to: fn(ConversionPatterns) -> ConversionPatterns) -> Self {
        LlvmPatterns { patterns: add_to(self.patterns), ..self }
    }
}
