//! `mlirbc print`

use std::path::PathBuf;
use std::process::ExitCode;

use super::{Session, SpirvForm};
use mlirbc::ir::text::{ParseOptions, PrintOptions, print_module, print_operation};
use mlirbc::{Error, Result};

/// Show the IR in a file as text
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc print model.mlirbc\n  mlirbc print model.mlirbc --symbol main --locations")]
pub(crate) struct Print {
    /// File to show; `-` is standard input
    file: PathBuf,
    /// Generic form for every operation
    #[arg(long)]
    generic: bool,
    /// Show locations
    #[arg(long)]
    locations: bool,
    /// Show only this symbol, decoding nothing else; `outer::inner` for a nested one
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
    /// What a SPIR-V binary is shown as
    #[arg(long, value_enum, value_name = "FORM", default_value_t = SpirvForm::Binary)]
    spirv_form: SpirvForm,
}

impl Print {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        Ok(super::for_each_input(std::slice::from_ref(&self.file), |path| {
            let context = session.context()?;
            let module = super::read_as(&context, path, &ParseOptions::new().implicit_module(true), self.spirv_form)?;
            let options = PrintOptions::new().generic(self.generic).locations(self.locations);
            super::write_to("-".as_ref(), |out| match &self.symbol {
                None => print_module(&module, &options, out),
                Some(name) => {
                    let op = module.symbol(name)?.ok_or_else(|| Error::misuse(format!("no symbol @{name}")))?;
                    print_operation(op, &options, out)
                }
            })
        }))
    }
}
