//! `mlirbc extract`

use std::path::PathBuf;
use std::process::ExitCode;

use super::form::{Form, Format};
use super::{Session, SpirvForm};
use mlirbc::Result;
use mlirbc::rewrite::extract_symbols;
use mlirbc::text::ParseOptions;

/// Write symbols alone, with all that they need: what they name, and the modules around them
///
/// What the result is written as is told by --to, or by the extension of -o; it is text otherwise. The entry point of a shader stays with
/// its function.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc extract model.mlirbc --symbol main\n  \
                        mlirbc extract model.mlirbc --symbol main --symbol init -o small.mlirbc\n  \
                        mlirbc extract shader.mlirbc --symbol main --to spv -o main.spv")]
pub(crate) struct Extract {
    /// A module, bytecode, text or a SPIR-V binary; `-` is standard input
    file: PathBuf,
    /// The symbol; may be given several times
    ///
    /// A nested one is `outer::inner`: see `mlirbc print --help`.
    #[arg(long = "symbol", value_name = "NAME", required = true)]
    symbols: Vec<String>,
    /// Where the module goes; `-`, the default, is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// What the module is written as
    #[arg(long, value_enum)]
    to: Option<Format>,
    /// What a SPIR-V binary is read as
    #[arg(long, value_enum, value_name = "FORM", default_value_t = SpirvForm::Dialect)]
    spirv_form: SpirvForm,
    #[command(flatten)]
    form: Form,
}

impl Extract {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        if let Some(refused) = session.refuses(std::slice::from_ref(&self.file), &[(self.output.clone(), &self.file)]) {
            return Ok(refused);
        }
        let format = self.to.or_else(|| Format::of(&self.output)).unwrap_or(Format::Mlir);
        Ok(super::for_input(&self.file, |path| {
            let context = session.context()?;
            let text = ParseOptions::new().implicit_module(true);
            let mut module = super::read_as(&context, path, &text, self.spirv_form)?;
            let mut places = Vec::new();
            for name in &self.symbols {
                // Where there is none, this tells the nearest.
                let found = super::symbol(&module, name)?.place();
                places.push(module.symbol_place(name).unwrap_or(found));
            }
            extract_symbols(&mut module, &places)?;
            super::write_to(&self.output, |out| self.form.write(session, path, &module, format, &self.output, out))
        }))
    }
}
