//! A conversion into `llvm` as a pass.

use mlirbc_ir::{AttributeData, OpRef, Result};
use mlirbc_rewrite::conversion::{CAST, Conversion, ConversionTarget};
use mlirbc_rewrite::{Pass, Target};

use super::folded;
use super::{LlvmOptions, LlvmPatterns, LlvmTypeConverter};

/// A partial conversion of what a pass runs on.
pub(crate) struct ToLlvm {
    pub(crate) name: &'static str,
    /// Whether it is for modules alone, whose layout says how many bits an index has.
    pub(crate) of_module: bool,
    /// How many bits an index has, where that is said.
    pub(crate) index_bits: Option<u32>,
    pub(crate) options: LlvmOptions,
    /// Adds the patterns.
    pub(crate) patterns: fn(LlvmPatterns) -> LlvmPatterns,
    /// Says what is legal beside the operations of `llvm`, and what is not.
    pub(crate) legal: fn(ConversionTarget) -> ConversionTarget,
}

impl Pass for ToLlvm {
    fn name(&self) -> &str {
        self.name
    }

    fn anchor(&self) -> Option<&str> {
        self.of_module.then_some("builtin.module")
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let usual = self.options.index_bits;
        let of_layout = if self.of_module { index_bits_of(target.op()?)? } else { None };
        let index_bits = self.index_bits.or(of_layout).unwrap_or(usual);
        let types = LlvmTypeConverter::new(self.options.index_bits(index_bits));
        let patterns = LlvmPatterns::inside(target.op()?, &types)?;
        // Casts between types of different dialects stay as they are: otherwise those fold that others cancel.
        let legal = (self.legal)(ConversionTarget::new().legal([CAST]));
        convert(target, (self.patterns)(patterns), legal)
    }
}

/// Converts, and declares what that asks for.
pub(crate) fn convert(target: &mut Target<'_>, patterns: LlvmPatterns, legal: ConversionTarget) -> Result<()> {
    let (place, threads) = (target.place(), target.threads());
    let declarations = patterns.declarations();
    let folded = folded::fold(target.module(), place)?;
    let legal = if folded.is_empty() { legal } else { folded::stay(legal) };
    let conversion = Conversion::new(legal.legal_dialects(["llvm"]), patterns.into_patterns());
    conversion.partial().threads(threads).run(target.module(), place)?;
    folded::done(target.module(), folded)?;
    declarations.declare(target.module(), place)
}

/// How many bits the layout of a module says that an index has.
fn index_bits_of(op: OpRef<'_>) -> Result<Option<u32>> {
    let context = op.module().context();
    let Some(layout) = op.attribute("dlti.dl_spec")? else { return Ok(None) };
    // What `dlti` has is kept as its text.
    let AttributeData::Text { text, .. } = &context[layout] else { return Ok(None) };
    let text = String::from_utf8_lossy(text);
    let said = text.split_once("index = ").or_else(|| text.split_once("dl_entry<index, "));
    let digits = said.map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    Ok(digits.and_then(|digits| digits.parse().ok()))
}
