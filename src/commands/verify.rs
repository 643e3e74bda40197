//! `mlirbc verify`

use std::path::PathBuf;
use std::process::ExitCode;

use super::Session;
use mlirbc::ir::verify::verify_module;
use mlirbc::{Error, ErrorKind, Result};

/// Check files: the structure of every section and of every operation, and all that lazy loading would not reach
///
/// Nothing is printed where all is well.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc verify model.mlirbc\n  mlirbc verify cache/*.mlirbc\n  \
                        mlirbc verify model.mlir shader.spv\n  mlirbc verify --target-env vulkan1.1 shader.spv\n  mlirbc verify - < model.mlirbc")]
pub(crate) struct Verify {
    /// Files to check, bytecode, text or SPIR-V binaries; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Check what the bytes say only, not whether operations fit their definitions
    #[arg(long)]
    structure: bool,
    /// Check also whether what is SPIR-V can run there: `vulkan1.1`, `opencl2.2` or another name of spirv-val's, or the text of a
    /// `#spirv.target_env`
    #[arg(long, value_name = "ENV")]
    target_env: Option<String>,
    /// What to do about parts that this build does not know, of dialects and operations that it knows: newer than it, most likely
    #[arg(long, value_enum, default_value_t = Unknown::Warn)]
    unknown: Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Unknown {
    /// Name each, and go on
    Warn,
    /// Name each, and fail
    Error,
}

impl Verify {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        if let Some(refused) = super::spirv::refuses_target(self.target_env.as_deref(), session)? {
            return Ok(refused);
        }
        Ok(super::for_each_input(&self.files, |path| {
            let context = session.context()?;
            let module = super::read(&context, path)?;
            mlirbc::bytecode::decode_all(&module)?;
            let unknown = mlirbc::bytecode::unknown_parts(&module)?;
            let severity = if self.unknown == Unknown::Error { "error" } else { "warning" };
            let name = super::shown_name(path, "<stdin>");
            unknown.iter().for_each(|part| super::say(format_args!("{name}: {severity}: {part}")));
            if self.unknown == Unknown::Error && !unknown.is_empty() {
                let parts = Error::counted(unknown.len(), "unknown part");
                return Err(Error::new(ErrorKind::Unknown, format!("{parts}, where none may be")));
            }
            if self.structure {
                return Ok(());
            }
            let mut wrong = 0;
            if let Some(target) = &self.target_env {
                let obstacles = super::spirv::runner(&context, target)?.obstacles(&module)?;
                wrong += obstacles.len();
                obstacles.iter().for_each(|obstacle| super::say(format_args!("{name}: error: {obstacle}")));
            }
            verify_module(&module, &mut |error| {
                super::say(format_args!("{name}: error: {error}"));
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
