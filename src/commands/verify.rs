//! `mlirbc verify`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::jobs::Jobs;
use super::{Input, Session, Split};
use mlirbc::ir::verify::verify_module;
use mlirbc::{Error, ErrorKind, Result};
use serde_json::json;

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
    /// One line of JSON a file: file, ok, errors and warnings (message)
    #[arg(long)]
    json: bool,
    /// Say nothing: the exit code tells
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
    /// Say of each file that is well that it is, and in the end how many there are
    #[arg(short, long, conflicts_with_all = ["json", "quiet"])]
    verbose: bool,
    #[command(flatten)]
    split: Split,
    #[command(flatten)]
    jobs: Jobs,
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
        let code = self.jobs.run(&self.files, |path| self.one(session, path));
        if self.verbose && code == ExitCode::SUCCESS {
            super::say(format_args!("{}: all well", Error::counted(self.files.len(), "file")));
        }
        Ok(code)
    }

    /// Checks one file, and tells as it is asked to.
    fn one(&self, session: &Session, path: &Path) -> Result<()> {
        let name = super::shown_name(path, "<stdin>");
        let (mut errors, mut warnings) = (Vec::new(), Vec::new());
        let checked = self.split.each(path, &mut std::io::sink(), |input, _| {
            let before = errors.len();
            self.check(session, &input, &mut errors, &mut warnings)?;
            match errors.len() - before {
                0 => Ok(()),
                1 => Err(Error::new(ErrorKind::Verification, "1 rule is broken")),
                wrong => Err(Error::new(ErrorKind::Verification, format!("{wrong} rules are broken"))),
            }
        });
        if self.json {
            // What is told as a last word on the others is not one of them.
            if errors.is_empty() {
                errors.extend(checked.as_ref().err().map(ToString::to_string));
            }
            let messages = |all: &[String]| all.iter().map(|text| json!({ "message": text })).collect::<Vec<_>>();
            let line = json!({
                "file": name, "ok": checked.is_ok(), "errors": messages(&errors), "warnings": messages(&warnings),
            });
            super::show(|out| Ok(writeln!(out, "{line}")?))?;
            return checked.map_err(|_| super::input::told());
        }
        if self.quiet {
            return checked.map_err(|_| super::input::told());
        }
        let severity = if self.unknown == Unknown::Error { "error" } else { "warning" };
        warnings.iter().for_each(|text| super::say(format_args!("{name}: {severity}: {text}")));
        errors.iter().for_each(|text| super::say(format_args!("{name}: error: {text}")));
        if self.verbose && checked.is_ok() {
            super::say(format_args!("{name}: well"));
        }
        checked
    }

    /// Checks one file: what is wrong with it, and what is not known.
    fn check(
        &self,
        session: &Session,
        input: &Input<'_>,
        errors: &mut Vec<String>,
        warnings: &mut Vec<String>,
    ) -> Result<()> {
        let context = session.context()?;
        mlirbc::stablehlo::register(&context)?;
        let module = input.module(&context)?;
        mlirbc::bytecode::decode_all(&module)?;
        warnings.extend(mlirbc::bytecode::unknown_parts(&module)?.iter().map(ToString::to_string));
        if self.unknown == Unknown::Error && !warnings.is_empty() {
            let parts = Error::counted(warnings.len(), "unknown part");
            return Err(Error::new(ErrorKind::Unknown, format!("{parts}, where none may be")));
        }
        if self.structure {
            return Ok(());
        }
        if let Some(target) = &self.target_env {
            let obstacles = super::spirv::runner(&context, target)?.obstacles(&module)?;
            errors.extend(obstacles.iter().map(ToString::to_string));
        }
        verify_module(&module, &mut |error| errors.push(error.to_string()))
    }
}
