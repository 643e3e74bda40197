//! Files of any format as modules.

use std::path::Path;

use bytes::Bytes;
use mlirbc_bytecode::{BytecodeFile, ReadOptions};
use mlirbc_ir::{Context, Error, Module, Result};
use mlirbc_spirv::SpirvForm;
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

use crate::map_file;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Bytecode.
    Bytecode,
    /// MLIR's text.
    Text,
    /// A SPIR-V binary.
    Spirv,
}

impl Format {
    /// What bytes are: as their first four say, else as the extension of the path does (`mlirbc`, `spv`), else text.
    ///
    /// # Errors
    /// Where they are neither: the path says bytecode or SPIR-V and the bytes do not, or there are zeros in them.
    pub fn of(bytes: &[u8], path: &Path) -> Result<Format> {
        if mlirbc_bytecode::is_bytecode(bytes) {
            return Ok(Format::Bytecode);
        }
        if mlirbc_spirv::is_spirv(bytes) {
            return Ok(Format::Spirv);
        }
        let wanted = path.extension().and_then(|extension| extension.to_str()).and_then(|extension| match extension {
            "mlirbc" => Some(("MLIR bytecode", "4D 4C EF 52")),
            "spv" => Some(("a SPIR-V binary", "03 02 23 07")),
            _ => None,
        });
        match wanted {
            Some((what, _)) if bytes.is_empty() => Err(Error::malformed(format!("not {what}: the file is empty"))),
            Some((what, magic)) => {
                Err(Error::malformed(format!("not {what}, as its name says: it does not begin with {magic}")))
            }
            None if bytes.contains(&0) => Err(Error::malformed("neither MLIR bytecode nor a SPIR-V binary nor text")),
            None => Ok(Format::Text),
        }
    }

    /// The format in words, as in `this is ...`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Bytecode => "MLIR bytecode",
            Format::Text => "text",
            Format::Spirv => "a SPIR-V binary",
        }
    }
}

/// How [`open_any_with`] reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenOptions {
    /// How bytecode is read.
    pub bytecode: ReadOptions,
    /// How text is read; its name is that of the file.
    pub text: ParseOptions,
    /// What a SPIR-V binary is read as.
    pub spirv: SpirvForm,
}

impl Default for OpenOptions {
    /// Operations of a text that stand in no module are put into one, as `mlir-opt` does; a SPIR-V binary is read in its
    /// binary form.
    fn default() -> Self {
        OpenOptions {
            bytecode: ReadOptions::default(),
            text: ParseOptions::new().implicit_module(true),
            spirv: SpirvForm::default(),
        }
    }
}

impl OpenOptions {
    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how bytecode is read.
    #[must_use]
    pub fn bytecode(mut self, options: ReadOptions) -> Self {
        self.bytecode = options;
        self
    }

    /// Sets how text is read.
    #[must_use]
    pub fn text(mut self, options: ParseOptions) -> Self {
        self.text = options;
        self
    }

    /// Sets what a SPIR-V binary is read as.
    #[must_use]
    pub fn spirv(mut self, form: SpirvForm) -> Self {
        self.spirv = form;
        self
    }
}

/// Opens a module of any format: bytecode, text, or a SPIR-V binary, as [`Format::of`] tells them apart. Of what JAX makes of
/// `Exported.serialize()` (feature `stablehlo`), it is the artifact in it.
///
/// The file is opened once, so that pipes are as good as files. A regular file is mapped into memory; bytecode is then read as
/// by [`open`](crate::open()), on demand. The SPIR-V dialects are registered where the context has none of that name yet.
///
/// # Errors
/// Where the file cannot be read, or is not what it says it is.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = mlirbc::Context::new();
/// for path in ["fixtures/arith.mlirbc", "fixtures/arith.mlir", "fixtures/spirv/shade.spv"] {
///     let module = mlirbc::open_any(&context, path)?;
///     println!("{path}: {}", module.operations()?.count());
/// }
/// # Ok(())
/// # }
/// ```
pub fn open_any(context: &Context, path: impl AsRef<Path>) -> Result<Module> {
    open_any_with(context, path, &OpenOptions::new())
}

/// As [`open_any`], as `options` say.
///
/// # Errors
/// As [`open_any`].
pub fn open_any_with(context: &Context, path: impl AsRef<Path>, options: &OpenOptions) -> Result<Module> {
    let path = path.as_ref();
    read_any(context, map_file(path)?, path, options)
}

/// As [`open_any_with`], of bytes that are in memory already. The path is for messages, and for its extension.
///
/// # Errors
/// Where the bytes are not what they say they are.
pub fn read_any(context: &Context, bytes: Bytes, path: &Path, options: &OpenOptions) -> Result<Module> {
    mlirbc_spirv::register(context)?;
    #[cfg(feature = "stablehlo")]
    let bytes = mlirbc_stablehlo::exported::artifact(&bytes).unwrap_or(bytes);
    match Format::of(&bytes, path)? {
        Format::Bytecode => {
            let module = mlirbc_bytecode::read_with(context, bytes, &options.bytecode)?;
            #[cfg(feature = "stablehlo")]
            if let Some(file) =
                BytecodeFile::of(&module).filter(|file| stablehlo::is_new(context) && stablehlo::is_of(file))
            {
                mlirbc_stablehlo::register(context)?;
                // What the file holds is decoded anew, by those that know it.
                return mlirbc_bytecode::read_with(context, file.data().clone(), &options.bytecode);
            }
            renamed(module)
        }
        Format::Spirv => mlirbc_spirv::read_as(context, bytes, options.spirv),
        Format::Text => {
            let options = options.text.clone().file(path.to_string_lossy());
            let parsed = parse_module(context, &bytes, &options);
            #[cfg(feature = "stablehlo")]
            if parsed.is_err() && stablehlo::is_new(context) && stablehlo::is_in(&bytes) {
                mlirbc_stablehlo::register(context)?;
                return Ok(parse_module(context, &bytes, &options)?);
            }
            Ok(parsed?)
        }
    }
}

/// Which files are written with the dialects of StableHLO.
#[cfg(feature = "stablehlo")]
mod stablehlo {
    use super::*;
    use mlirbc_stablehlo::{Version, chlo, sdy, stablehlo, vhlo};

    const DIALECTS: [&str; 4] = [vhlo::DIALECT, stablehlo::DIALECT, chlo::DIALECT, sdy::DIALECT];

    /// Whether the context does not know them yet.
    pub(super) fn is_new(context: &Context) -> bool {
        !context.has_dialect(vhlo::DIALECT)
    }

    /// Whether bytecode is, an artifact without operations of theirs, too. What is broken is found when it is read.
    pub(super) fn is_of(file: &BytecodeFile) -> bool {
        let is_artifact = Version::of_producer(file.producer()).is_some();
        is_artifact || DIALECTS.into_iter().any(|dialect| file.was_known(dialect).unwrap_or(false))
    }

    /// Whether text may be.
    pub(super) fn is_in(text: &[u8]) -> bool {
        let named = |name: &str| {
            let name = format!("{name}.");
            text.windows(name.len()).any(|part| part == name.as_bytes())
        };
        DIALECTS.into_iter().any(named)
    }
}

/// The module, where its file has operations of a dialect under a [name that it had before](mlirbc_spirv::dialect::FORMER): as the text of
/// these is read, since bytecode has them in no other form than text has.
fn renamed(module: Module) -> Result<Module> {
    let context = module.context();
    let former = context.identifier(mlirbc_spirv::dialect::FORMER);
    let names = BytecodeFile::of(&module).map(BytecodeFile::dialect_names);
    if !names.is_some_and(|names| names.is_ok_and(|names| names.contains(&former))) {
        return Ok(module);
    }
    let mut text = Vec::new();
    print_module(&module, &PrintOptions::new().generic(true).locations(true), &mut text)?;
    // What is wrong is not wrong with a line that anyone has seen.
    parse_module(context, &text, &ParseOptions::new()).map_err(|found| match found.iter().next() {
        Some(first) => Error::malformed(first.message.as_str()),
        None => found.into(),
    })
}
