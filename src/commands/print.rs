//! `mlirbc print`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::jobs::Jobs;
use super::{Input, Session, SpirvForm, Split, color, opaque};
use mlirbc::text::{ParseOptions, PrintOptions, print_module, print_operation};
use mlirbc::{OpenOptions, Result};

/// Show the IR in a file as text
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mlirbc print model.mlirbc\n  mlirbc print model.mlirbc --symbol main --symbol init --locations\n  \
                        mlirbc print model.mlirbc --symbol 'kernels::@\"a::b\"'\n  mlirbc print shader.spv --spirv-form dialect -o shader.mlir\n  \
                        zcat model.mlirbc.gz | mlirbc print -"
)]
pub(crate) struct Print {
    /// Files to show, bytecode, text or SPIR-V binaries; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the text goes; `-`, the default, is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Generic form for every operation
    #[arg(long)]
    generic: bool,
    /// Show locations
    #[arg(long)]
    locations: bool,
    /// Show only this symbol, decoding nothing else; may be given several times
    ///
    /// A nested one is `outer::inner`, with the name of the module before it or without. Signs may stand as in MLIR's text, and a
    /// name with `::` in it takes quotes: `@outer::@"a::b"`.
    #[arg(long = "symbol", value_name = "NAME")]
    symbols: Vec<String>,
    /// What a SPIR-V binary is shown as
    #[arg(long, value_enum, value_name = "FORM", default_value_t = SpirvForm::Binary)]
    spirv_form: SpirvForm,
    /// Print what text holds as it stands, not put into a module
    #[arg(long)]
    no_implicit_module: bool,
    #[command(flatten)]
    split: Split,
    #[command(flatten)]
    jobs: Jobs,
}

impl Print {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        let outputs: Vec<_> = self.files.iter().map(|file| (self.output.clone(), file.as_path())).take(1).collect();
        if let Some(refused) = session.refuses(&self.files, &outputs) {
            return Ok(refused);
        }
        let is_standard = super::is_standard(&self.output);
        if self.files.len() > 1 && !is_standard {
            return Ok(super::wrong_usage(
                "several files go to standard output: `mlirbc convert --out-dir` writes a file of each",
            ));
        }
        Ok(self.jobs.run(&self.files, |path| {
            super::write_to(&self.output, |out| {
                if self.files.len() > 1 {
                    writeln!(out, "// {}", super::visible(&super::shown_name(path, "<stdin>")))?;
                }
                color::paint(out, is_standard && color::of_output(), |out| {
                    self.split.each(path, out, |input, out| self.print(session, path, &input, out))
                })
            })
        }))
    }

    fn print(&self, session: &Session, path: &Path, input: &Input<'_>, out: &mut dyn Write) -> Result<()> {
        let text = ParseOptions::new().implicit_module(!self.no_implicit_module);
        let module =
            input.module_with(&session.context()?, &OpenOptions::new().text(text).spirv(self.spirv_form.into()))?;
        let options = PrintOptions::new().generic(self.generic).locations(self.locations);
        if !self.symbols.is_empty() {
            return self
                .symbols
                .iter()
                .try_for_each(|name| print_operation(super::symbol(&module, name)?, &options, out));
        }
        match super::is_standard(&self.output) {
            true => opaque::note(path, &module)?,
            false => opaque::refuse(&module)?,
        }
        print_module(&module, &options, out)
    }
}
