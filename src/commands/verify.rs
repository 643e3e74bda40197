//! `mlirbc verify`

use std::path::PathBuf;
use std::process::ExitCode;

use mlirbc::{Context, Result};

/// Check files: the structure of every section and of every operation, and all that lazy loading would not reach
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc verify model.mlirbc\n  mlirbc verify cache/*.mlirbc")]
pub(crate) struct Verify {
    /// Files to check
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Verify {
    pub(crate) fn run(self) -> Result<ExitCode> {
        Ok(super::for_each_input(&self.files, |path| {
            let context = Context::new();
            let module = mlirbc::open(&context, path)?;
            mlirbc::bytecode::decode_all(&module)
        }))
    }
}
