//! `mlirbc link`

use std::path::PathBuf;
use std::process::ExitCode;

use super::form::{Form, Format};
use super::{Session, SpirvForm};
use mlirbc::ir::verify::verify_module;
use mlirbc::spirv::transforms::link;
use mlirbc::text::ParseOptions;
use mlirbc::{Error, Module, OpRef, Result};

/// Link SPIR-V modules to one that has all that they have
///
/// Variables and specialization constants that are the same become one, and symbols of one name get numbers. Files may be binaries, or hold
/// modules of MLIR's dialect `spirv`. Two entry points of one name and model are an error without --rename.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mlirbc link vertex.spv fragment.spv -o both.spv\n  mlirbc link a.mlir b.spv --rename -o all.mlir"
)]
pub(crate) struct Link {
    /// Files to link, in this order; `-` is standard input
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// Where the result goes; `-` is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// What the result is written as
    #[arg(long, value_enum)]
    to: Option<Format>,
    /// Name an entry point after its function where an earlier one has its name and model
    #[arg(long)]
    rename: bool,
    #[command(flatten)]
    form: Form,
}

impl Link {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        if let Some(refused) = super::standard_twice(&self.inputs) {
            return Ok(refused);
        }
        let Some(first) = self.inputs.first() else { return Ok(super::wrong_usage("there is nothing to link")) };
        if let Some(refused) = session.refuses(&self.inputs, &[(self.output.clone(), first)]) {
            return Ok(refused);
        }
        let context = session.context()?;
        let text = ParseOptions::new().implicit_module(true);
        let mut modules = Vec::new();
        for path in &self.inputs {
            let read = || {
                let module = super::read_as(&context, path, &text, SpirvForm::Dialect)?;
                verified(&module)?;
                Ok(module)
            };
            modules.push(read().map_err(|error: Error| super::about(path, error))?);
        }
        let mut parts: Vec<OpRef<'_>> = Vec::new();
        for module in &modules {
            for top in module.operations()? {
                parts.extend(top.ops()?.filter(|op| op.is("spirv.module")));
            }
        }
        let linked = link(&parts, self.rename)?;
        verified(&linked)?;
        let format = self.to.or_else(|| Format::of(&self.output)).unwrap_or(Format::Mlir);
        super::write_to(&self.output, |out| self.form.write(session, first, &linked, format, &self.output, out))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The first rule that a module breaks, as an error.
fn verified(module: &Module) -> Result<()> {
    let mut first = Ok(());
    verify_module(module, &mut |error| {
        if first.is_ok() {
            first = Err(error);
        }
    })?;
    first
}
