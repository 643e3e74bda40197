//! `mlirbc print`

use std::path::PathBuf;
use std::process::ExitCode;

use super::{Session, SpirvForm, opaque};
use mlirbc::Result;
use mlirbc::text::{ParseOptions, PrintOptions, print_module, print_operation};

/// Show the IR in a file as text
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mlirbc print model.mlirbc\n  mlirbc print model.mlirbc --symbol main --locations\n  \
                        mlirbc print model.mlirbc --symbol 'kernels::@\"a::b\"'\n  mlirbc print shader.spv --spirv-form dialect -o shader.mlir\n  \
                        zcat model.mlirbc.gz | mlirbc print -"
)]
pub(crate) struct Print {
    /// File to show, bytecode, text or a SPIR-V binary; `-` is standard input
    file: PathBuf,
    /// Where the text goes; `-`, the default, is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Generic form for every operation
    #[arg(long)]
    generic: bool,
    /// Show locations
    #[arg(long)]
    locations: bool,
    /// Show only this symbol, decoding nothing else
    ///
    /// A nested one is `outer::inner`, with the name of the module before it or without. Signs may stand as in MLIR's text, and a
    /// name with `::` in it takes quotes: `@outer::@"a::b"`.
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
    /// What a SPIR-V binary is shown as
    #[arg(long, value_enum, value_name = "FORM", default_value_t = SpirvForm::Binary)]
    spirv_form: SpirvForm,
}

impl Print {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        if let Some(refused) = session.refuses(std::slice::from_ref(&self.file), &[(self.output.clone(), &self.file)]) {
            return Ok(refused);
        }
        Ok(super::for_input(&self.file, |path| {
            let context = session.context()?;
            let text = ParseOptions::new().implicit_module(true);
            let module = super::read_as(&context, path, &text, self.spirv_form)?;
            let options = PrintOptions::new().generic(self.generic).locations(self.locations);
            let op = self.symbol.as_deref().map(|name| super::symbol(&module, name)).transpose()?;
            super::write_to(&self.output, |out| match op {
                None => {
                    match super::is_standard(&self.output) {
                        true => opaque::note(path, &module)?,
                        false => opaque::refuse(&module)?,
                    }
                    print_module(&module, &options, out)
                }
                Some(op) => print_operation(op, &options, out),
            })
        }))
    }
}
