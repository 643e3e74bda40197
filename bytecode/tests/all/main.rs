//! The tests of `mlirbc-bytecode`, in one program: linking each alone would take longer than running it.

mod common;
mod every_byte;
mod interface;
mod llvm_and_quant;
mod malformed;
mod million;
mod nesting;
mod opaque;
mod outermost;
mod questionable;
mod toy;
mod unknown;
