//! `mlirbc convert`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::form::{Encoding, Form, Format};
use super::{Session, SpirvForm};
use mlirbc::stablehlo::Version;
use mlirbc::text::ParseOptions;
use mlirbc::{Module, Result, spirv, stablehlo};

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
    /// Where the result goes; `-`, the default for one input, is standard output
    #[arg(short, long, value_name = "OUT", conflicts_with = "out_dir")]
    output: Option<PathBuf>,
    /// Folder for the results, which keep the names of their inputs with another extension
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// What to convert to
    #[arg(long, value_enum)]
    to: Option<Format>,
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
        if self.inputs.len() > 1 && self.out_dir.is_none() {
            return Ok(super::wrong_usage("several inputs need --out-dir"));
        }
        let Some(format) = self.to.or_else(|| Format::of(self.output.as_deref()?)) else {
            return Ok(super::wrong_usage("say what to convert to: --to mlirbc, --to mlir, or --to spv"));
        };
        let targets: Vec<_> = self.inputs.iter().map(|input| (self.target(input, format), input.as_path())).collect();
        if let Some(refused) = session.refuses(&self.inputs, &targets) {
            return Ok(refused);
        }
        if let Some(folder) = &self.out_dir {
            std::fs::create_dir_all(folder).map_err(|error| super::about(folder, error))?;
        }
        Ok(super::for_each_input(&self.inputs, |input| {
            let context = session.context()?;
            if self.dialect.is_some() || self.stablehlo_version.is_some() {
                stablehlo::register(&context)?;
            }
            let mut module = super::read_as(&context, input, &self.parse_options(format), self.spirv_form)?;
            verify_dominance(&module)?;
            if self.form.bytecode.strip_locations {
                spirv::strip_lines(&mut module)?;
                if format == Format::Spv {
                    module.strip_locations()?;
                }
            }
            if format == Format::Mlirbc && self.form.bytecode.encoding == Some(Encoding::Custom) {
                module = spirv::registered(module)?;
            }
            if let Some(converted) = self.converted(&module)? {
                module = converted;
            }
            let target = self.target(input, format);
            super::write_to(&target, |out| {
                if !self.keep_export || format != Format::Mlirbc {
                    return self.form.write(session, input, &module, format, &target, out);
                }
                let mut artifact = Vec::new();
                self.form.write(session, input, &module, format, &target, &mut artifact)?;
                let file = stablehlo::exported::with_artifact(&super::read_bytes(input)?, &artifact)?;
                Ok(out.write_all(&file)?)
            })
        }))
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

    fn target(&self, input: &Path, format: Format) -> PathBuf {
        match (&self.out_dir, &self.output) {
            (Some(folder), _) => {
                let name = if super::is_standard(input) { Path::new("stdin") } else { input };
                let name = Path::new(name.file_name().unwrap_or_default());
                // Any other extension is part of the name.
                let name = if Format::of(name).is_some() { name.file_stem() } else { Some(name.as_os_str()) };
                let mut name = name.unwrap_or_default().to_owned();
                name.push(".");
                name.push(format.extension());
                folder.join(name)
            }
            (None, Some(output)) => output.clone(),
            (None, None) => "-".into(),
        }
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
