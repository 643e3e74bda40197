//! `mlirbc convert`

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{Session, SpirvForm, opaque};
use mlirbc::bytecode::{self, OpaqueParts, WriteOptions};
use mlirbc::ir::ods::Release;
use mlirbc::text::{ParseOptions, PrintOptions, print_module};
use mlirbc::{Error, Module, Result, spirv};

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
    bytecode: BytecodeOptions,
    #[command(flatten)]
    text: TextOptions,
    /// What a SPIR-V binary is read as
    #[arg(long, value_enum, value_name = "FORM", default_value_t = SpirvForm::Binary)]
    spirv_form: SpirvForm,
    /// Read text without putting its operations into a module of their own
    #[arg(long)]
    no_implicit_module: bool,
}

/// How bytecode is written.
#[derive(clap::Args)]
struct BytecodeOptions {
    /// Version of the bytecode; that of the input by default, else the newest
    #[arg(long, value_name = "VERSION", allow_negative_numbers = true,
          value_parser = clap::builder::RangedI64ValueParser::<u64>::new().range(0..=bytecode::NEWEST_VERSION as i64))]
    bytecode_version: Option<u64>,
    /// Release of MLIR that is to read the bytecode; by default that which --producer names, or that of the input, else 22
    ///
    /// The bytecode version has been 6 since LLVM 20, but releases 23 and 24 have encodings that older ones refuse.
    #[arg(long, value_name = "RELEASE", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(22..=i64::from(Release::NEWEST.major())))]
    mlir_version: Option<u16>,
    /// Producer to name in the bytecode; that of the input by default, else this tool
    #[arg(long, value_name = "TEXT")]
    producer: Option<String>,
    /// How dialects that mlir-opt does not know are encoded: those of --ods and of SPIR-V; upstream by default, but for
    /// files with parts that cannot be decoded, which are kept as they are
    #[arg(long, value_enum)]
    encoding: Option<Encoding>,
    /// Drop what the version, or text, cannot hold, and say what that was
    #[arg(long)]
    lossy: bool,
    /// Write every location as unknown, and no lines into a SPIR-V binary
    #[arg(long)]
    strip_locations: bool,
}

/// How text is written.
#[derive(clap::Args)]
struct TextOptions {
    /// Text in generic form for every operation
    #[arg(long)]
    generic: bool,
    /// Text with locations
    #[arg(long)]
    locations: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Bytecode
    Mlirbc,
    /// Text
    Mlir,
    /// A SPIR-V binary
    Spv,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Encoding {
    /// As text, their operations unregistered: for mlir-opt --allow-unregistered-dialect
    Upstream,
    /// In their own compact encodings
    Custom,
}

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Format::Mlirbc => "mlirbc",
            Format::Mlir => "mlir",
            Format::Spv => "spv",
        }
    }

    pub(super) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "mlirbc" => Some(Format::Mlirbc),
            "mlir" => Some(Format::Mlir),
            "spv" => Some(Format::Spv),
            _ => None,
        }
    }
}

impl Convert {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
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
            let mut module = super::read_as(&context, input, &self.parse_options(format), self.spirv_form)?;
            verify_dominance(&module)?;
            if self.bytecode.strip_locations {
                spirv::strip_lines(&mut module)?;
                if format == Format::Spv {
                    module.strip_locations()?;
                }
            }
            if format == Format::Mlirbc && self.bytecode.encoding == Some(Encoding::Custom) {
                module = spirv::registered(module)?;
            }
            super::write_to(&self.target(input, format), |out| self.write(session, input, &module, format, out))
        }))
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

    fn write(
        &self,
        session: &Session,
        input: &Path,
        module: &Module,
        format: Format,
        out: &mut dyn Write,
    ) -> Result<()> {
        match format {
            Format::Mlir => {
                let is_shown = super::is_standard(&self.target(input, format)) && std::io::stdout().is_terminal();
                match self.bytecode.lossy || is_shown {
                    true => opaque::note(input, module)?,
                    false => opaque::refuse(module).map_err(|error| {
                        Error::new(error.kind(), format!("{}, and --lossy asks for text all the same", error.message()))
                    })?,
                }
                let locations = self.text.locations && !self.bytecode.strip_locations;
                print_module(module, &PrintOptions::new().generic(self.text.generic).locations(locations), out)
            }
            Format::Spv => Ok(out.write_all(&spirv::write(module)?)?),
            Format::Mlirbc => {
                let losses = bytecode::write_to(module, &self.bytecode.of(session, module)?, out)?;
                for (what, times) in losses.iter() {
                    let times = if times == 1 { "once".to_owned() } else { format!("{times} times") };
                    super::say(format_args!("{}: dropped {what}, {times}", super::shown_name(input, "<stdin>")));
                }
                Ok(())
            }
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

impl BytecodeOptions {
    fn of(&self, session: &Session, module: &Module) -> Result<WriteOptions> {
        let mut options = WriteOptions::like(module);
        if let Some(version) = self.bytecode_version {
            options.version = version;
        }
        let release = self.mlir_version.map(Release::new);
        if let Some(release) = release {
            options = options.for_release(release);
        }
        if let Some(producer) = &self.producer {
            options = options.by_producer(producer.as_str());
            options.release = release.unwrap_or(options.release);
        }
        (options.lossy, options.strip_locations) = (self.lossy, self.strip_locations);
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None if OpaqueParts::may_be_in(module)? => Encoding::Custom,
            None => Encoding::Upstream,
        };
        if encoding == Encoding::Upstream {
            let own = [spirv::DIALECT, spirv::dialect::DIALECT];
            let tables = session.tables.iter().flat_map(|table| table.dialects());
            options.unregistered = own.into_iter().chain(tables).map(str::to_owned).collect();
        }
        Ok(options)
    }
}
