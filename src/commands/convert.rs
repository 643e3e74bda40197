//! `mlirbc convert`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::form::{Encoding, Form, Format};
use super::jobs::Jobs;
use super::targets::Destination;
use super::{Input, Session, SpirvForm, Split};
use mlirbc::stablehlo::Version;
use mlirbc::text::ParseOptions;
use mlirbc::{Module, OpenOptions, Result, spirv, stablehlo};

/// Convert between bytecode, text and SPIR-V binaries
///
/// What a file holds is told by its first bytes. What it becomes is told by --to, or by the extension of -o.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc convert model.mlirbc -o model.mlir\n  \
                        mlirbc convert cache/*.mlirbc --to mlir --out-dir text\n  \
                        mlirbc convert shader.spv -o shader.mlirbc --encoding custom\n  \
                        mlirbc convert shader.mlirbc -o shader.spv")]
pub(crate) struct Convert {
    /// Files to convert; `-` is standard input
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    form: Form,
    /// What a SPIR-V binary is read as
    #[arg(long, value_enum, value_name = "FORM", default_value_t = SpirvForm::Binary)]
    spirv_form: SpirvForm,
    /// The dialect that portable artifacts of StableHLO become: they hold `vhlo`, which is what they are shown as otherwise
    #[arg(long, value_enum, value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// Version of StableHLO to write a portable artifact of, of StableHLO or of another artifact
    #[arg(long, value_name = "VERSION", conflicts_with_all = ["dialect", "bytecode_version", "mlir_version", "producer"])]
    stablehlo_version: Option<Version>,
    /// Write the file of jax.export that the artifact stands in, with what it became in its place
    #[arg(long, conflicts_with = "dialect")]
    keep_export: bool,
    /// Read text without putting its operations into a module of their own
    #[arg(long)]
    no_implicit_module: bool,
    #[command(flatten)]
    split: Split,
    #[command(flatten)]
    jobs: Jobs,
}

/// What artifacts become.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Dialect {
    /// Operations of `stablehlo` and `func`
    Stablehlo,
    /// Operations of `vhlo`, of the newest version
    Vhlo,
}

impl Convert {
    pub(crate) fn run(mut self, session: &Session) -> Result<ExitCode> {
        if let Some(version) = self.stablehlo_version {
            let options = stablehlo::artifact_options(version);
            let bytecode = &mut self.form.bytecode;
            bytecode.bytecode_version = Some(options.version);
            bytecode.mlir_version = Some(options.release.major());
            bytecode.producer = Some(version.producer());
        }
        if self.knows_stablehlo() {
            self.form.of_stablehlo();
        }
        if self.split.is_wanted() && self.destination.format().is_some_and(|format| format != Format::Mlir) {
            return Ok(super::wrong_usage("--split-input-file makes text: several modules stand in no other file"));
        }
        // What several inputs need is told first.
        let format = self.destination.format();
        if let Some(refused) = self.destination.prepare(session, &self.inputs, |_| format.unwrap_or(Format::Mlirbc))? {
            return Ok(refused);
        }
        let Some(format) = format else {
            return Ok(super::wrong_usage("say what to convert to: --to mlirbc, --to mlir, or --to spv"));
        };
        Ok(self.jobs.run(&self.inputs, |input| {
            let target = self.destination.target(input, format);
            super::write_to(&target, |out| {
                self.split.each(input, out, |part, out| self.convert(session, input, &part, format, &target, out))
            })
        }))
    }

    fn convert(
        &self,
        session: &Session,
        path: &Path,
        input: &Input<'_>,
        format: Format,
        target: &Path,
        out: &mut dyn Write,
    ) -> Result<()> {
        let context = session.context()?;
        if self.knows_stablehlo() {
            stablehlo::register(&context)?;
        }
        let options = OpenOptions::new().text(self.parse_options(format)).spirv(self.spirv_form.into());
        let mut module = input.module_with(&context, &options)?;
        verify_dominance(&module)?;
        self.form.strip(&mut module, format)?;
        if format == Format::Mlirbc && self.form.bytecode.encoding == Some(Encoding::Custom) {
            module = spirv::registered(module)?;
        }
        if let Some(converted) = self.converted(&module)? {
            module = converted;
        }
        if !self.keep_export || format != Format::Mlirbc {
            return self.form.write(session, path, &module, format, target, out);
        }
        let mut artifact = Vec::new();
        self.form.write(session, path, &module, format, target, &mut artifact)?;
        let file = stablehlo::exported::with_artifact(&super::read_bytes(path)?, &artifact)?;
        Ok(out.write_all(&file)?)
    }

    /// Whether StableHLO is asked for.
    fn knows_stablehlo(&self) -> bool {
        self.dialect.is_some() || self.stablehlo_version.is_some()
    }

    /// The module in the dialect that is asked for. `None` where none is.
    fn converted(&self, module: &Module) -> Result<Option<Module>> {
        Ok(match (self.stablehlo_version, self.dialect) {
            (Some(version), _) => Some(stablehlo::to_vhlo(module, version)?),
            (None, Some(Dialect::Stablehlo)) => Some(stablehlo::to_stablehlo(module)?),
            (None, Some(Dialect::Vhlo)) => Some(stablehlo::to_vhlo(module, Version::CURRENT)?),
            (None, None) => None,
        })
    }

    /// How text is read. Where a SPIR-V binary is made of it, operations have the lines that were written and no others.
    fn parse_options(&self, format: Format) -> ParseOptions {
        ParseOptions::new().implicit_module(!self.no_implicit_module).implicit_locations(format != Format::Spv)
    }
}

/// Checks that what operations use is defined where they stand, which reading alone does not: the first error there is.
fn verify_dominance(module: &Module) -> Result<()> {
    let mut first = Ok(());
    mlirbc::ir::verify::verify_dominance(module, &mut |error| {
        if first.is_ok() {
            first = Err(error);
        }
    })?;
    first
}
