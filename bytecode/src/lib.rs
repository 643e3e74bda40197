//! MLIR bytecode: read lazily, safe on hostile input, versions 0 to 6; written byte for byte as `mlir-opt` does.
//!
//! It is for programs that keep, send, index or look into compiled modules. [`read`](read()) looks at the header and the section table; all else is read
//! when it is asked for. Dialects need not be known: what they encode is kept as it is and goes back to the same bytes. In a context that knows them
//! (`mlirbc_dialects::context`), `module.symbol("f")` reads one function and nothing else.
//!
//! ```
//! use mlirbc_bytecode::{WriteOptions, read, write};
//! use mlirbc_ir::Context;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("../fixtures/arith.mlirbc")?;
//! let module = read(&Context::new(), bytes.clone())?;
//! let outermost = module.operations()?.next().ok_or("it is empty")?; // reads that, and not yet what it holds
//! assert!(outermost.walk()?.any(|op| op.is("func.func")));
//!
//! // As it was. `WriteOptions` has other versions, and other releases of MLIR, for modules of which all is known.
//! assert_eq!(write(&module, &WriteOptions::like(&module))?, bytes);
//! # Ok(())
//! # }
//! ```
//!
//! # What is checked when
//!
//! Opening checks the header and that sections are where the table says. A body is checked when it is read, with all its framing and indices, so
//! that walking it cannot fail; attributes, types, locations and resources when they are decoded. [`decode_all`] does all of it at once: after
//! it nothing that the module gives is an error. No input panics, overflows the stack, or takes more memory than [`Limits`] allow. Errors say the
//! offset, the section, and what was being read.
//!
//! # Where to look
//!
//! | to | look at |
//! | --- | --- |
//! | read | [`read`](read()), [`ReadOptions`]; a [`Reader`] for many small files |
//! | find one symbol of a large file at once | [`Index`] |
//! | look into the file itself | [`BytecodeFile`], [`inspect`] |
//! | write | [`write`](write()), [`WriteOptions`]; [`write_to`] into a file, a [`Writer`] for many small modules |
//! | change one function of a large file | [`Patch`], which copies all else as bytes |
//! | let go of the file | [`detach`] |
//! | encode attributes and types of a dialect, with versions | [`encoding`], and [`upgrade`](upgrade()) |
//! | know what this build does not | [`OpaqueParts`], [`unknown_parts`] |
//!
//! # When not to use it
//!
//! To look at IR that is in memory, `mlirbc-ir` is enough, and `mlirbc-text` for text. Files that are opened by path, as memory maps, are in `mlirbc`, and a
//! cache that processes share is in `mlirbc-store`.

#![forbid(unsafe_code)]

pub mod encoding;
mod format;
mod index;
pub mod inspect;
mod isolation;
mod limits;
mod opaque;
mod read;
mod upgrade;
mod write;

pub use format::{Guard, NEWEST_VERSION, SectionId, is_bytecode};
pub use limits::Limits;
pub use opaque::OpaqueParts;
pub use read::{
    BytecodeFile, Index, ReadOptions, Reader, UnknownKind, UnknownPart, decode_all, decode_all_with, detach, read,
    read_with, unknown_parts,
};
pub use upgrade::upgrade;
pub use write::{Losses, Patch, PatchPart, Patched, WriteOptions, Writer, write, write_to, write_with_losses};
