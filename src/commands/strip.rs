//! `mlirbc strip`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::form::{Form, Format};
use super::jobs::Jobs;
use super::targets::Destination;
use super::{Session, SpirvForm};
use mlirbc::Result;
use mlirbc::rewrite::Pipeline;
use mlirbc::rewrite::passes::SymbolDce;
use mlirbc::text::ParseOptions;

/// Write modules without what running them does not need: locations and debug information, on demand dead symbols
///
/// A file keeps its format where nothing else is asked for. `mlirbc resources strip` takes the data of blobs away.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc strip model.mlirbc -o small.mlirbc\n  \
                        mlirbc strip --dead-symbols model.mlirbc -o small.mlirbc\n  \
                        mlirbc strip cache/*.mlirbc --out-dir stripped")]
pub(crate) struct Strip {
    /// Modules, bytecode, text or SPIR-V binaries; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    destination: Destination,
    /// Take symbols away, too, that are private and that nothing names
    #[arg(long)]
    dead_symbols: bool,
    /// What a SPIR-V binary is read as
    #[arg(long, value_enum, value_name = "FORM", default_value_t = SpirvForm::Binary)]
    spirv_form: SpirvForm,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    jobs: Jobs,
}

impl Strip {
    pub(crate) fn run(mut self, session: &Session) -> Result<ExitCode> {
        self.form.bytecode.strip_locations = true;
        if let Some(refused) = self.destination.prepare(session, &self.inputs, |input| self.format(input))? {
            return Ok(refused);
        }
        Ok(self.jobs.run(&self.inputs, |input| {
            let context = session.context()?;
            let format = self.format(input);
            let mut module =
                super::read_as(&context, input, &ParseOptions::new().implicit_module(true), self.spirv_form)?;
            self.form.strip(&mut module, format)?;
            if self.dead_symbols {
                Pipeline::new().pass(SymbolDce).run(&mut module)?;
            }
            let target = self.destination.target(input, format);
            super::write_to(&target, |out| self.form.write(session, input, &module, format, &target, out))
        }))
    }

    /// What is asked for, else what the input is called.
    fn format(&self, input: &Path) -> Format {
        self.destination.format().or_else(|| Format::of(input)).unwrap_or(Format::Mlirbc)
    }
}
