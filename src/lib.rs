//! MLIR bytecode in Rust, with no LLVM to link: read, write, keep and convert compiled modules.
//!
//! This crate is the facade: it re-exports [`ir`], [`text`], [`rewrite`], [`dialects`], [`bytecode`], [`spirv`],
//! [`conversion`] and [`store`], and adds what needs a file system.
//!
//! ```
//! use mlirbc::Context;
//! # fn main() -> mlirbc::Result<()> {
//! let context = Context::new();
//! let module = mlirbc::open(&context, "fixtures/arith.mlirbc")?; // a memory map and a section table
//! let function = module.expect_symbol("f")?; // decodes this symbol, nothing else
//! for op in function.walk()? {
//!     println!("{} at {}", op.name(), context.show(op.location()?)); // cf.br at loc("arith.mlir":6:5)
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Where to look
//!
//! [`guide`] has a page and a program for each task, from loading one function to running a kernel. [`prelude`] is what most programs name.
//!
//! | to | look at |
//! | --- | --- |
//! | open bytecode | [`open`], [`open_with`]; any format, [`open_any`] |
//! | read text | [`parse`] |
//! | show a module, or an operation | [`text::ToText`]: `module.display()`, `op.to_text()` |
//! | show a type, an attribute, a location | [`Context::show`](ir::Context::show) |
//! | write a file | [`Save`]; [`output::Output`] for one that appears whole or not at all |
//! | look at IR, make and change it | [`ir`] |
//! | write patterns and passes | [`rewrite`]; [`opt`] is the command `mlirbc opt` with passes of your own |
//! | read and write bytecode in memory | [`read`], [`write`](write()); [`bytecode`] has all of it |
//! | go to SPIR-V and back | [`spirv`]; from and to other dialects, [`conversion`] |
//! | keep modules for many processes | [`open_store`]; [`store`] has all of it |
//! | know what an operation takes | [`dialects`], [`definitions`] |
//!
//! # Features
//!
//! All but `remote` are on by default. A program that asks for less is built sooner: with `default-features = false` there are [`ir`],
//! [`bytecode`], [`open`](open()) and [`output`], and each feature brings what it needs.
//!
//! | feature | what it brings |
//! | --- | --- |
//! | `text` | [`text`] |
//! | `rewrite` | [`rewrite`], and `text` |
//! | `dialects` | [`dialects`], which [`Context::new`] then knows, and `rewrite` |
//! | `spirv` | [`spirv`], whose dialects [`Context::new`] then knows, [`open_any`], and `rewrite` |
//! | `conversion` | [`conversion`], the passes of [`opt`], `dialects` and `spirv` |
//! | `store` | [`store`]; [`map_file`], and all that opens files by it, maps them, and reads them whole otherwise |
//! | `ods-json` | [`ir::tablegen`]: op definitions from the JSON of TableGen |
//! | `command` | [`command`], [`opt::main`], and all of the above |
//! | `mimalloc` | the allocator of the command |
//! | `remote` | the store's tier in an object store |
//!
//! # When not to use it
//!
//! It lowers kernels to SPIR-V, and SPIR-V and a part of what hosts are made of to the dialect `llvm`, and nothing else so far: to lower other
//! modules, or to execute one, use MLIR itself.

// The command is written against the public API, by the name that a user's program has for it.
extern crate self as mlirbc;

#[cfg(feature = "command")]
mod commands;
mod context;
pub mod dialect;
mod file;
#[cfg(feature = "command")]
pub mod guide;
#[cfg(feature = "spirv")]
mod open;
#[cfg(feature = "conversion")]
pub mod opt;
pub mod output;
pub mod prelude;
#[cfg(feature = "spirv")]
mod save;

pub use mlirbc_bytecode as bytecode;
#[cfg(feature = "conversion")]
pub use mlirbc_conversion as conversion;
#[cfg(feature = "dialects")]
pub use mlirbc_dialects as dialects;
pub use mlirbc_ir as ir;
#[cfg(feature = "rewrite")]
pub use mlirbc_rewrite as rewrite;
#[cfg(feature = "spirv")]
pub use mlirbc_spirv as spirv;
#[cfg(feature = "stablehlo")]
pub use mlirbc_stablehlo as stablehlo;
#[cfg(feature = "store")]
pub use mlirbc_store as store;
#[cfg(feature = "text")]
pub use mlirbc_text as text;

pub use context::{Context, definitions};
#[cfg(feature = "store")]
pub use context::{open_store, store_options};
pub use file::{map_file, open, open_with};
pub use mlirbc_bytecode::{Index, ReadOptions, WriteOptions, read, upgrade, write};
pub use mlirbc_ir::{Attribute, Error, ErrorCode, ErrorKind, Module, OpRef, Result, Type};
#[cfg(feature = "store")]
pub use mlirbc_store::{Key, Store};
#[cfg(feature = "text")]
pub use mlirbc_text::parse;
#[cfg(feature = "spirv")]
pub use open::{Format, OpenOptions, open_any, open_any_with, read_any};
#[cfg(feature = "spirv")]
pub use save::Save;

/// Runs the command `mlirbc` with the arguments of this process.
#[cfg(feature = "command")]
pub fn command() -> std::process::ExitCode {
    commands::Command::run()
}

/// The examples of the readme, as tests.
#[cfg(all(doctest, feature = "command"))]
#[doc = include_str!("../README.md")]
struct Readme;
