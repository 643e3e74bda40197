//! The context of most tests, and how they write for `mlir-opt`.

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::Context;

/// A context that knows the dialects of upstream, `spirv` not among them.
pub fn context() -> Context {
    mlirbc_dialects::context()
}

/// These options without the encodings of SPIR-V, which `mlir-opt` does not know.
pub fn for_mlir_opt(options: WriteOptions) -> WriteOptions {
    WriteOptions { unregistered: ["spirv", "spirv_binary"].map(str::to_owned).to_vec(), ..options }
}
