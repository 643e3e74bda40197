//! What modules are written as: bytecode, text, or SPIR-V binaries.

use std::io::{IsTerminal, Write};
use std::path::Path;

use super::{Session, color, opaque};
use mlirbc::bytecode::{self, OpaqueParts, WriteOptions};
use mlirbc::ir::ods::Release;
use mlirbc::stablehlo::Version;
use mlirbc::text::{PrintOptions, print_module};
use mlirbc::{Error, Module, Result, spirv, stablehlo};

/// How a module is written.
#[derive(clap::Args)]
pub(super) struct Form {
    #[command(flatten)]
    pub(super) bytecode: BytecodeOptions,
    #[command(flatten)]
    text: TextOptions,
}

/// How bytecode is written.
#[derive(clap::Args)]
pub(super) struct BytecodeOptions {
    /// Version of the bytecode; that of the input by default, else the newest
    #[arg(long, value_name = "VERSION", allow_negative_numbers = true,
          value_parser = clap::builder::RangedI64ValueParser::<u64>::new().range(0..=bytecode::NEWEST_VERSION as i64))]
    pub(super) bytecode_version: Option<u64>,
    /// Release of MLIR that is to read the bytecode; by default that which --producer names, or that of the input, else 22
    ///
    /// The bytecode version has been 6 since LLVM 20, but releases 23 and 24 have encodings that older ones refuse.
    #[arg(long, value_name = "RELEASE", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(22..=i64::from(Release::NEWEST.major())))]
    pub(super) mlir_version: Option<u16>,
    /// Producer to name in the bytecode; that of the input by default, else this tool
    #[arg(long, value_name = "TEXT")]
    pub(super) producer: Option<String>,
    /// How dialects that mlir-opt does not know are encoded: those of --ods and of SPIR-V; upstream by default, but for
    /// files with parts that cannot be decoded, which are kept as they are
    #[arg(long, value_enum)]
    pub(super) encoding: Option<Encoding>,
    /// Drop what the version, or text, cannot hold, and say what that was
    #[arg(long)]
    lossy: bool,
    /// Write every location as unknown, and no lines into a SPIR-V binary
    #[arg(long)]
    pub(super) strip_locations: bool,
    /// On how many threads.
    #[arg(skip)]
    pub(super) threads: usize,
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
    /// Whether StableHLO is asked for, so that text is of it, whatever it says.
    #[arg(skip)]
    is_stablehlo: bool,
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
pub(super) enum Encoding {
    /// As text, their operations unregistered: for mlir-opt --allow-unregistered-dialect
    Upstream,
    /// In their own compact encodings
    Custom,
}

impl Format {
    pub(super) fn extension(self) -> &'static str {
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

impl Form {
    /// Takes lines and locations out of a module to be written as that, where that is asked for.
    pub(super) fn strip(&self, module: &mut Module, format: Format) -> Result<()> {
        if self.bytecode.strip_locations {
            spirv::strip_lines(module)?;
            // Of bytecode and text they are not written.
            if format == Format::Spv {
                module.strip_locations()?;
            }
        }
        Ok(())
    }

    /// What is written is StableHLO.
    pub(super) fn of_stablehlo(&mut self) {
        self.text.is_stablehlo = true;
    }

    /// Writes the module of that input, to go to `target`.
    pub(super) fn write(
        &self,
        session: &Session,
        input: &Path,
        module: &Module,
        format: Format,
        target: &Path,
        out: &mut dyn Write,
    ) -> Result<()> {
        match format {
            Format::Mlir => {
                let is_shown = super::is_standard(target) && std::io::stdout().is_terminal();
                match self.bytecode.lossy || is_shown {
                    true => opaque::note(input, module)?,
                    false => opaque::refuse(module).map_err(|error| {
                        Error::new(error.kind(), format!("{}, and --lossy asks for text all the same", error.message()))
                    })?,
                }
                let locations = self.text.locations && !self.bytecode.strip_locations;
                let options = PrintOptions::new().generic(self.text.generic).locations(locations);
                // mlir-opt ends with an empty line, the tools of StableHLO do not.
                let is_trimmed = self.text.is_stablehlo || stablehlo::is_stablehlo(module)?;
                color::paint(out, super::is_standard(target) && color::of_output(), |out| match is_trimmed {
                    true => {
                        let mut out = WithoutBlankLine { out, held: 0 };
                        print_module(module, &options, &mut out)?;
                        out.finish()
                    }
                    false => print_module(module, &options, out),
                })
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

/// Keeps back an empty line at the end.
struct WithoutBlankLine<'a> {
    out: &'a mut dyn Write,
    /// Ends of lines that are not written yet.
    held: usize,
}

impl Write for WithoutBlankLine<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = bytes.iter().rposition(|&byte| byte != b'\n').map_or(0, |last| last + 1);
        if text > 0 {
            (0..std::mem::take(&mut self.held)).try_for_each(|_| self.out.write_all(b"\n"))?;
            self.out.write_all(&bytes[..text])?;
        }
        self.held += bytes.len() - text;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

impl WithoutBlankLine<'_> {
    /// Ends the last line.
    fn finish(self) -> Result<()> {
        if self.held > 0 {
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }
}

impl BytecodeOptions {
    /// Whether nothing is asked for: what is written is of the form of what was read.
    pub(super) fn keep_the_form(&self) -> bool {
        let other = self.bytecode_version.is_some() || self.mlir_version.is_some() || self.producer.is_some();
        !other && self.encoding.is_none() && !self.lossy && !self.strip_locations
    }

    /// The dialects that mlir-opt does not know.
    pub(super) fn unknown_dialects(session: &Session) -> Vec<String> {
        let own = [spirv::DIALECT, spirv::dialect::DIALECT];
        let tables = session.tables.iter().flat_map(|table| table.dialects());
        own.into_iter().chain(tables).map(str::to_owned).collect()
    }

    fn of(&self, session: &Session, module: &Module) -> Result<WriteOptions> {
        let mut options = WriteOptions::like(module);
        if let Some(version) = self.bytecode_version {
            options.version = version;
        }
        let release = self.mlir_version.map(Release::new);
        if let Some(release) = release {
            options = options.release(release);
        }
        if let Some(producer) = &self.producer {
            options = options.producer(producer.as_str());
            options.release = release.unwrap_or(options.release);
        }
        // The producer of an artifact names a version of StableHLO, whose newer releases have the encodings of MLIR 23.
        if let Some(artifact) = Version::of_producer(&options.producer)
            && release.is_none()
        {
            options.release = stablehlo::artifact_options(artifact).release;
        }
        (options.lossy, options.strip_locations) = (self.lossy, self.strip_locations);
        options.threads = self.threads;
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None if OpaqueParts::may_be_in(module)? => Encoding::Custom,
            None => Encoding::Upstream,
        };
        if encoding == Encoding::Upstream {
            options.unregistered = Self::unknown_dialects(session);
        }
        Ok(options)
    }
}
