//! The dialect `spirv`: SPIR-V as MLIR has it, with types as MLIR types and structured control flow.
//!
//! Its operations are those of MLIR's own tables, and those of the grammar that these lack. [`types`] and [`attributes`]
//! make and take apart what it has beside: nothing else need know how these are held. A context in which the dialect is
//! not [registered](register) keeps its types and attributes as text.

pub mod abi;
mod assembly;
pub mod attributes;
pub mod encoding;
pub mod enums;
pub(crate) mod folds;
mod inlining;
mod old;
mod patterns;
mod structure;
pub(crate) mod table;
mod text;
pub mod types;
pub(crate) mod verify;

use std::sync::Arc;

use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_ir::interfaces::{Call, NamedCall};
use mlirbc_ir::ods::{CppClasses, OpTable, Test};
use mlirbc_ir::{Context, Dialect, Result, Type};

pub use enums::EnumKind;
pub use old::FORMER;

/// The dialect's name.
pub const DIALECT: &str = "spirv";

/// The dialect, to be registered in one context.
pub fn dialect() -> Dialect {
    let dialect = Dialect::new(DIALECT)
        .ops(definitions())
        .ops(table::types())
        .ops_on_demand(table::operations)
        .text(text::Text)
        .extension(classes())
        .bytecode(encoding::Encoding::new());
    let call = NamedCall { callee: "callee", arguments: "arguments" };
    let dialect = dialect.interface::<dyn Call>("FunctionCall", Arc::new(call));
    let dialect = verify::attach(assembly::attach(dialect));
    structure::attach(inlining::attach(patterns::attach(folds::attach(dialect))))
}

/// MLIR's own definitions of the dialect. Operations that these lack are the dialect's too.
pub fn definitions() -> OpTable {
    table::mlir().clone()
}

/// The classes of the types that MLIR has, and their mnemonics. All others stand for types of the grammar.
const TYPES_OF_MLIR: [(&str, &str); 9] = [
    ("spirv::ArrayType", "array"),
    ("spirv::CooperativeMatrixType", "coopmatrix"),
    ("spirv::ImageType", "image"),
    ("spirv::MatrixType", "matrix"),
    ("spirv::PointerType", "ptr"),
    ("spirv::RuntimeArrayType", "rtarray"),
    ("spirv::SampledImageType", "sampled_image"),
    ("spirv::StructType", "struct"),
    ("spirv::TensorArmType", "arm.tensor"),
];

/// Whether a type is one of the grammar's that MLIR lacks: a sampler, an event.
fn is_of_grammar(context: &Context, ty: Type) -> bool {
    let is_other = |mnemonic| !TYPES_OF_MLIR.iter().any(|known| known.1.as_bytes() == context.bytes(mnemonic));
    types::parts(context, ty).is_some_and(|value| is_other(value.mnemonic))
}

/// The types of the dialect, which have no records, what code reads of them, and what code asks of operations.
fn classes() -> CppClasses {
    let types = TYPES_OF_MLIR.into_iter();
    types
        .fold(CppClasses::new(), |classes, (class, mnemonic)| classes.ty(class, mnemonic))
        .attribute("spirv::VerCapExtAttr", "vce")
        .operation_test("isNestedInFunctionOpInterface", Test::IsInsideFunction)
        .operation_test("isNestedInGraphARMOpInterface", Test::IsInsideGraph)
        .operation_test("isDirectInModuleLikeOp", Test::IsSymbolTable)
        .parameter("ptr", "getPointeeType", "pointee")
        .parameter("image", "getElementType", "sampledType")
        .parameter("image", "getDim", "dim")
        .parameter("image", "getSamplingInfo", "sampling")
        .parameter("image", "getSamplerUseInfo", "samplerUse")
        .parameter("sampled_image", "getImageType", "image")
}

/// Registers the dialect, where it is not registered yet, and what reads it under the name that it [had before](FORMER). Both are made
/// on first use.
///
/// # Errors
/// Where the context refuses it.
pub fn register(context: &Context) -> Result<()> {
    if !context.has_dialect(DIALECT) {
        context.register_on_demand(DIALECT, |_| dialect())?;
    }
    match context.has_dialect(FORMER) {
        true => Ok(()),
        false => context.register_on_demand(FORMER, |_| old::dialect()),
    }
}

/// The name of an instruction, a type or an enumerant, and the vendor behind it: `RayQuery` and `KHR`.
fn split_vendor(name: &str) -> (&str, &'static str) {
    const VENDORS: [&str; 11] =
        ["KHR", "EXT", "NV", "INTEL", "ALTERA", "AMDX", "AMD", "ARM", "QCOM", "VALVE", "GOOGLE"];
    let found = VENDORS.iter().find_map(|vendor| Some((name.strip_suffix(vendor)?, *vendor)));
    found.unwrap_or((name, ""))
}
