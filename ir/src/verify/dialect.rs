//! What a dialect brings to the checks of its operations.

use std::sync::Arc;

use hashbrown::HashMap;

use super::checker::VerifyFn;
use super::hooks::{DialectVerifier, InterfaceRule, LooksAt};
use super::infer::InferTypesFn;
use crate::dialect::Dialect;

/// What a dialect brings.
#[derive(Clone, Default)]
struct Checks {
    dialect: Option<Arc<dyn DialectVerifier>>,
    operations: HashMap<Box<str>, (VerifyFn, LooksAt)>,
    regions: HashMap<Box<str>, VerifyFn>,
    symbol_uses: HashMap<Box<str>, VerifyFn>,
    types: HashMap<Box<str>, InferTypesFn>,
    exemptions: Vec<(Box<str>, InterfaceRule)>,
}

impl Dialect {
    /// Sets what is checked of the dialect's operations and attributes beside their definitions.
    #[must_use]
    pub fn verify_with(self, verifier: impl DialectVerifier + 'static) -> Self {
        self.amend(|checks: &mut Checks| checks.dialect = Some(Arc::new(verifier)))
    }

    /// Sets what is checked of an operation of that name (without the dialect's) when it is as its definition says: its own
    /// verifier, which runs before that [of the dialect](Dialect::verify_with). What breaks it is printed in generic form.
    #[must_use]
    pub fn verify_op(self, operation: &str, verify: VerifyFn) -> Self {
        self.verify_op_by(operation, LooksAt::Anything, verify)
    }

    /// As [`Dialect::verify_op`], of a verifier that looks at no more than that.
    #[must_use]
    pub fn verify_op_by(self, operation: &str, looks_at: LooksAt, verify: VerifyFn) -> Self {
        self.amend(|checks: &mut Checks| {
            checks.operations.insert(operation.into(), (verify, looks_at));
        })
    }

    /// Sets what is checked of an operation of that name (without the dialect's) once all that it holds has been checked, as with MLIR's
    /// `hasRegionVerifier`. What breaks it is printed in generic form.
    #[must_use]
    pub fn verify_regions(self, operation: &str, verify: VerifyFn) -> Self {
        self.amend(|checks: &mut Checks| {
            checks.regions.insert(operation.into(), verify);
        })
    }

    /// Sets what is checked of the symbols that an operation of that name (without the dialect's) uses, as with MLIR's
    /// `SymbolUserOpInterface`: once all of the symbol table around it has been checked, and never where there is none. What breaks it
    /// is printed in generic form.
    #[must_use]
    pub fn verify_symbol_uses(self, operation: &str, verify: VerifyFn) -> Self {
        self.amend(|checks: &mut Checks| {
            checks.symbol_uses.insert(operation.into(), verify);
        })
    }

    /// Sets what finds types of an operation of that name (without the dialect's) that are not given: where text leaves them out, and
    /// where a [builder](crate::Builder) or rewriter makes the operation without types of results.
    #[must_use]
    pub fn infer_types(self, operation: &str, infer: InferTypesFn) -> Self {
        self.amend(|checks: &mut Checks| {
            checks.types.insert(operation.into(), infer);
        })
    }

    /// Says that a rule does not hold for an operation: a function whose first block has more arguments than its type says.
    #[must_use]
    pub fn without_rule(self, operation: &str, rule: InterfaceRule) -> Self {
        self.amend(|checks: &mut Checks| checks.exemptions.push((operation.into(), rule)))
    }

    /// Whether the rule does not hold for the operation of that name, without the dialect's.
    pub(crate) fn is_exempt(&self, operation: &str, rule: InterfaceRule) -> bool {
        let checks = self.get::<Checks>();
        checks.is_some_and(|checks| checks.exemptions.iter().any(|(exempt, of)| **exempt == *operation && *of == rule))
    }

    /// The verifier of the operation of that name, without the dialect's.
    pub(crate) fn op_verifier(&self, operation: &str) -> Option<VerifyFn> {
        Some(self.get::<Checks>()?.operations.get(operation)?.0)
    }

    /// What that looks at.
    pub(super) fn op_verifier_looks_at(&self, operation: &str) -> LooksAt {
        let checks = self.get::<Checks>();
        checks.and_then(|checks| Some(checks.operations.get(operation)?.1)).unwrap_or(LooksAt::Nothing)
    }

    /// What is checked of the operation of that name, without the dialect's, after all that it holds.
    pub(crate) fn region_verifier(&self, operation: &str) -> Option<VerifyFn> {
        self.get::<Checks>()?.regions.get(operation).copied()
    }

    /// What is checked of the symbols that the operation of that name, without the dialect's, uses.
    pub(crate) fn symbol_use_verifier(&self, operation: &str) -> Option<VerifyFn> {
        self.get::<Checks>()?.symbol_uses.get(operation).copied()
    }

    /// What finds types of the operation of that name, without the dialect's.
    pub(crate) fn type_inference(&self, operation: &str) -> Option<InferTypesFn> {
        self.get::<Checks>()?.types.get(operation).copied()
    }

    /// What is checked of the dialect's operations and attributes beside their definitions.
    pub(crate) fn verifier(&self) -> Option<Arc<dyn DialectVerifier>> {
        self.get::<Checks>()?.dialect.clone()
    }
}
