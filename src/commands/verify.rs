//! `mlirbc verify`

use std::path::PathBuf;
use std::process::ExitCode;

use super::Session;
use mlirbc::ir::ods::verify_module;
use mlirbc::{Error, ErrorKind, Result};

/// Check files: the structure of every section and of every operation, and all that lazy loading would not reach
///
/// Nothing is printed where all is well.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc verify model.mlirbc\n  mlirbc verify cache/*.mlirbc\n  \
                        mlirbc verify model.mlir shader.spv\n  mlirbc verify - < model.mlirbc")]
pub(crate) struct Verify {
    /// Files to check, bytecode, text or SPIR-V binaries; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Check what the bytes say only, not whether operations fit their definitions
    #[arg(long)]
    structure: bool,
}

impl Verify {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        Ok(super::for_each_input(&self.files, |path| {
            let context = session.context()?;
            let module = super::read(&context, path)?;
            mlirbc::bytecode::decode_all(&module)?;
            if self.structure {
                return Ok(());
            }
            let mut wrong = 0;
            verify_module(&module, &mut |error| {
                super::say(format_args!("{}: error: {error}", super::shown_name(path, "<stdin>")));
                wrong += 1;
            })?;
            match wrong {
                0 => Ok(()),
                1 => Err(Error::new(ErrorKind::Verification, "1 rule is broken")),
                _ => Err(Error::new(ErrorKind::Verification, format!("{wrong} rules are broken"))),
            }
        }))
    }
}
