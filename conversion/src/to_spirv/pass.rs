//! A conversion into SPIR-V as a pass.

use mlirbc_ir::{Error, Result};
use mlirbc_rewrite::conversion::{Conversion, ConversionTarget};
use mlirbc_rewrite::{Pass, Target};
use mlirbc_spirv::target::{Environment, lookup_or_default};

use super::{SpirvConversionTarget, SpirvPatterns, SpirvTypeConverter, TypeOptions, declare_variables};

/// A partial conversion of what a pass runs on, for the target that is said around it.
pub(crate) struct ToSpirv {
    pub(crate) name: &'static str,
    pub(crate) options: TypeOptions,
    /// Adds the patterns.
    pub(crate) patterns: fn(SpirvPatterns) -> SpirvPatterns,
    /// Says what is legal beside the operations of `spirv`, and what is not.
    pub(crate) legal: fn(ConversionTarget) -> ConversionTarget,
}

impl Pass for ToSpirv {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let (place, threads) = (target.place(), target.threads());
        let to = type_converter(target, self.options)?;
        let legal = (self.legal)(SpirvConversionTarget::new(to.environment()));
        let patterns = (self.patterns)(SpirvPatterns::new(&to)).into_patterns();
        Conversion::new(to.explain(legal), patterns).partial().threads(threads).run(target.module(), place)?;
        declare_variables(target.module(), place)
    }
}

/// Casts between types of different dialects stay as they are: otherwise those fold that others cancel.
pub(crate) fn casts_stay(target: ConversionTarget) -> ConversionTarget {
    target.legal(["builtin.unrealized_conversion_cast"])
}

/// The type converter for what a pass runs on.
pub(crate) fn type_converter(target: &Target<'_>, options: TypeOptions) -> Result<SpirvTypeConverter> {
    let attribute = lookup_or_default(target.op()?)?;
    let environment = Environment::of(target.context(), attribute);
    let environment = environment.ok_or_else(|| Error::verification("the target environment cannot be read"))?;
    Ok(SpirvTypeConverter::new(environment, options))
}
